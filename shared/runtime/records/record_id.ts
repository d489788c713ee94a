/** Converts ids of records to the form in which rows store them. */
import type { TableModel } from "../../model/mod.ts";
import { isOtherSpelling } from "../../surface/mod.ts";
import type { SqlValue } from "../ports.ts";

const INTEGER = /^(?:0|[1-9]\d{0,14})$/;

/** Returns the stored id. An id that no row of the table can have stays a text, which matches no row. */
export function storedId(id: string, { idStrategy }: TableModel): SqlValue {
  return idStrategy === "serial" && INTEGER.test(id) ? Number(id) : id;
}

/** Returns the id that a value of a body names; null: no row of the table can have it. */
export function idNamed(value: unknown, table: TableModel): SqlValue {
  if (Number.isSafeInteger(value) && table.idStrategy === "serial") return Number(value);
  return typeof value === "string" && !isOtherSpelling(value, table.idStrategy)
    ? storedId(value, table)
    : null;
}
