/** Deletes rows: by a stamp on them and on all rows that refer to them, or for good (contract 3.1). */
import { columnNamed } from "../../surface/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { TableModel } from "../../model/mod.ts";
import { firewallDuring } from "../layers/3-firewall/firewall.ts";
import type { SqlValue, Transaction } from "../ports.ts";
import { type Catalog, type ChildRelation, findColumn } from "./catalog.ts";
import { loggingChanges, loggingRemoval } from "./changes/watched_rows.ts";
import { cellSql, firewallSql, inSql, liveSql } from "./conditions.ts";
import { requireChildless } from "./living_children.ts";
import { BESIDE_KEYS, ROW } from "./projection.ts";
import { allOf, type Fragment, fragment } from "./sql.ts";
import {
  assigned,
  type Assignment,
  deletionOf,
  incrementedRevision,
  modificationOf,
} from "./stamps.ts";
import type { Deletions, Firewall, Stamps } from "./types.ts";
import { theseRows, updateStatement } from "./write_row.ts";

/** Stamps those of the rows that are still there and meet the rule; returns their ids. Throws `LivingChildrenError`. */
export async function softDeleteRows(
  catalog: Catalog,
  transaction: Transaction,
  deletion: Deletions,
): Promise<ReadonlySet<SqlValue>> {
  const { firewall, stamps, cascaded } = deletion;
  const cascade: Cascade = { catalog, transaction, stamps, cascaded };
  const where = allOf([theseRows(deletion), liveSql(firewall, BESIDE_KEYS)]);
  await requireChildless(catalog, transaction, { firewall, rows: where });
  const stamped = await stampRows(cascade, firewall, where);
  await stampBelow(cascade, stamped);
  return new Set(stamped.values.get(firewall.table.primaryKey) ?? []);
}

/** Stamps all rows that refer to these, on every level. */
export async function stampBelow(cascade: Cascade, stamped: StampedRows): Promise<void> {
  // Only live rows are stamped, so a circle of references ends.
  let level = [stamped];
  while (level.length > 0) level = await stampChildren(cascade, level);
}

interface Cascade {
  readonly catalog: Catalog;
  readonly transaction: Transaction;
  readonly stamps: Stamps;
  readonly cascaded?: Deletions["cascaded"];
}

/** Rows of one table that were stamped together, with the values that others may refer to. */
export interface StampedRows {
  readonly firewall: Firewall;
  readonly count: number;
  readonly values: ReadonlyMap<string, readonly SqlValue[]>;
}

async function stampChildren(
  cascade: Cascade,
  level: readonly StampedRows[],
): Promise<StampedRows[]> {
  const next: StampedRows[] = [];
  for (const parent of level) {
    if (parent.count === 0) continue;
    for (const relation of childrenOf(cascade.catalog, parent.firewall)) {
      const child = await reachChild(cascade, parent, relation);
      if (!child) continue;
      next.push(child);
      addRows(cascade.cascaded, relation.table, child.count);
    }
  }
  return next;
}

function addRows(cascaded: Deletions["cascaded"], { name }: TableModel, count: number): void {
  if (count > 0) cascaded?.set(name, (cascaded.get(name) ?? 0) + count);
}

function childrenOf(catalog: Catalog, firewall: Firewall): readonly ChildRelation[] {
  return catalog.childrenOf.get(firewall.table.name) ?? [];
}

/**
 * Prepares the stamping of a child. The child's own firewall applies, so rows that the caller may not touch stay. Null: there
 * is nothing to stamp.
 */
async function reachChild(
  cascade: Cascade,
  parent: StampedRows,
  relation: ChildRelation,
): Promise<StampedRows | null> {
  const firewall = firewallDuring(relation.table, parent.firewall, cascade.stamps.now);
  const where = allOf([
    inSql(cellSql(relation.column, ROW), parent.values.get(relation.parentColumn) ?? []),
    firewallSql(firewall, BESIDE_KEYS),
    liveSql(firewall, BESIDE_KEYS),
  ]);
  if (relation.onDelete === "set null" && relation.column.nullable) {
    const assignments = [
      ...assigned(relation.column, null),
      ...modificationOf(firewall, cascade.stamps),
    ];
    const { transaction } = cascade;
    await loggingChanges(
      transaction,
      { kind: "update", table: relation.table, where },
      () => transaction.run(updateStatement(firewall, assignments, where)),
    );
    return null;
  }
  return relation.table.softDelete ? await stampRows(cascade, firewall, where) : null;
}

/** Returns the columns by which other rows refer to a table's rows, the primary key first. */
export function referredColumns(catalog: Catalog, firewall: Firewall): readonly string[] {
  const children = childrenOf(catalog, firewall);
  return [...new Set([firewall.table.primaryKey, ...children.map((child) => child.parentColumn)])];
}

function stampRows(
  { stamps, ...cascade }: Cascade,
  firewall: Firewall,
  where: Fragment,
): Promise<StampedRows> {
  const assignments = deletionOf(firewall, stamps);
  return assignRows(cascade, firewall, { kind: "delete", assignments, where });
}

/** Updates all rows, and returns the values by which others refer to them. */
export async function assignRows(
  { catalog, transaction }: Pick<Cascade, "catalog" | "transaction">,
  firewall: Firewall,
  { kind, assignments, where }: {
    readonly kind: "update" | "delete";
    readonly assignments: readonly Assignment[];
    readonly where: Fragment;
  },
): Promise<StampedRows> {
  const { table } = firewall;
  const referred = referredColumns(catalog, firewall);
  const update = updateStatement(firewall, assignments, where);
  const returned = referred.map((name) => sqlIdentifier(columnNamed(name, table).sqlName)).join(
    ", ",
  );
  const { rows } = await loggingChanges(
    transaction,
    { kind, table, where },
    () => transaction.run({ sql: `${update.sql} RETURNING ${returned}`, args: update.args }),
  );
  const values = new Map(referred.map((name, at) => [name, rows.map((row) => row[at] ?? null)]));
  return { firewall, count: rows.length, values };
}

/**
 * Removes the rows for good, and what is soft-deleted below them; the database applies the cascades that its schema declares. What it clears is a write of
 * the row that held it, so revisions are counted up before. Throws `LivingChildrenError`.
 */
export async function hardDeleteRows(
  catalog: Catalog,
  transaction: Transaction,
  deletion: Omit<Deletions, "stamps">,
): Promise<ReadonlySet<SqlValue>> {
  const { table } = deletion.firewall;
  const where = theseRows(deletion);
  await requireChildless(catalog, transaction, { firewall: deletion.firewall, rows: where });
  const remove = async () => {
    const before = [
      ...removalsBelow(catalog, table, where),
      ...clearedRevisions(catalog, table, where),
    ];
    if (deletion.cascaded) await countBelow(catalog, transaction, { table, where, ...deletion });
    for (const statement of before) await transaction.run(statement);
    const { rows } = await transaction.run({
      sql: `DELETE FROM ${sqlIdentifier(table.sqlName)} AS ${ROW} WHERE ${where.sql} ` +
        `RETURNING ${sqlIdentifier(columnNamed(table.primaryKey, table).sqlName)}`,
      args: where.args,
    });
    return new Set(rows.map(([id = null]) => id));
  };
  return await loggingRemoval(catalog, transaction, { table, where, remove });
}

/** Counts the rows that the database removes with these, each once, by their table. */
async function countBelow(
  catalog: Catalog,
  transaction: Transaction,
  { table, where, cascaded }: Pick<Deletions, "cascaded"> & {
    readonly table: TableModel;
    readonly where: Fragment;
  },
): Promise<void> {
  const reached = Map.groupBy(
    removedBelow(catalog, { table, removed: where, path: [table.name] }),
    ({ table: { name } }) => name,
  );
  for (const rows of reached.values()) {
    const [first] = rows;
    if (!first) continue;
    const { table: child } = first;
    const all = rows.map(({ removed }) => removed);
    const { rows: [row] } = await transaction.run({
      sql: `SELECT count(*) FROM ${sqlIdentifier(child.sqlName)} AS ${ROW} ` +
        `WHERE ${all.map(({ sql }) => `(${sql})`).join(" OR ")}`,
      args: all.flatMap(({ args }) => args),
    });
    addRows(cascaded, child, Number(row?.[0] ?? 0));
  }
}

/** Rows that foreign keys with `cascade` lead to, at every level. */
function removedBelow(
  catalog: Catalog,
  { table, removed, path }: Removal,
): readonly Pick<Removal, "table" | "removed">[] {
  const children = catalog.childrenOf.get(table.name) ?? [];
  return children.flatMap(({ table: child, column, parentColumn, onDelete }) => {
    if (onDelete !== "cascade" || path.includes(child.name)) return [];
    const parents = `SELECT ${cellSql(columnNamed(parentColumn, table), ROW)} FROM ${
      sqlIdentifier(table.sqlName)
    } AS ${ROW} WHERE ${removed.sql}`;
    const below = {
      table: child,
      removed: fragment(`${cellSql(column, ROW)} IN (${parents})`, ...removed.args),
      path: [...path, child.name],
    };
    return [below, ...removedBelow(catalog, below)];
  });
}

/**
 * Returns updates that increment the revisions of rows whose foreign key the database is about to clear (definitions 7
 * "revision"): one for each foreign key with `set null`, of the deleted rows and of those deleted along.
 */
function clearedRevisions(
  catalog: Catalog,
  table: TableModel,
  removed: Fragment,
): readonly Fragment[] {
  return statementsBelow(catalog, { table, removed, path: [table.name] });
}

interface Removal {
  readonly table: TableModel;
  /** Condition on `ROW` that selects the rows to delete. */
  readonly removed: Fragment;
  /** Tables on the path, so that a circle of cascades is followed once. */
  readonly path: readonly string[];
}

function statementsBelow(
  catalog: Catalog,
  { table, removed, path }: Removal,
): readonly Fragment[] {
  const children = catalog.childrenOf.get(table.name) ?? [];
  return children.flatMap(({ table: child, column, parentColumn, onDelete }) => {
    const parents = fragment(
      `SELECT ${cellSql(columnNamed(parentColumn, table), ROW)} FROM ${
        sqlIdentifier(table.sqlName)
      } AS ${ROW} WHERE ${removed.sql}`,
      ...removed.args,
    );
    const referring = fragment(`${cellSql(column, ROW)} IN (${parents.sql})`, ...parents.args);
    if (onDelete === "set null") {
      const [revision] = incrementedRevision(child);
      if (!revision) return [];
      return [
        fragment(
          `UPDATE ${
            sqlIdentifier(child.sqlName)
          } AS ${ROW} SET ${revision.sql} WHERE ${referring.sql}`,
          ...referring.args,
        ),
      ];
    }
    if (onDelete !== "cascade" || path.includes(child.name)) return [];
    return statementsBelow(catalog, {
      table: child,
      removed: referring,
      path: [...path, child.name],
    });
  });
}

/**
 * Returns statements that delete soft-deleted rows referring to the removed ones, lowest rows first. Nobody could delete them
 * later, so they would keep their parent for ever (contract 3.1). Live rows stay, and the database judges them.
 */
export function removalsBelow(
  catalog: Catalog,
  table: TableModel,
  removed: Fragment,
): readonly Fragment[] {
  return removalsOf(catalog, { table, removed, path: [table.name] });
}

/** Number of times that a circle of tables is followed. */
const ROUNDS_MAX = 2;

function removalsOf(catalog: Catalog, { table, removed, path }: Removal): readonly Fragment[] {
  const children = catalog.childrenOf.get(table.name) ?? [];
  return children.flatMap(({ table: child, column, parentColumn, onDelete }) => {
    if (onDelete === "set null") return [];
    if (path.filter((name) => name === child.name).length >= ROUNDS_MAX) return [];
    const parents = `SELECT ${cellSql(columnNamed(parentColumn, table), ROW)} FROM ${
      sqlIdentifier(table.sqlName)
    } AS ${ROW} WHERE ${removed.sql}`;
    const referring = fragment(`${cellSql(column, ROW)} IN (${parents})`, ...removed.args);
    const below = { table: child, path: [...path, child.name] };
    // The database deletes these itself, unless rows below them prevent it.
    if (onDelete === "cascade") return removalsOf(catalog, { ...below, removed: referring });
    const deletedAt = findColumn(child, "deletedAt");
    if (!child.softDelete || !deletedAt) return [];
    const gone = allOf([referring, fragment(`${cellSql(deletedAt, ROW)} IS NOT NULL`)]);
    return [
      ...removalsOf(catalog, { ...below, removed: gone }),
      ...clearedRevisions(catalog, child, gone),
      fragment(
        `DELETE FROM ${sqlIdentifier(child.sqlName)} AS ${ROW} WHERE ${gone.sql}`,
        ...gone.args,
      ),
    ];
  });
}
