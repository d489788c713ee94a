/** Inserts a row with its stamps, scope and defaults (contract 2.2, 4.1). */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import type { SqlValue, Transaction } from "../ports.ts";
import { type Catalog, columnOf } from "./catalog.ts";
import { newRowValue } from "./stamps.ts";
import type { Insertion } from "./types.ts";

/** Returns the new row's id, which the database makes when `id` is null. */
export async function insertRow(
  catalog: Catalog,
  transaction: Transaction,
  insertion: Insertion,
): Promise<SqlValue> {
  const { firewall, id } = insertion;
  const { table } = firewall;
  const key = columnOf(table, table.primaryKey);
  const columns = table.columns.filter((column) => column !== key || id !== null);
  const sql = catalog.text(`insert ${table.name} ${id === null}`, () => {
    const names = columns.map((column) => sqlIdentifier(column.sqlName)).join(", ");
    const values = columns.map(() => "?").join(", ");
    return `INSERT INTO ${sqlIdentifier(table.sqlName)} (${names}) VALUES (${values}) ` +
      `RETURNING ${sqlIdentifier(key.sqlName)}`;
  });
  const args = columns.map((column) => column === key ? id : newRowValue(column, insertion));
  const [row] = (await transaction.run({ sql, args })).rows;
  const created = row?.[0] ?? null;
  if (created === null) throw new Error("The database did not say which row it inserted");
  return created;
}
