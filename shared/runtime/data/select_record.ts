/** Reads single rows: as records for the caller, or as stored values for rules (contract 4.1). */
import { accountOf } from "../../column_types/mod.ts";
import { columnNamed, sightOf } from "../../surface/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { SortKey } from "../../model/mod.ts";
import type { Reader, ResultSet, SqlValue, Statement, Transaction } from "../ports.ts";
import type { IncludedRecords, RecordWithIncluded } from "../response/record.ts";
import type { Catalog } from "./catalog.ts";
import { compareStored } from "./comparisons.ts";
import {
  cellSql,
  comparisonsWithoutNotDeleted,
  firewallSql,
  inSql,
  visibleSql,
} from "./conditions.ts";
import { childrenStatement } from "./included_children.ts";
import { orderKeys } from "./keyset.ts";
import { BESIDE_KEYS, projectionSql, ROW, shownSql } from "./projection.ts";
import { cellOf, type ProjectionShape, recordText } from "./record_plan.ts";
import { packedSelect, unpackedRows } from "./packed_rows.ts";
import { shownAccountSql } from "./members.ts";
import { allOf, EVERY_ROW, type Fragment, fragment, jsonList, NO_ROW } from "./sql.ts";
import type {
  Embedding,
  Firewall,
  Place,
  RecordQuery,
  RecordsQuery,
  RowKey,
  RowKeys,
  StoredRow,
} from "./types.ts";

/** Returns a record as JSON text with the caller's masks; null if the firewall hides it. */
export function prepareRecord(
  catalog: Catalog,
  query: Omit<RecordQuery, "id">,
): (reader: Reader, id: SqlValue) => Promise<string | null> {
  const where = behindFirewall({ ...query, id: null });
  const { shape, statement } = recordStatement(catalog, query, where);
  // The id is what the condition binds first.
  const place = statement.args.length - where.args.length;
  return async (reader, id) => {
    const args = statement.args.with(place, id);
    const { rows: [row] } = await reader.run({ sql: statement.sql, args, isSingle: true });
    return row ? recordText(shape.plan, row) : null;
  };
}

/** A record with the targets of its foreign keys. */
export async function selectWithIncluded(
  catalog: Catalog,
  reader: Reader,
  query: RecordQuery & { readonly embeddings: readonly Embedding[] },
): Promise<RecordWithIncluded | null> {
  const where = behindFirewall(query);
  const { shape, statement } = recordStatement(catalog, query, where);
  const { firewall } = query;
  const rows = fragment(
    `SELECT ${ROW}.* FROM ${source(firewall)} WHERE ${where.sql}`,
    ...where.args,
  );
  const embedded = query.embeddings.map((one) =>
    includedStatement(catalog, one, { firewall, rows })
  );
  const [record, ...others] = await runTogether(reader, [
    statement,
    ...embedded.map((one) => one.statement),
  ]);
  const row = record?.rows[0];
  if (!row) return null;
  return {
    json: recordText(shape.plan, row),
    included: embedded.map((one, at) => one.read(resultAt(others, at))),
  };
}

/** Selects the place of a record in the order of this sort. */
export async function selectPlace(
  reader: Reader,
  { sort, ...key }: RowKey & { readonly sort: readonly SortKey[] },
): Promise<Place | null> {
  const keys = orderKeys(sort, key.firewall.table);
  const cells = keys.map(({ column }) => cellSql(column, ROW)).join(", ");
  const where = behindFirewall(key);
  const { rows } = await reader.run({
    sql: `SELECT ${cells} FROM ${source(key.firewall)} WHERE ${where.sql}`,
    args: where.args,
  });
  return rows[0] ?? null;
}

/**
 * Returns the record of a row that this transaction has written behind its firewall, even if it has left the firewall since.
 */
export async function selectWritten(
  catalog: Catalog,
  reader: Reader,
  query: RecordQuery,
): Promise<string | null> {
  const { shape, statement } = recordStatement(catalog, query, primaryKeySql(query));
  const [row] = (await reader.run(statement)).rows;
  return row ? recordText(shape.plan, row) : null;
}

function recordStatement(
  catalog: Catalog,
  query: Omit<RecordQuery, "id">,
  where: Fragment,
): { readonly shape: ProjectionShape; readonly statement: Statement } {
  const { shape, selectArgs, joinArgs } = projectionSql(catalog, query.projection, query.firewall);
  const sql = catalog.text(
    `record ${shape.key} ${where.sql}`,
    () =>
      `SELECT ${shape.plan.select} FROM ${source(query.firewall)}${shape.joins} WHERE ${where.sql}`,
  );
  const args = [...selectArgs, ...joinArgs, ...where.args];
  return { shape, statement: { sql, args, isSingle: true } };
}

/** The stored row by API column name; null when the firewall hides it. */
export function selectStored(
  catalog: Catalog,
  reader: Reader,
  key: RowKey,
): Promise<StoredRow | null> {
  return storedWhere(catalog, reader, key, behindFirewall(key));
}

/** Returns a stored row that this transaction has judged, even if it has left the firewall since. */
export function selectHeld(
  catalog: Catalog,
  transaction: Transaction,
  key: RowKey,
): Promise<StoredRow | null> {
  return storedWhere(catalog, transaction, key, primaryKeySql(key));
}

async function storedWhere(
  catalog: Catalog,
  reader: Reader,
  key: RowKey,
  where: Fragment,
): Promise<StoredRow | null> {
  const { columns, name } = key.firewall.table;
  const sql = catalog.text(`stored ${name} ${where.sql}`, () => {
    const list = columns.map((column) => cellSql(column, ROW)).join(", ");
    return `SELECT ${list} FROM ${source(key.firewall)} WHERE ${where.sql}`;
  });
  const [row] = (await reader.run({ sql, args: where.args, isSingle: true })).rows;
  return row ? new Map(columns.map((column, at) => [column.name, row[at] ?? null])) : null;
}

/** True for a row that is hidden only because it is soft-deleted (definitions 7 "firewall codes"). */
export async function probeDeleted(reader: Reader, key: RowKey): Promise<boolean> {
  const deletion = comparisonsWithoutNotDeleted(key.firewall, ROW);
  if (deletion === null) return false;
  const where = allOf([primaryKeySql(key), deletion]);
  return (await reader.run({
    sql: `SELECT 1 FROM ${source(key.firewall)} WHERE ${where.sql}`,
    args: where.args,
  })).rows.length > 0;
}

/** Returns those ids, without duplicates, whose rows the caller may see. A missing one prevents the commit of a last part. */
export async function readableIds(
  reader: Reader,
  { firewall, ids }: { readonly firewall: Firewall; readonly ids: readonly SqlValue[] },
): Promise<ReadonlySet<SqlValue>> {
  if (ids.length === 0) return new Set();
  const key = cellSql(columnNamed(firewall.table.primaryKey, firewall.table), ROW);
  const where = allOf([
    fragment(`${key} IN (SELECT value FROM json_each(?))`, jsonList(ids)),
    firewallSql(firewall, BESIDE_KEYS, "row"),
  ]);
  const { rows } = await reader.run({
    sql: `SELECT ${key} FROM ${source(firewall)} WHERE ${where.sql}`,
    args: where.args,
    rowsRequired: ids.length,
  });
  return new Set(rows.map((row) => row[0] ?? null));
}

function source(firewall: Firewall): string {
  return `${sqlIdentifier(firewall.table.sqlName)} AS ${ROW}`;
}

function behindFirewall(key: RowKey): Fragment {
  return allOf([primaryKeySql(key), firewallSql(key.firewall, ROW, "row")]);
}

function primaryKeySql({ firewall, id }: RowKey): Fragment {
  const { table } = firewall;
  return fragment(`${cellSql(columnNamed(table.primaryKey, table), ROW)} = ?`, id);
}

/** Runs the statements of one answer on one snapshot. A single statement needs no transaction. */
export async function runTogether(
  reader: Reader,
  statements: readonly Statement[],
): Promise<ResultSet[]> {
  const [only] = statements;
  if (only && statements.length === 1) return [await reader.run(only)];
  return [...await reader.runAll(statements)];
}

export function resultAt(results: readonly ResultSet[], at: number): ResultSet {
  const result = results[at];
  if (!result) throw new Error("The database answered fewer statements than it was asked");
  return result;
}

/** Reads several rows by key (contract 4.1 rule 6): stored rows behind the firewall, by id. */
export async function selectStoredRows(
  reader: Reader,
  keys: RowKeys,
): Promise<ReadonlyMap<SqlValue, StoredRow>> {
  const { firewall } = keys;
  const { columns, primaryKey } = firewall.table;
  const where = allOf([primaryKeysSql(keys), firewallSql(firewall, BESIDE_KEYS, "row")]);
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

/**
 * Returns the records of rows that this transaction has written, as JSON texts by id, even if they have left the firewall
 * since.
 */
export async function selectWrittenRows(
  catalog: Catalog,
  transaction: Transaction,
  query: RecordsQuery,
): Promise<ReadonlyMap<SqlValue, string>> {
  const { firewall, projection } = query;
  const { shape, selectArgs, joinArgs } = projectionSql(catalog, projection, firewall);
  const where = primaryKeysSql(query);
  const cells = [keyOf(firewall), ...shape.plan.cells];
  const sql = catalog.text(
    `records ${shape.key} ${where.sql}`,
    () => `SELECT ${packedSelect(cells)} FROM ${source(firewall)}${shape.joins} WHERE ${where.sql}`,
  );
  const args = [...selectArgs, ...joinArgs, ...where.args];
  const { rows } = await transaction.run({ sql, args, isSingle: true });
  return new Map(
    unpackedRows(cells, rows[0] ?? []).map((
      [id = null, ...record],
    ) => [id, recordText(shape.plan, record)]),
  );
}

/** Returns the ids of rows that are hidden only by soft deletion (definitions 7 "firewall codes"). */
export async function deletedIds(reader: Reader, keys: RowKeys): Promise<ReadonlySet<SqlValue>> {
  const deletion = comparisonsWithoutNotDeleted(keys.firewall, BESIDE_KEYS);
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

function keyCell(firewall: Firewall): string {
  return keyOf(firewall).sql;
}

function keyOf({ table }: Firewall) {
  const column = columnNamed(table.primaryKey, table);
  return cellOf(column, cellSql(column, ROW));
}

/** Rows with the foreign keys. */
interface KeyHolders {
  readonly firewall: Firewall;
  /** `SELECT` of the rows' columns. */
  readonly rows: Fragment;
}

/** A statement, and how its answer is read. */
interface IncludedStatement {
  readonly statement: Statement;
  read(result: ResultSet): IncludedRecords;
}

/**
 * Reads the targets of foreign keys, one statement for each key. The same rows select them as select the page or record, so
 * that all is one round trip and one snapshot (contract 4.3 rule 4).
 */
export function includedStatement(
  catalog: Catalog,
  embedding: Embedding,
  holders: KeyHolders,
): IncludedStatement {
  const { column, children, firewall, rule, projection } = embedding;
  if (children !== null) return childrenStatement(catalog, { ...embedding, children }, holders);
  const { table } = firewall;
  const { shape, selectArgs, joinArgs } = projectionSql(catalog, projection, firewall);
  const foreignKey = columnNamed(column, holders.firewall.table);
  const referred = columnNamed(foreignKey.references?.column ?? table.primaryKey, table);
  const cells = [...shape.plan.cells, keyOf(firewall)];
  const keys = keysSql(embedding, holders);
  const visible = visibleSql(rule, { firewall, alias: ROW, reading: "row" });
  // The cross join keeps the order of tables: few keys first, then one look-up for each.
  const sql = catalog.text(
    `included ${shape.key} ${keys.sql} ${visible.sql}`,
    () =>
      `SELECT ${packedSelect(cells)} FROM (${keys.sql}) AS k CROSS JOIN ` +
      `${sqlIdentifier(table.sqlName)} AS ${ROW}${shape.joins} ` +
      `WHERE ${cellSql(referred, ROW)} = k.k AND ${visible.sql}`,
  );
  const args = [...selectArgs, ...keys.args, ...joinArgs, ...visible.args];
  return {
    statement: { sql, args, isSingle: true },
    read({ rows: [packed = []] }) {
      const found = unpackedRows(cells, packed).map((row) => ({ id: row.at(-1) ?? null, row }));
      // A key is never null, and no two rows share one.
      found.sort((one, other) => one.id === null ? -1 : compareStored(one.id, other.id));
      const records = found.map(({ id, row }) =>
        [String(id), recordText(shape.plan, row)] as const
      );
      return { column, records };
    },
  };
}

/** Returns the foreign keys that the caller may see. If a mask or an account depends on the row, only those of such rows. */
function keysSql(embedding: Embedding, { firewall, rows }: KeyHolders): Fragment {
  const { table } = firewall;
  const column = columnNamed(embedding.column, table);
  const isAccount = accountOf(column.type) !== null;
  const seen = allOf([
    keySeenSql(embedding, firewall),
    ...(isAccount ? [shownAccountSql(column, firewall, ROW) ?? NO_ROW] : []),
  ]);
  return fragment(
    `SELECT DISTINCT ${cellSql(column, ROW)} AS k FROM (${rows.sql}) AS ${ROW} WHERE ${seen.sql}`,
    ...rows.args,
    ...seen.args,
  );
}

function keySeenSql({ column, source }: Embedding, firewall: Firewall): Fragment {
  const { table, principal } = firewall;
  switch (sightOf(source, column, principal).kind) {
    case "plain":
      return EVERY_ROW;
    case "ownerOnly": {
      const owner = cellSql(columnNamed(table.ownerColumn, table), ROW);
      return fragment(`${owner} IS ?`, principal.userId);
    }
    case "byRow":
      return shownSql(source, column, firewall);
    case "masked":
      return NO_ROW;
  }
}
