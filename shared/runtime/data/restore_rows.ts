/** Takes a soft deletion back: of a row, and of what the same deletion stamped below it (contract 3.1). */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { TableModel } from "../../model/mod.ts";
import { firewallWithDeleted } from "../layers/3-firewall/firewall.ts";
import type { SqlValue, Transaction } from "../ports.ts";
import { type Catalog, type ChildRelation, columnOf, findColumn } from "./catalog.ts";
import { cellSql, equalsSql, firewallSql, inSql, visibleSql } from "./conditions.ts";
import { assignRows, type StampedRows } from "./delete_rows.ts";
import { BESIDE_KEYS, ROW } from "./projection.ts";
import { allOf, type Fragment, fragment } from "./sql.ts";
import { assigned, modificationOf } from "./stamps.ts";
import type { Firewall, Restoration, Stamps } from "./types.ts";

/** The stamp that one deletion has put on all of its rows. */
interface Deletion {
  readonly at: SqlValue;
  readonly by: SqlValue;
}

/** Everything of one restoration but its rows. */
interface Restoring {
  readonly catalog: Catalog;
  readonly transaction: Transaction;
  readonly stamps: Stamps;
  readonly deletion: Deletion;
}

/** Returns `parentDeleted` for a row that would refer to a deleted one: the transaction must then be rolled back. */
export async function restoreRow(
  catalog: Catalog,
  transaction: Transaction,
  { firewall, id, rule, row, stamps }: Restoration,
): Promise<"restored" | "gone" | "parentDeleted"> {
  const { table } = firewall;
  const deletion = { at: row.get("deletedAt") ?? null, by: row.get("deletedBy") ?? null };
  const restoring: Restoring = { catalog, transaction, stamps, deletion };
  const key = equalsSql(cellSql(columnOf(table, table.primaryKey), ROW), id);
  const where = allOf([
    key,
    visibleSql(rule, { firewall, alias: ROW }),
    stampedSql(table, deletion),
  ]);
  const restored = await restoreWhere(restoring, firewall, where);
  if (restored.count === 0) return "gone";
  // Every round finds deleted rows only, so rows that refer to each other in a circle end it.
  let level = [restored];
  while (level.length > 0) level = await restoreChildren(restoring, level);
  // Asked last: a parent may be among what came back.
  const orphaned = await transaction.run({
    sql: `SELECT 1 FROM ${sqlIdentifier(table.sqlName)} AS ${ROW} WHERE ${key.sql} AND NOT ` +
      `(${liveParentsSql(catalog, table).sql})`,
    args: key.args,
  });
  return orphaned.rows.length > 0 ? "parentDeleted" : "restored";
}

async function restoreChildren(
  restoring: Restoring,
  level: readonly StampedRows[],
): Promise<StampedRows[]> {
  const next: StampedRows[] = [];
  for (const parent of level) {
    for (const relation of restoring.catalog.childrenOf.get(parent.firewall.table.name) ?? []) {
      // A key that a deletion clears leaves nothing to come back by.
      const isCleared = relation.onDelete === "set null" && relation.column.nullable;
      if (!relation.table.softDelete || isCleared) continue;
      const child = await restoreChild(restoring, parent, relation);
      if (child.count > 0) next.push(child);
    }
  }
  return next;
}

/** A child's own firewall holds too, and one with another parent still deleted stays with that. */
function restoreChild(
  restoring: Restoring,
  parent: StampedRows,
  { table, column, parentColumn }: ChildRelation,
): Promise<StampedRows> {
  const firewall = firewallWithDeleted(table, parent.firewall);
  const where = allOf([
    inSql(cellSql(column, ROW), parent.values.get(parentColumn) ?? []),
    firewallSql(firewall, BESIDE_KEYS),
    stampedSql(table, restoring.deletion),
    liveParentsSql(restoring.catalog, table),
  ]);
  return restoreWhere(restoring, firewall, where);
}

function restoreWhere(
  { stamps, ...restoring }: Restoring,
  firewall: Firewall,
  where: Fragment,
): Promise<StampedRows> {
  const { table } = firewall;
  const assignments = [
    ...assigned(findColumn(table, "deletedAt"), null),
    ...assigned(findColumn(table, "deletedBy"), null),
    ...modificationOf(firewall, stamps),
  ];
  return assignRows(restoring, firewall, { kind: "update", assignments, where });
}

/** Rows of one deletion. */
function stampedSql(table: TableModel, { at, by }: Deletion): Fragment {
  const author = findColumn(table, "deletedBy");
  return allOf([
    equalsSql(cellSql(columnOf(table, "deletedAt"), ROW), at),
    ...(author ? [equalsSql(cellSql(author, ROW), by)] : []),
  ]);
}

/** Rows none of whose parents is soft-deleted. */
function liveParentsSql({ tables }: Catalog, { columns }: TableModel): Fragment {
  return allOf(columns.flatMap((column) => {
    const parent = column.references && tables.get(column.references.table);
    const deletedAt = parent && findColumn(parent, "deletedAt");
    if (!column.references || !parent?.softDelete || !deletedAt) return [];
    const key = cellSql(columnOf(parent, column.references.column), "p");
    return [
      fragment(
        `NOT EXISTS (SELECT 1 FROM ${sqlIdentifier(parent.sqlName)} AS p WHERE ` +
          `${key} = ${cellSql(column, ROW)} AND ${cellSql(deletedAt, "p")} IS NOT NULL)`,
      ),
    ];
  }));
}
