/** Logs rows of watched tables before and after a write (contract 6.3; definitions 4, `audit`). */
import { columnNamed } from "../../../surface/mod.ts";
import { allInOrder } from "../../../lib/all_in_order.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import type { BeyondScope, TableModel } from "../../../model/mod.ts";
import type { SqlValue, Transaction } from "../../ports.ts";
import { type Catalog, findColumn } from "../catalog.ts";
import { cellSql, inSql } from "../conditions.ts";
import { ROW } from "../projection.ts";
import { allOf, type Fragment, fragment } from "../sql.ts";
import type { StoredRow } from "../types.ts";
import {
  type ChangeKind,
  type ChangeLog,
  changeLogOf,
  type CountedRows,
  type RowChange,
} from "./change_log.ts";

type Rows = ReadonlyMap<SqlValue, StoredRow>;

/** The rows of one table that a write is about to change. */
interface Written {
  readonly kind: Exclude<ChangeKind, "insert">;
  readonly table: TableModel;
  /** Condition on `ROW` that selects the rows to change. */
  readonly where: Fragment;
  /** All possible ids, if they are known before. They are then read in the same round trip. */
  readonly ids?: readonly SqlValue[];
}

/** Runs an update or deletion, and logs the changed rows. */
export async function loggingChanges<T>(
  transaction: Transaction,
  { kind, table, where, ids }: Written,
  write: () => Promise<T>,
): Promise<T> {
  const log = changeLogOf(transaction);
  if (log === null || !log.watched.has(table.name)) return await write();
  const seeing = { transaction, log };
  if (!transaction.line || !ids) {
    const before = await rowsWhere(seeing, table, where);
    const value = await write();
    await noteRows(seeing, { kind, table, before });
    return value;
  }
  const started = [rowsWhere(seeing, table, where), write(), rowsById(seeing, table, ids)] as const;
  const [before, value, after] = await allInOrder(started);
  await noteRows(seeing, { kind, table, before }, after);
  return value;
}

/** Runs an insert of rows with known ids, and logs them. */
export async function loggingInserts(
  transaction: Transaction,
  { table, ids }: { readonly table: TableModel; readonly ids: readonly SqlValue[] },
  insert: () => Promise<unknown>,
): Promise<void> {
  const log = changeLogOf(transaction);
  if (log === null || !log.watched.has(table.name)) return void await insert();
  const inserting = insert();
  // Over a line the rows are read together with the insert. A refused insert is not followed by a read.
  if (!transaction.line) await inserting;
  const [, rows] = await allInOrder([inserting, rowsById({ transaction, log }, table, ids)]);
  addInserted(log, table, rows);
}

/** Logs rows that were inserted. */
export async function noteInserted(
  transaction: Transaction,
  table: TableModel,
  ids: readonly SqlValue[],
): Promise<void> {
  const log = changeLogOf(transaction);
  if (log === null || !log.watched.has(table.name)) return;
  addInserted(log, table, await rowsById({ transaction, log }, table, ids));
}

function addInserted(log: ChangeLog, { name }: TableModel, rows: Rows): void {
  for (const [id, after] of rows) {
    log.add({ kind: "insert", table: name, id, before: null, after });
  }
}

/** Runs an insert that may update rows instead, and logs the updated ones. */
export async function loggingUpsert<T>(
  transaction: Transaction,
  { table, ids, write }: {
    readonly table: TableModel;
    readonly ids: readonly SqlValue[];
    readonly write: () => Promise<T>;
  },
): Promise<T> {
  const log = changeLogOf(transaction);
  if (log === null || !log.watched.has(table.name)) return await write();
  const before = await rowsById({ transaction, log }, table, ids);
  const value = await write();
  await noteRows({ transaction, log }, { kind: "update", table, before });
  await noteInserted(transaction, table, ids.filter((id) => !before.has(id)));
  return value;
}

/**
 * Runs a hard delete, and also logs the rows that the database's cascades delete or clear. `where` selects the rows to delete.
 */
export async function loggingRemoval<T>(
  catalog: Catalog,
  transaction: Transaction,
  { table, where, remove }: {
    readonly table: TableModel;
    readonly where: Fragment;
    readonly remove: () => Promise<T>;
  },
): Promise<T> {
  const log = changeLogOf(transaction);
  if (log === null) return await remove();
  const seeing = { transaction, log };
  const met = await metBy({ catalog, ...seeing }, { table, where });
  const value = await remove();
  for (const { table, before, kind } of met) await noteRows(seeing, { kind, table, before });
  return value;
}

/**
 * Logs the rows whose totals were changed by other changes. Each makes a frame, as if it had been written (contract 6.3). Call
 * it last in the transaction.
 */
export async function noteTotals(
  transaction: Transaction,
  log: ChangeLog,
  counted: readonly CountedRows[],
): Promise<void> {
  const seeing = { transaction, log };
  const noted = new Set<string>();
  // A logged row may itself be counted in a total.
  for (let changes = log.aftermath.rows; changes.length > 0;) {
    const next: RowChange[] = [];
    for (const { table, key, parent, tenant } of counted) {
      const images = changes.filter((change) => change.table === table.name)
        .flatMap(({ before, after }) => [before, after].filter((row) => row !== null));
      const ids = new Set(
        images.map((row) => row.get(key) ?? null)
          .filter((id) => id !== null && !noted.has(`${parent.name} ${id}`)),
      );
      for (const id of ids) noted.add(`${parent.name} ${id}`);
      if (ids.size === 0 || !log.watched.has(parent.name)) continue;
      const tenants = tenant && {
        column: tenant.parent,
        values: [...new Set(images.map((row) => row.get(tenant.own) ?? null))],
      };
      for (const [id, row] of await countingRows(seeing, parent, [...ids], tenants)) {
        const change = { kind: "update", table: parent.name, id, before: row, after: row } as const;
        log.add(change);
        next.push(change);
      }
    }
    changes = next;
  }
}

/** Returns rows that have totals of changed rows, in the tenants of these. `tenants` of null: the two tables share none. */
function countingRows(
  seeing: Seeing,
  table: TableModel,
  ids: readonly SqlValue[],
  tenants: { readonly column: string; readonly values: readonly SqlValue[] } | null,
): Promise<Rows> {
  const cell = (name: string) => cellSql(columnNamed(name, table), ROW);
  const where = allOf([
    inSql(cell(table.primaryKey), ids),
    ...(tenants ? [inSql(cell(tenants.column), tenants.values)] : []),
  ]);
  return rowsWhere(seeing, table, where, "framedRows");
}

interface Seeing {
  readonly transaction: Transaction;
  readonly log: ChangeLog;
}

interface Met {
  readonly kind: Written["kind"];
  readonly table: TableModel;
  readonly before: Rows;
}

/** Logs rows. `known` are present rows that were read already. */
async function noteRows(
  seeing: Seeing,
  { kind, table, before }: Met,
  known: Rows | null = null,
): Promise<void> {
  if (before.size === 0) return;
  const after = known ?? await rowsById(seeing, table, [...before.keys()]);
  for (const [id, row] of before) {
    seeing.log.add({ kind, table: table.name, id, before: row, after: after.get(id) ?? null });
  }
}

function rowsById(seeing: Seeing, table: TableModel, ids: readonly SqlValue[]): Promise<Rows> {
  return rowsWhere(seeing, table, inSql(cellSql(columnNamed(table.primaryKey, table), ROW), ids));
}

async function rowsWhere(
  { transaction, log }: Seeing,
  table: TableModel,
  where: Fragment,
  beyondScope?: BeyondScope,
): Promise<Rows> {
  const names = log.watched.get(table.name) ?? [];
  const cells = [table.primaryKey, ...names].map((name) => cellSql(columnNamed(name, table), ROW));
  const { rows } = await transaction.run({
    sql: `SELECT ${cells.join(", ")} FROM ${
      sqlIdentifier(table.sqlName)
    } AS ${ROW} WHERE ${where.sql}`,
    args: where.args,
    ...(beyondScope && { beyondScope }),
  });
  return new Map(rows.map(([id = null, ...values]) => {
    const row: StoredRow = new Map(names.map((name, at) => [name, values[at] ?? null]));
    return [id, row];
  }));
}

interface Removal {
  readonly table: TableModel;
  readonly where: Fragment;
}

/** Returns rows that a deletion reaches, level by level. Rows in a circle of references are visited once. */
async function metBy(
  reading: Seeing & { readonly catalog: Catalog },
  removal: Removal,
): Promise<readonly Met[]> {
  const met: Met[] = [];
  const gone = new Map<string, Set<SqlValue>>();
  let level = reachesWatched(reading, removal.table.name) ? [removal] : [];
  while (level.length > 0) {
    const next: Removal[] = [];
    for (const { table, where } of level) {
      if (reading.log.watched.has(table.name)) {
        met.push({ kind: "delete", table, before: await rowsWhere(reading, table, where) });
      }
      next.push(...await childrenGone(reading, { table, where, gone, met }));
    }
    level = next;
  }
  return met;
}

/** Returns rows that are deleted together with these. `met` receives rows whose key is cleared. */
async function childrenGone(
  reading: Seeing & { readonly catalog: Catalog },
  { table, where, gone, met }: Removal & {
    readonly gone: Map<string, Set<SqlValue>>;
    readonly met: Met[];
  },
): Promise<readonly Removal[]> {
  const next: Removal[] = [];
  for (const relation of reading.catalog.childrenOf.get(table.name) ?? []) {
    const { table: child, column, parentColumn, onDelete } = relation;
    if (!reachesWatched(reading, child.name)) continue;
    const isFollowed = onDelete === "cascade" || onDelete === "set null";
    const deletedAt = isFollowed ? null : findColumn(child, "deletedAt");
    if (!isFollowed && deletedAt === null) continue;
    const parents = await valuesWhere(reading, { table, where, column: parentColumn });
    // Rows whose key restricts the deletion are deleted too if they are soft-deleted.
    const referring = allOf([
      inSql(cellSql(column, ROW), parents),
      ...(deletedAt ? [fragment(`${cellSql(deletedAt, ROW)} IS NOT NULL`)] : []),
    ]);
    if (onDelete === "set null") {
      if (!reading.log.watched.has(child.name)) continue;
      met.push({
        kind: "update",
        table: child,
        before: await rowsWhere(reading, child, referring),
      });
      continue;
    }
    const known = gone.get(child.name) ?? new Set<SqlValue>();
    const keys = await valuesWhere(reading, {
      table: child,
      where: referring,
      column: child.primaryKey,
    });
    const fresh = keys.filter((key) => !known.has(key));
    if (fresh.length === 0) continue;
    gone.set(child.name, new Set([...known, ...fresh]));
    next.push({
      table: child,
      where: inSql(cellSql(columnNamed(child.primaryKey, child), ROW), fresh),
    });
  }
  return next;
}

async function valuesWhere(
  { transaction }: Seeing,
  { table, where, column }: Removal & { readonly column: string },
): Promise<readonly SqlValue[]> {
  const { rows } = await transaction.run({
    sql: `SELECT ${cellSql(columnNamed(column, table), ROW)} FROM ${
      sqlIdentifier(table.sqlName)
    } AS ${ROW} WHERE ${where.sql}`,
    args: where.args,
  });
  return rows.map(([value = null]) => value);
}

/** True when a table, or one that its deletions may touch, is watched. */
function reachesWatched(
  { catalog, log }: Seeing & { readonly catalog: Catalog },
  name: string,
): boolean {
  const seen = new Set<string>();
  const pending = [name];
  for (let table = pending.pop(); table !== undefined; table = pending.pop()) {
    if (log.watched.has(table)) return true;
    if (seen.has(table)) continue;
    seen.add(table);
    pending.push(...(catalog.childrenOf.get(table) ?? []).map((relation) => relation.table.name));
  }
  return false;
}
