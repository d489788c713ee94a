/** Firewalls and row rules as SQL: the same judgement as `row_satisfies.ts`, over a whole table. */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import type { ColumnModel } from "../../model/column.ts";
import type { RowRule } from "../../surface/admission.ts";
import type { Firewall } from "../layers/3-firewall/firewall.ts";
import type { SqlValue } from "../ports.ts";
import { type Comparison, comparisonOf, type OrderOperator } from "./conditions.ts";
import { allOf, anyOf, type Fragment, fragment, jsonList, NO_ROW } from "./sql.ts";

const SYMBOLS: Readonly<Record<OrderOperator, string>> = {
  lessThan: "<",
  greaterThan: ">",
  lessThanOrEqual: "<=",
  greaterThanOrEqual: ">=",
};

/** The rows behind a firewall; `alias` names the table in the statement. */
export function firewallSql(firewall: Firewall, alias: string): Fragment {
  return allOf(
    firewall.predicates.map((predicate) => comparisonSql(comparisonOf(predicate, firewall), alias)),
  );
}

/** The rows that an access rule's conditions hold on. */
export function ruleSql(rule: RowRule, { firewall, alias }: RuleScope): Fragment {
  switch (rule.kind) {
    case "conditions":
      return allOf(
        rule.conditions.map((condition) => comparisonSql(comparisonOf(condition, firewall), alias)),
      );
    case "all":
      return allOf(rule.of.map((part) => ruleSql(part, { firewall, alias })));
    case "any":
      return anyOf(rule.of.map((part) => ruleSql(part, { firewall, alias })));
  }
}

interface RuleScope {
  readonly firewall: Firewall;
  readonly alias: string;
}

/** Firewall and rule together; null: no rule. */
export function visibleSql(rule: RowRule | null, scope: RuleScope): Fragment {
  const behind = firewallSql(scope.firewall, scope.alias);
  return rule === null ? behind : allOf([behind, ruleSql(rule, scope)]);
}

export function comparisonSql(comparison: Comparison, alias: string): Fragment {
  if (comparison.kind === "never") return NO_ROW;
  const cell = cellSql(comparison.column, alias);
  switch (comparison.kind) {
    case "equals":
      return equalsSql(cell, comparison.value);
    case "notEquals":
      return notEqualsSql(cell, comparison.value);
    case "in":
      return inSql(cell, comparison.values);
    case "notIn":
      return notInSql(cell, comparison.values);
    case "order":
      return fragment(`${cell} ${SYMBOLS[comparison.operator]} ?`, comparison.value);
  }
}

export function cellSql(column: ColumnModel, alias: string): string {
  return `${alias}.${sqlIdentifier(column.sqlName)}`;
}

export function equalsSql(cell: string, value: SqlValue): Fragment {
  return value === null ? fragment(`${cell} IS NULL`) : fragment(`${cell} = ?`, value);
}

/** True on NULL, unlike SQL's `<>`. */
export function notEqualsSql(cell: string, value: SqlValue): Fragment {
  return value === null ? fragment(`${cell} IS NOT NULL`) : fragment(`${cell} IS NOT ?`, value);
}

export function inSql(cell: string, values: readonly SqlValue[]): Fragment {
  const listed = fragment(
    `${cell} IN (SELECT value FROM json_each(?))`,
    jsonList(withoutNull(values)),
  );
  return values.includes(null) ? anyOf([fragment(`${cell} IS NULL`), listed]) : listed;
}

function notInSql(cell: string, values: readonly SqlValue[]): Fragment {
  const unlisted = fragment(
    `${cell} NOT IN (SELECT value FROM json_each(?))`,
    jsonList(withoutNull(values)),
  );
  return values.includes(null)
    ? allOf([fragment(`${cell} IS NOT NULL`), unlisted])
    : anyOf([fragment(`${cell} IS NULL`), unlisted]);
}

function withoutNull(values: readonly SqlValue[]): readonly SqlValue[] {
  return values.filter((value) => value !== null);
}
