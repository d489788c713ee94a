/** The row that an id names (definitions 7, "spelling of ids"). Refuses with `ROUTE_NOT_FOUND` another spelling of an id in a path. */
import type { TableModel } from "../../model/table.ts";
import { isOtherSpelling } from "../../surface/ids.ts";
import type { Firewall, RowKey } from "../data/types.ts";
import type { SqlValue } from "../ports.ts";
import { refuse } from "../refusal.ts";

/** Before anything is asked of the caller: the path leads nowhere. */
export function requireIdSpelling(id: string, { idStrategy }: TableModel): void {
  if (isOtherSpelling(id, idStrategy)) refuse("ROUTE_NOT_FOUND");
}

export function recordKey(firewall: Firewall, id: string): RowKey {
  return { firewall, id: storedId(id, firewall.table) };
}

const INTEGER = /^(?:0|[1-9]\d{0,14})$/;

/** An id that no row of the table can have stays a text, which matches none. */
function storedId(id: string, { idStrategy }: TableModel): SqlValue {
  return idStrategy === "serial" && INTEGER.test(id) ? Number(id) : id;
}

/** The id that a value of a body means; null: no row of the table can have it. */
export function idNamed(value: unknown, table: TableModel): SqlValue {
  if (Number.isSafeInteger(value) && table.idStrategy === "serial") return Number(value);
  return typeof value === "string" && !isOtherSpelling(value, table.idStrategy)
    ? storedId(value, table)
    : null;
}
