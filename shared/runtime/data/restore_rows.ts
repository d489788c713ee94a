/** Reverts a soft deletion: of a row, and of the rows that the same deletion stamped below it (contract 3.1). */
import { columnNamed } from "../../surface/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { TableModel } from "../../model/mod.ts";
import { firewallWithDeleted } from "../layers/3-firewall/firewall.ts";
import type { SqlValue, Transaction } from "../ports.ts";
import { type Catalog, findColumn } from "./catalog.ts";
import { cellSql, equalsSql, firewallSql, inSql, visibleSql } from "./conditions.ts";
import { assignRows, referredColumns } from "./delete_rows.ts";
import { staleVector } from "./embeddings.ts";
import { BESIDE_KEYS, ROW } from "./projection.ts";
import { allOf, type Fragment } from "./sql.ts";
import { assigned, modificationOf } from "./stamps.ts";
import type { Firewall, Restoration } from "./types.ts";

/** The stamp that one deletion put on all of its rows. */
interface Deletion {
  readonly at: SqlValue;
  readonly by: SqlValue;
}

/** A row with the deletion's stamp. */
interface Stamped {
  readonly table: TableModel;
  readonly key: SqlValue;
  /** Values that other rows may refer to, by API name of the column. */
  readonly values: ReadonlyMap<string, SqlValue>;
  /** References to rows that are deleted now. */
  readonly deletedParents: readonly Reference[];
}

interface Reference {
  readonly table: string;
  readonly column: string;
  readonly value: SqlValue;
}

/** Stamped rows by table and key. */
type StampedByTable = Map<string, Map<SqlValue, Stamped>>;

/** Restores. Writes nothing if a row would refer to a deleted one: `parentDeleted`. */
export async function restoreRow(
  catalog: Catalog,
  transaction: Transaction,
  { firewall, id, rule, row, stamps, values = new Map() }: Restoration,
): Promise<"restored" | "gone" | "parentDeleted"> {
  const { table } = firewall;
  const deletion = { at: row.get("deletedAt") ?? null, by: row.get("deletedBy") ?? null };
  const key = equalsSql(cellSql(columnNamed(table.primaryKey, table), ROW), id);
  const where = allOf([key, visibleSql(rule, { firewall, alias: ROW, reading: "row" })]);
  const search: Search = { catalog, transaction, deletion };
  const [root] = await selectStamped(search, firewall, where);
  if (!root) return "gone";
  const found = await stampedBelow(search, firewall, root);
  keepWhole(found);
  if (!found.get(table.name)?.has(root.key)) return "parentDeleted";
  for (const rows of found.values()) {
    const [first] = rows.values();
    if (!first) continue;
    const behind = firewallWithDeleted(first.table, firewall);
    const assignments = [
      ...assigned(findColumn(first.table, "deletedAt"), null),
      ...assigned(findColumn(first.table, "deletedBy"), null),
      ...modificationOf(behind, stamps),
    ];
    const cell = cellSql(columnNamed(first.table.primaryKey, first.table), ROW);
    const where = allOf([inSql(cell, [...rows.keys()]), firewallSql(behind, BESIDE_KEYS)]);
    await assignRows({ catalog, transaction }, behind, { kind: "update", assignments, where });
  }
  if (values.size > 0) {
    const own = [...values].flatMap(([name, value]) => assigned(columnNamed(name, table), value));
    const assignments = [...own, ...staleVector(table, values)];
    await assignRows({ catalog, transaction }, firewall, {
      kind: "update",
      assignments,
      where: key,
    });
  }
  return "restored";
}

interface Search {
  readonly catalog: Catalog;
  readonly transaction: Transaction;
  readonly deletion: Deletion;
}

/** Finds the row and all that refers to it on every level, by any foreign key and within each child's own firewall. */
async function stampedBelow(
  search: Search,
  firewall: Firewall,
  root: Stamped,
): Promise<StampedByTable> {
  const found: StampedByTable = new Map();
  // Each round adds only new rows, so a circle of references ends.
  let level = new Map([[root.table.name, addNew(found, root.table, [root])]]);
  while (level.size > 0) {
    const next = new Map<string, Stamped[]>();
    for (const [parent, rows] of level) {
      for (const { table, column, parentColumn } of search.catalog.childrenOf.get(parent) ?? []) {
        const keys = rows.map(({ values }) => values.get(parentColumn) ?? null);
        if (!table.softDelete) continue;
        const behind = firewallWithDeleted(table, firewall);
        const where = allOf([
          inSql(cellSql(column, ROW), keys.filter((key) => key !== null)),
          firewallSql(behind, BESIDE_KEYS),
        ]);
        const fresh = addNew(found, table, await selectStamped(search, behind, where));
        if (fresh.length > 0) next.set(table.name, [...next.get(table.name) ?? [], ...fresh]);
      }
    }
    level = next;
  }
  return found;
}

/** Returns those of the rows that were not found before. */
function addNew(
  found: StampedByTable,
  { name }: TableModel,
  rows: readonly Stamped[],
): Stamped[] {
  const known = found.get(name) ?? new Map<SqlValue, Stamped>();
  found.set(name, known);
  const fresh = rows.filter(({ key }) => !known.has(key));
  for (const row of fresh) known.set(row.key, row);
  return fresh;
}

/** Returns the rows with the deletion's stamp, in the database's order. */
async function selectStamped(
  { catalog, transaction, deletion }: Search,
  firewall: Firewall,
  rows: Fragment,
): Promise<readonly Stamped[]> {
  const { table } = firewall;
  const referred = referredColumns(catalog, firewall);
  const parents = parentsOf(catalog, table);
  const where = allOf([rows, stampedSql(table, deletion)]);
  const members = [
    ...referred.map((name) => cellSql(columnNamed(name, table), ROW)),
    ...parents.map(({ deletedSql }) => deletedSql),
  ];
  const answer = await transaction.run({
    sql: `SELECT ${members.join(", ")} FROM ${sqlIdentifier(table.sqlName)} AS ${ROW} ` +
      `WHERE ${where.sql}`,
    args: where.args,
  });
  return answer.rows.map((row): Stamped => ({
    table,
    key: row[0] ?? null,
    values: new Map(referred.map((name, at) => [name, row[at] ?? null])),
    deletedParents: parents.flatMap(({ deletedSql: _sql, ...parent }, at) => {
      const value = row[referred.length + at] ?? null;
      return value === null ? [] : [{ ...parent, value }];
    }),
  }));
}

/** Foreign keys to tables with soft deletion. `deletedSql` is the key's value if its target is deleted, else NULL. */
function parentsOf({ tables }: Catalog, { columns }: TableModel) {
  return columns.flatMap((column) => {
    const { references } = column;
    const parent = references && tables.get(references.table);
    const deletedAt = parent && findColumn(parent, "deletedAt");
    if (!references || !parent?.softDelete || !deletedAt) return [];
    const key = cellSql(columnNamed(references.column, parent), "p");
    const deletedSql = `(SELECT ${key} FROM ${sqlIdentifier(parent.sqlName)} AS p ` +
      `WHERE ${key} = ${cellSql(column, ROW)} AND ${cellSql(deletedAt, "p")} IS NOT NULL)`;
    return [{ table: parent.name, column: references.column, deletedSql }];
  });
}

/** Rows of one deletion. */
function stampedSql(table: TableModel, { at, by }: Deletion): Fragment {
  const author = findColumn(table, "deletedBy");
  return allOf([
    equalsSql(cellSql(columnNamed("deletedAt", table), ROW), at),
    ...(author ? [equalsSql(cellSql(author, ROW), by)] : []),
  ]);
}

/**
 * Removes rows with a deleted parent outside of the set, repeatedly. The result is the largest set that can be restored
 * together.
 */
function keepWhole(found: StampedByTable): void {
  const rows = [...found.values()].flatMap((known) => [...known.values()]);
  const present = new Set(rows.flatMap(namesOf));
  const children = new Map<string, Stamped[]>();
  for (const row of rows) {
    for (const parent of row.deletedParents) {
      const name = nameOf(parent);
      const known = children.get(name);
      if (known) known.push(row);
      else children.set(name, [row]);
    }
  }
  const leaving = rows.filter(({ deletedParents }) =>
    deletedParents.some((parent) => !present.has(nameOf(parent)))
  );
  for (let row = leaving.pop(); row; row = leaving.pop()) {
    if (!found.get(row.table.name)?.delete(row.key)) continue;
    leaving.push(...namesOf(row).flatMap((name) => children.get(name) ?? []));
  }
}

/** Values by which other rows refer to the row. */
function namesOf({ table, values }: Stamped): readonly string[] {
  return [...values].flatMap(([column, value]) =>
    value === null ? [] : [nameOf({ table: table.name, column, value })]
  );
}

function nameOf({ table, column, value }: Reference): string {
  return JSON.stringify([table, column, String(value)]);
}
