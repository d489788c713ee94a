/** Column values between JSON and SQLite (definitions 3): booleans as 0 and 1, JSON and date-times as text. */
import type { ColumnModel, JsonValue } from "../../model/column.ts";
import type { Scalar } from "../../model/predicate.ts";
import type { TableModel } from "../../model/table.ts";
import { normalizedDate, normalizedDateTime } from "../../lib/timestamps.ts";
import type { SqlValue } from "../ports.ts";

/** A validated JSON value as the column stores it. */
export function toStored(column: ColumnModel, value: JsonValue): SqlValue {
  if (value === null) return null;
  switch (column.type.kind) {
    case "json":
      return JSON.stringify(value);
    case "bool":
      if (typeof value === "boolean") return value ? 1 : 0;
      break;
    case "int":
    case "revision":
    case "real":
      if (typeof value === "number") return value;
      break;
    case "timestamp":
      if (typeof value === "string") return normalizedDateTime(value) ?? misfit(column);
      break;
    case "id":
      if (typeof value === "string" || typeof value === "number") return value;
      break;
    default:
      if (typeof value === "string") return value;
  }
  return misfit(column);
}

/** Validation lets nothing through to here; a value of another type is our own mistake. */
function misfit(column: ColumnModel): never {
  throw new TypeError(`Column '${column.name}' cannot store a value of another type`);
}

/** A stored value as JSON. */
export function fromStored(column: ColumnModel, value: SqlValue): JsonValue {
  if (value === null) return null;
  if (value instanceof Uint8Array) throw new TypeError(`Column '${column.name}' holds bytes`);
  if (column.type.kind === "json") return JSON.parse(String(value));
  if (column.type.kind === "bool") return Number(value) !== 0;
  return typeof value === "bigint" ? Number(value) : value;
}

/** A stored value as JSON text, integers in full. */
export function jsonTextOf(column: ColumnModel, value: SqlValue): string {
  if (typeof value === "bigint") return String(value);
  if (value !== null && column.type.kind === "json") return String(value);
  return JSON.stringify(fromStored(column, value));
}

/**
 * A predicate's literal in the stored form of its column; undefined when no value of the column can equal it.
 * Comparing only like with like keeps SQLite's type affinity out of the rules.
 */
export function storedOperand(
  { column, table }: { readonly column: ColumnModel; readonly table: TableModel },
  value: Scalar,
): SqlValue | undefined {
  if (value === null) return null;
  switch (column.type.kind) {
    case "bool":
      return typeof value === "boolean" ? Number(value) : undefined;
    case "int":
    case "revision":
    case "real":
      return typeof value === "number" && Number.isFinite(value) ? value : undefined;
    case "json":
      return JSON.stringify(value);
    case "timestamp":
      return typeof value === "string" ? storedTime(value) : undefined;
    case "id":
      return table.idStrategy === "serial" ? numberOnly(value) : textOnly(value);
    default:
      return textOnly(value);
  }
}

function storedTime(text: string): string | undefined {
  return normalizedDateTime(text) ?? normalizedDate(text) ?? undefined;
}

function numberOnly(value: Scalar): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function textOnly(value: Scalar): string | undefined {
  return typeof value === "string" ? value : undefined;
}
