/** The conditions of a caller as SQL (contract 4.3): a related table is looked into behind its firewall and read rule. */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { columnOf } from "./catalog.ts";
import { cellSql, ruleSql, visibleSql } from "./conditions.ts";
import { allOf, anyOf, type Fragment, fragment } from "./sql.ts";
import type { Firewall, RowFilter } from "./types.ts";

/** A table in the statement, and how many others it stands within. */
interface Scope {
  readonly firewall: Firewall;
  readonly alias: string;
  readonly depth?: number;
}

/** The rows of `alias` that the filter lets through. */
export function rowFilterSql(filter: RowFilter, scope: Scope): Fragment {
  switch (filter.kind) {
    case "conditions":
      return ruleSql(filter, scope);
    case "all":
      return allOf(filter.of.map((one) => rowFilterSql(one, scope)));
    case "any":
      return anyOf(filter.of.map((one) => rowFilterSql(one, scope)));
    case "not": {
      // A condition that is neither true nor false of a row, as every comparison with NULL, is not true of it.
      const { sql, args } = rowFilterSql(filter.of, scope);
      return fragment(`NOT coalesce(${sql}, 0)`, ...args);
    }
    case "related":
      return relatedSql(filter, scope);
  }
}

function relatedSql(
  { relation, quantifier, firewall, rule, of }: Extract<RowFilter, { kind: "related" }>,
  { firewall: { table: own }, alias, depth = 0 }: Scope,
): Fragment {
  const { table } = firewall;
  const { direction, column } = relation;
  const inner = { firewall, alias: `w${depth}`, depth: depth + 1 };
  const [holder, target] = direction === "parent" ? [own, table] : [table, own];
  const [keys, ids] = direction === "parent" ? [alias, inner.alias] : [inner.alias, alias];
  const referred = columnOf(target, column.references?.column ?? target.primaryKey);
  const matched = `${cellSql(referred, ids)} = ${cellSql(columnOf(holder, column.name), keys)}`;
  const rows = allOf([fragment(matched), visibleSql(rule, inner), rowFilterSql(of, inner)]);
  const exists = quantifier === "some" ? "EXISTS" : "NOT EXISTS";
  const from = `${sqlIdentifier(table.sqlName)} AS ${inner.alias}`;
  return fragment(`${exists} (SELECT 1 FROM ${from} WHERE ${rows.sql})`, ...rows.args);
}
