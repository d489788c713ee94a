/** Inserts rows with their stamps, scope and defaults (contract 2.2, 4.1). */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import type { SqlValue, Transaction } from "../ports.ts";
import { type Catalog, columnOf } from "./catalog.ts";
import { noteInserted } from "./changes/watched_rows.ts";
import { newRowValue } from "./stamps.ts";
import type { Insertion, Insertions, StoredRow } from "./types.ts";

/** SQLite binds 32,766 values to a statement. */
const VALUES_MAX = 32_000;

/** Returns the new row's id, which the database makes when `id` is null. */
export async function insertRow(
  catalog: Catalog,
  transaction: Transaction,
  { id, values, ...common }: Insertion,
): Promise<SqlValue> {
  const [created] = await insertRows(catalog, transaction, { ...common, rows: [{ id, values }] });
  if (created === undefined) throw new Error("The database did not say which row it inserted");
  return created;
}

/**
 * One statement for all rows, or as few as the values that one can bind allow. Returns their ids in order; either every
 * row brings its id or none does.
 */
export async function insertRows(
  catalog: Catalog,
  transaction: Transaction,
  { firewall, rows, stamps }: Insertions,
): Promise<readonly SqlValue[]> {
  const { table } = firewall;
  const isNumbered = rows.every(({ id }) => id === null);
  const columns = table.columns.filter(({ name }) => name !== table.primaryKey || !isNumbered);
  const chunk = Math.max(1, Math.floor(VALUES_MAX / columns.length));
  const made: SqlValue[] = [];
  for (let start = 0; start < rows.length; start += chunk) {
    const some = rows.slice(start, start + chunk);
    const args = some.flatMap(({ id, values }) =>
      columns.map((column) =>
        column.name === table.primaryKey ? id : newRowValue(column, { values, stamps, firewall })
      )
    );
    const sql = catalog.text(`insert ${table.name} ${isNumbered} ${some.length}`, () => {
      const names = columns.map((column) => sqlIdentifier(column.sqlName)).join(", ");
      const row = `(${columns.map(() => "?").join(", ")})`;
      return `INSERT INTO ${sqlIdentifier(table.sqlName)} (${names}) VALUES ` +
        `${some.map(() => row).join(", ")} ` +
        `RETURNING ${sqlIdentifier(columnOf(table, table.primaryKey).sqlName)}`;
    });
    const returned = (await transaction.run({ sql, args })).rows.map(([id = null]) => id);
    made.push(...(isNumbered ? ascending(returned) : some.map(({ id }) => id)));
  }
  await noteInserted(transaction, table, made);
  return made;
}

/** SQLite promises no order of what it returns; it does number rows in the order in which they came. */
function ascending(ids: readonly SqlValue[]): readonly SqlValue[] {
  return [...ids].sort((a, b) => Number(a) - Number(b));
}

/** The row that an insertion would make, as it would be stored; its id is null when it has none yet. */
export function newRow({ firewall, id, values, stamps }: Insertion): StoredRow {
  const { columns, primaryKey } = firewall.table;
  return new Map(columns.map((column) => [
    column.name,
    column.name === primaryKey ? id : newRowValue(column, { values, stamps, firewall }),
  ]));
}
