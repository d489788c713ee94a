/** Which row a path names. */
import type { Call } from "../context.ts";
import type { Firewall, RowKey } from "../data/types.ts";

const INTEGER = /^\d{1,15}$/;

/** An id that no row of the table can have stays a text, which matches none. */
export function recordKey({ plan, id }: Call, firewall: Firewall): RowKey {
  const isSerial = plan.table.idStrategy === "serial" && INTEGER.test(id);
  return { firewall, id: isSerial ? Number(id) : id };
}
