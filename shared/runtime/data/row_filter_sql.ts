/** The conditions of a caller as SQL (contract 4.3). A related table is read behind its firewall and read rule. */
import { columnNamed } from "../../surface/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { cellSql, ruleSql, visibleSql } from "./conditions.ts";
import { allOf, anyOf, type Fragment, fragment } from "./sql.ts";
import type { Firewall, Related, RowFilter } from "./types.ts";

/** A table in the statement, with the number of tables around it. */
interface Scope {
  readonly firewall: Firewall;
  readonly alias: string;
  readonly depth?: number;
}

/** Returns SQL for the rows of `alias` that meet the filter. */
export function rowFilterSql(filter: RowFilter, scope: Scope): Fragment {
  switch (filter.kind) {
    case "conditions":
      return ruleSql(filter, scope);
    case "all":
      return allOf(filter.of.map((one) => rowFilterSql(one, scope)));
    case "any":
      return anyOf(filter.of.map((one) => rowFilterSql(one, scope)));
    case "not": {
      // A comparison with NULL is neither true nor false, so it counts as not true.
      const { sql, args } = rowFilterSql(filter.of, scope);
      return fragment(`NOT coalesce(${sql}, 0)`, ...args);
    }
    case "related":
      return relatedSql(filter, scope);
  }
}

/**
 * Returns SQL of a list of keys that does not depend on the outer row, so that its cost grows with the related table and not
 * with the product of both (docs/decisions/reads.md).
 */
function relatedSql(
  { relation: { direction, column }, quantifier, firewall, rule, of }: Related,
  { firewall: { table: own }, alias, depth = 0 }: Scope,
): Fragment {
  const { table } = firewall;
  const inner = { firewall, alias: `w${depth}`, depth: depth + 1 };
  const [holder, target] = direction === "parent" ? [own, table] : [table, own];
  const key = columnNamed(column.name, holder);
  const referred = columnNamed(column.references?.column ?? target.primaryKey, target);
  const [asked, listed] = direction === "parent"
    ? [cellSql(key, alias), cellSql(referred, inner.alias)]
    : [cellSql(referred, alias), cellSql(key, inner.alias)];
  const each = of.map((one) => rowFilterSql(one, inner));
  // A NULL in the list would make NOT IN hide every row.
  const rows = allOf([
    visibleSql(rule, inner),
    fragment(`${listed} IS NOT NULL`),
    anyOf(each),
  ]);
  const grouped = each.length === 1 ? { sql: "", args: [] } : {
    sql: ` GROUP BY ${listed} HAVING ${each.map(({ sql }) => `max(${sql})`).join(" AND ")}`,
    args: each.flatMap(({ args }) => args),
  };
  const from = `${sqlIdentifier(table.sqlName)} AS ${inner.alias}`;
  const list = fragment(
    `(SELECT ${listed} FROM ${from} WHERE ${rows.sql}${grouped.sql})`,
    ...rows.args,
    ...grouped.args,
  );
  return quantifier === "some"
    ? fragment(`${asked} IN ${list.sql}`, ...list.args)
    : fragment(`(${asked} IS NULL OR ${asked} NOT IN ${list.sql})`, ...list.args);
}
