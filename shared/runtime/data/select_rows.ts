/** Reads several rows by their keys at once: stored values, records, and what is soft-deleted (contract 4.1 rule 6). */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import type { Reader, SqlValue, Transaction } from "../ports.ts";
import { type Catalog, columnOf } from "./catalog.ts";
import { cellSql, firewallSql, inSql } from "./condition_sql.ts";
import { comparisonsWithoutNotDeleted } from "./deleted.ts";
import { projectionSql, ROW } from "./projection.ts";
import { recordText } from "./record_plan.ts";
import { allOf, type Fragment } from "./sql.ts";
import type { Firewall, RecordsQuery, RowKeys, StoredRow } from "./types.ts";

/** Stored rows behind the firewall, by id. */
export async function selectStoredRows(
  reader: Reader,
  keys: RowKeys,
): Promise<ReadonlyMap<SqlValue, StoredRow>> {
  const { firewall } = keys;
  const { columns, primaryKey } = firewall.table;
  const where = allOf([primaryKeysSql(keys), firewallSql(firewall, ROW)]);
  const list = columns.map((column) => cellSql(column, ROW)).join(", ");
  const { rows } = await reader.run({
    sql: `SELECT ${list} FROM ${source(firewall)} WHERE ${where.sql}`,
    args: where.args,
  });
  return new Map(rows.map((row) => {
    const stored: StoredRow = new Map(columns.map((column, at) => [column.name, row[at] ?? null]));
    return [stored.get(primaryKey) ?? null, stored];
  }));
}

/** The records of rows that this transaction has written, as JSON texts by id, wherever they belong by now. */
export async function selectWrittenRows(
  catalog: Catalog,
  transaction: Transaction,
  query: RecordsQuery,
): Promise<ReadonlyMap<SqlValue, string>> {
  const { firewall, projection } = query;
  const { shape, selectArgs, joinArgs } = projectionSql(catalog, projection, firewall);
  const where = primaryKeysSql(query);
  const sql = catalog.text(
    `records ${shape.key} ${where.sql}`,
    () =>
      `SELECT ${keyCell(firewall)}, ${shape.plan.select} FROM ${source(firewall)}${shape.joins} ` +
      `WHERE ${where.sql}`,
  );
  const args = [...selectArgs, ...joinArgs, ...where.args];
  const { rows } = await transaction.run({ sql, args });
  return new Map(rows.map(([id = null, ...cells]) => [id, recordText(shape.plan, cells)]));
}

/** The ids of rows that are hidden only because they are soft-deleted (definitions 7 "firewall codes"). */
export async function deletedIds(reader: Reader, keys: RowKeys): Promise<ReadonlySet<SqlValue>> {
  const deletion = comparisonsWithoutNotDeleted(keys.firewall, ROW);
  if (deletion === null || keys.ids.length === 0) return new Set();
  const where = allOf([primaryKeysSql(keys), deletion]);
  const { rows } = await reader.run({
    sql: `SELECT ${keyCell(keys.firewall)} FROM ${source(keys.firewall)} WHERE ${where.sql}`,
    args: where.args,
  });
  return new Set(rows.map(([id = null]) => id));
}

function primaryKeysSql({ firewall, ids }: RowKeys): Fragment {
  return inSql(keyCell(firewall), ids);
}

function keyCell({ table }: Firewall): string {
  return cellSql(columnOf(table, table.primaryKey), ROW);
}

function source({ table }: Firewall): string {
  return `${sqlIdentifier(table.sqlName)} AS ${ROW}`;
}
