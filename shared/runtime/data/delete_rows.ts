/** Deletes rows: by a stamp that reaches every row that refers to them, or for good (contract 3.1). */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import type { SqlValue, Transaction } from "../ports.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { type Catalog, type ChildRelation, columnOf } from "./catalog.ts";
import { firewallSql, inSql } from "./condition_sql.ts";
import { cellSql } from "./condition_sql.ts";
import { liveSql } from "./deleted.ts";
import { ROW } from "./projection.ts";
import { allOf, type Fragment } from "./sql.ts";
import { assigned, deletionOf, modificationOf } from "./stamps.ts";
import type { Deletion, Firewall, Stamps } from "./types.ts";
import { thisRow, updateStatement } from "./update_row.ts";

/** False when the row is gone, hidden, or no longer meets the rule. */
export async function softDeleteRow(
  catalog: Catalog,
  transaction: Transaction,
  deletion: Deletion,
): Promise<boolean> {
  const { firewall, stamps } = deletion;
  const cascade: Cascade = { catalog, transaction, stamps };
  const where = allOf([thisRow(deletion), liveSql(firewall, ROW)]);
  const stamped = await stampRows(cascade, firewall, where);
  // Every round stamps live rows only, so rows that refer to each other in a circle end it.
  let level = [stamped];
  while (level.length > 0) level = await stampChildren(cascade, level);
  return stamped.count > 0;
}

interface Cascade {
  readonly catalog: Catalog;
  readonly transaction: Transaction;
  readonly stamps: Stamps;
}

/** Rows of one table that were stamped together, by the values that others may refer to. */
interface Stamped {
  readonly firewall: Firewall;
  readonly count: number;
  readonly values: ReadonlyMap<string, readonly SqlValue[]>;
}

async function stampChildren(cascade: Cascade, level: readonly Stamped[]): Promise<Stamped[]> {
  const next: Stamped[] = [];
  for (const parent of level) {
    if (parent.count === 0) continue;
    for (const relation of childrenOf(cascade.catalog, parent.firewall)) {
      const child = await reachChild(cascade, parent, relation);
      if (child && child.count > 0) next.push(child);
    }
  }
  return next;
}

function childrenOf(catalog: Catalog, firewall: Firewall): readonly ChildRelation[] {
  return catalog.childrenOf.get(firewall.table.name) ?? [];
}

/** A child's own firewall holds too: what the caller may not touch stays as it is. Null: nothing below it to reach. */
async function reachChild(
  cascade: Cascade,
  parent: Stamped,
  relation: ChildRelation,
): Promise<Stamped | null> {
  const { principal, organizationId } = parent.firewall;
  const firewall = firewallFor(relation.table, { principal, organizationId });
  const where = allOf([
    inSql(cellSql(relation.column, ROW), parent.values.get(relation.parentColumn) ?? []),
    firewallSql(firewall, ROW),
    liveSql(firewall, ROW),
  ]);
  if (relation.onDelete === "set null" && relation.column.nullable) {
    const assignments = [
      ...assigned(relation.column, null),
      ...modificationOf(firewall, cascade.stamps),
    ];
    await cascade.transaction.run(updateStatement(firewall, assignments, where));
    return null;
  }
  return relation.table.softDelete ? await stampRows(cascade, firewall, where) : null;
}

/** Stamps the rows and returns what others may refer to them by. */
async function stampRows(
  { catalog, transaction, stamps }: Cascade,
  firewall: Firewall,
  where: Fragment,
): Promise<Stamped> {
  const { table } = firewall;
  const referred = [
    ...new Set([
      table.primaryKey,
      ...childrenOf(catalog, firewall).map((child) => child.parentColumn),
    ]),
  ];
  const update = updateStatement(firewall, deletionOf(firewall, stamps), where);
  const returned = referred.map((name) => sqlIdentifier(columnOf(table, name).sqlName)).join(", ");
  const { rows } = await transaction.run({
    sql: `${update.sql} RETURNING ${returned}`,
    args: update.args,
  });
  const values = new Map(referred.map((name, at) => [name, rows.map((row) => row[at] ?? null)]));
  return { firewall, count: rows.length, values };
}

/** Removes the row for good; the database applies the cascades that its schema declares. */
export async function hardDeleteRow(
  transaction: Transaction,
  deletion: Omit<Deletion, "stamps">,
): Promise<boolean> {
  const where = thisRow(deletion);
  const { changes } = await transaction.run({
    sql: `DELETE FROM ${
      sqlIdentifier(deletion.firewall.table.sqlName)
    } AS ${ROW} WHERE ${where.sql}`,
    args: where.args,
  });
  return changes > 0;
}
