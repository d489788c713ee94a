/** Soft deletion as a condition (contract 2.2, 3.1). */
import { findColumn } from "./catalog.ts";
import { cellSql, comparisonSql } from "./condition_sql.ts";
import { comparisonOf } from "./conditions.ts";
import { allOf, EVERY_ROW, type Fragment, fragment } from "./sql.ts";
import type { Firewall } from "./types.ts";

/** The soft-deleted rows that would be behind the firewall otherwise; null where nothing is soft-deleted. */
export function comparisonsWithoutNotDeleted(firewall: Firewall, alias: string): Fragment | null {
  const { table, predicates } = firewall;
  const deletedAt = findColumn(table, "deletedAt");
  if (!table.softDelete || !deletedAt) return null;
  return allOf([
    fragment(`${cellSql(deletedAt, alias)} IS NOT NULL`),
    ...predicates
      .filter((predicate) => predicate.kind !== "notDeleted")
      .map((predicate) => comparisonSql(comparisonOf(predicate, firewall), alias)),
  ]);
}

/** The rows that are not soft-deleted, whatever the firewall says about them. */
export function liveSql(firewall: Firewall, alias: string): Fragment {
  const deletedAt = findColumn(firewall.table, "deletedAt");
  return firewall.table.softDelete && deletedAt
    ? fragment(`${cellSql(deletedAt, alias)} IS NULL`)
    : EVERY_ROW;
}
