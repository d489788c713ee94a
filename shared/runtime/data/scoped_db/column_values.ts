/**
 * Values of a handler in the one form that is stored (definitions 3): instants as `YYYY-MM-DDTHH:mm:ss.sssZ`, booleans as 0 and 1,
 * JSON as its text. What is none is refused with `VALIDATION_ERROR`, naming the column; written or compared.
 */
import { getTableColumns, getTableName, is, Table } from "drizzle-orm";
import { normalizedDateTime } from "../../../lib/timestamps.ts";
import type { ColumnModel } from "../../../model/column.ts";
import type { SqlValue } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import type { TableIndex } from "./scoped_tables.ts";

/** Has drizzle's columns bind what builders write and compare in its stored form. */
export function normalizeColumns(
  schema: Readonly<Record<string, unknown>>,
  { tables }: TableIndex,
): void {
  for (const table of Object.values(schema)) {
    if (!is(table, Table)) continue;
    const model = tables.get(getTableName(table).toLowerCase());
    for (const column of Object.values(getTableColumns(table))) {
      const known = model?.columns.find(({ sqlName }) => sqlName === column.name);
      const encode = known && encoderOf(known);
      // Every builder, alias and subquery binds through this one method of the column.
      if (encode) {
        Object.defineProperty(column, "mapToDriverValue", { value: encode, configurable: true });
      }
    }
  }
}

type Encode = (value: unknown) => SqlValue;

/** Null: the column stores what it is given. */
function encoderOf(column: ColumnModel): Encode | null {
  switch (column.type.kind) {
    case "timestamp":
      return (value) => instantOf(value) ?? refuseValue(column);
    case "bool":
      return (value) => typeof value === "boolean" ? Number(value) : refuseValue(column);
    case "json":
      return (value) => jsonTextOf(value) ?? refuseValue(column);
    default:
      return null;
  }
}

const BOOLEANS: readonly SqlValue[] = [0, 1, 0n, 1n];

/** A value that a statement binds for the column, whoever made the statement. */
export function storedForm(column: ColumnModel, value: SqlValue): SqlValue {
  if (value === null) return null;
  switch (column.type.kind) {
    case "timestamp":
      return instantOf(value) ?? refuseValue(column);
    case "bool":
      return BOOLEANS.includes(value) ? value : refuseValue(column);
    case "json":
      return isJson(value) ? value : refuseValue(column);
    default:
      return value;
  }
}

function instantOf(value: unknown): string | null {
  if (typeof value === "string") return normalizedDateTime(value);
  const isDate = value instanceof Date && !Number.isNaN(value.getTime());
  // Years of more than four digits have another spelling, which is refused.
  return isDate ? normalizedDateTime(value.toISOString()) : null;
}

/** Null: no JSON says it, such as a function or a circle. */
function jsonTextOf(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

function isJson(value: SqlValue): boolean {
  if (value instanceof Uint8Array) return false;
  try {
    JSON.parse(String(value));
    return true;
  } catch {
    return false;
  }
}

const WANTED = {
  timestamp: "Must be an ISO 8601 date and time with Z or an offset",
  bool: "Must be true or false",
  json: "Must be a value that JSON can hold",
} as const;

function refuseValue({ name, type: { kind } }: ColumnModel): never {
  const wanted = kind === "timestamp" || kind === "bool" || kind === "json" ? WANTED[kind] : "";
  refuse("VALIDATION_ERROR", { details: { column: name, fields: { [name]: wanted } } });
}
