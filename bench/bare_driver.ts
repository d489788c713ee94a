/** The floor: the native driver alone, one prepared statement and `JSON.stringify`, with no checks at all. */
import NativeDatabase from "libsql";
import { ORGANIZATION, type Scenario } from "./scenario.ts";

interface BareDriver {
  listTickets(): string;
  getTicket(): string;
  listCustomers(): string;
}

const LABEL = "SELECT tickets.*, customers.name AS customer_label FROM tickets " +
  "LEFT JOIN customers ON customers.id = tickets.customer_id";

export function bareDriver({ path, ticketId }: Scenario): BareDriver {
  const database = new NativeDatabase(path);
  const list = database.prepare(
    `${LABEL} WHERE tickets.organization_id = ? AND tickets.deleted_at IS NULL ` +
      "ORDER BY tickets.created_at DESC, tickets.id DESC LIMIT 21",
  );
  const get = database.prepare(`${LABEL} WHERE tickets.id = ? AND tickets.organization_id = ?`);
  const customers = database.prepare(
    "SELECT * FROM customers WHERE organization_id = ? AND deleted_at IS NULL ORDER BY name, id LIMIT 21",
  );
  return {
    listTickets: () => JSON.stringify({ data: list.all([ORGANIZATION]) }),
    getTicket: () => JSON.stringify(get.get([ticketId, ORGANIZATION])),
    listCustomers: () => JSON.stringify({ data: customers.all([ORGANIZATION]) }),
  };
}
