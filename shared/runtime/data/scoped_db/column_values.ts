/**
 * Values of a handler in the one form that is stored (definitions 3): instants as `YYYY-MM-DDTHH:mm:ss.sssZ`, booleans as 0 and 1,
 * JSON as its text. What is none is refused with `VALIDATION_ERROR`, naming the column; written or compared.
 */
import { getTableColumns, getTableName, is, Table } from "drizzle-orm";
import { type HandlerForm, storageOf } from "../../../column_types/mod.ts";
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
  const { handler } = storageOf(column.type);
  return handler && ((value) => handler.encode(value) ?? refuseValue(column, handler));
}

/** A value that a statement binds for the column, whoever made the statement. */
export function storedForm(column: ColumnModel, value: SqlValue): SqlValue {
  const { handler } = storageOf(column.type);
  return value === null || handler === null
    ? value
    : handler.bound(value) ?? refuseValue(column, handler);
}

function refuseValue({ name }: ColumnModel, { wanted }: HandlerForm): never {
  refuse("VALIDATION_ERROR", { details: { column: name, fields: { [name]: wanted } } });
}
