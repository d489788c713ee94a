/**
 * Record conditions once the caller is known (definitions 4.1, 4.2): one reading of operands, behind the SQL form and
 * the form that judges a row in memory.
 */
import { storageOf } from "../../column_types/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { ColumnModel, Condition, Scalar } from "../../model/mod.ts";
import type { RowRule } from "../../surface/mod.ts";
import type { Firewall } from "../layers/3-firewall/firewall.ts";
import type { SqlValue } from "../ports.ts";
import { columnOf, findColumn } from "./catalog.ts";
import { allOf, anyOf, EVERY_ROW, type Fragment, fragment, jsonList, NO_ROW } from "./sql.ts";
import type { StoredRow } from "./types.ts";

type OrderOperator =
  | "lessThan"
  | "greaterThan"
  | "lessThanOrEqual"
  | "greaterThanOrEqual";

/** NULL is a value that equals itself and nothing else; it is neither less nor greater than anything. */
export type Comparison =
  | { readonly kind: "never" }
  | {
    readonly kind: "equals" | "notEquals";
    readonly column: ColumnModel;
    readonly value: SqlValue;
  }
  | {
    readonly kind: "in" | "notIn";
    readonly column: ColumnModel;
    readonly values: readonly SqlValue[];
  }
  | {
    readonly kind: "order";
    readonly operator: OrderOperator;
    readonly column: ColumnModel;
    readonly value: SqlValue;
  };

const NEVER: Comparison = { kind: "never" };

/** A context value that is absent matches no row, whatever the operator. */
export function comparisonOf(condition: Condition, firewall: Firewall): Comparison {
  const { table } = firewall;
  const column = columnOf(table, condition.column);
  const { operand } = condition;
  switch (operand.kind) {
    case "literal":
      return single({ condition, column, firewall }, operand.value);
    case "context": {
      const value = firewall.contextValue(operand.key);
      return value === null ? NEVER : single({ condition, column, firewall }, value);
    }
    case "literals":
      return list({ condition, column, firewall }, operand.values);
    case "contextList":
      return list({ condition, column, firewall }, firewall.contextList(operand.key));
  }
}

interface Subject {
  readonly condition: Condition;
  readonly column: ColumnModel;
  readonly firewall: Firewall;
}

function single({ condition, column, firewall }: Subject, operand: Scalar): Comparison {
  const value = storedOperand({ column, firewall }, operand);
  if (value === undefined) return NEVER;
  const { operator } = condition;
  switch (operator) {
    case "equals":
    case "notEquals":
      return { kind: operator, column, value };
    case "in":
    case "notIn":
      return { kind: operator, column, values: [value] };
    default:
      return value === null ? NEVER : { kind: "order", operator, column, value };
  }
}

function storedOperand(
  { column, firewall }: Pick<Subject, "column" | "firewall">,
  value: Scalar,
): SqlValue | undefined {
  return value === null ? null : storageOf(column.type, firewall.table).operand(value);
}

function list({ condition, column, firewall }: Subject, operands: readonly Scalar[]): Comparison {
  const { operator } = condition;
  if (operator !== "in" && operator !== "notIn") return NEVER;
  const values = operands.flatMap((operand) => {
    const value = storedOperand({ column, firewall }, operand);
    return value === undefined ? [] : [value];
  });
  return { kind: operator, column, values };
}

const SYMBOLS: Readonly<Record<OrderOperator, string>> = {
  lessThan: "<",
  greaterThan: ">",
  lessThanOrEqual: "<=",
  greaterThanOrEqual: ">=",
};

/**
 * Firewalls and row rules as SQL: the same judgement as `row_satisfies.ts`, over a whole table. The rows behind a
 * firewall; `alias` names the table in the statement.
 */
export function firewallSql(firewall: Firewall, alias: string): Fragment {
  return allOf(
    firewall.predicates.map((predicate) => comparisonSql(comparisonOf(predicate, firewall), alias)),
  );
}

/** The same for a row that this transaction holds: of what keeps it from the caller by now, the value that it has. */
export function heldSql(firewall: Firewall, row: StoredRow, alias: string): Fragment {
  return allOf(firewall.predicates.map((predicate) => {
    const comparison = comparisonOf(predicate, firewall);
    if (holds(comparison, row)) return comparisonSql(comparison, alias);
    const column = columnOf(firewall.table, predicate.column);
    return equalsSql(cellSql(column, alias), row.get(column.name) ?? null);
  }));
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

function comparisonSql(comparison: Comparison, alias: string): Fragment {
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
  return storageOf(column.type).read(`${alias}.${sqlIdentifier(column.sqlName)}`);
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

export function notInSql(cell: string, values: readonly SqlValue[]): Fragment {
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

/**
 * Judges one stored row by an access rule: the same answer as `condition_sql.ts` gives in a query. True when the rule's
 * conditions hold on the row, for the firewall's caller.
 */
export function rowSatisfies(rule: RowRule, row: StoredRow, firewall: Firewall): boolean {
  switch (rule.kind) {
    case "conditions":
      return rule.conditions.every((condition) => holds(comparisonOf(condition, firewall), row));
    case "all":
      return rule.of.every((part) => rowSatisfies(part, row, firewall));
    case "any":
      return rule.of.some((part) => rowSatisfies(part, row, firewall));
  }
}

function holds(comparison: Comparison, row: StoredRow): boolean {
  if (comparison.kind === "never") return false;
  const cell = row.get(comparison.column.name);
  if (cell === undefined) {
    throw new Error(`The stored row has no column '${comparison.column.name}'`);
  }
  switch (comparison.kind) {
    case "equals":
      return isSame(cell, comparison.value);
    case "notEquals":
      return !isSame(cell, comparison.value);
    case "in":
      return comparison.values.some((value) => isSame(cell, value));
    case "notIn":
      return !comparison.values.some((value) => isSame(cell, value));
    case "order":
      return cell !== null && isOrdered(compareStored(cell, comparison.value), comparison.operator);
  }
}

function isSame(cell: SqlValue, value: SqlValue): boolean {
  return cell === null || value === null ? cell === value : compareStored(cell, value) === 0;
}

function isOrdered(order: number, operator: OrderOperator): boolean {
  switch (operator) {
    case "lessThan":
      return order < 0;
    case "greaterThan":
      return order > 0;
    case "lessThanOrEqual":
      return order <= 0;
    case "greaterThanOrEqual":
      return order >= 0;
  }
}

type Present = Exclude<SqlValue, null>;

/** SQLite's order: numbers before texts, texts by their bytes. */
export function compareStored(one: Present, other: SqlValue): number {
  if (other === null || other instanceof Uint8Array || one instanceof Uint8Array) {
    throw new TypeError("Only numbers and texts can be compared");
  }
  if (typeof one === "string" && typeof other === "string") {
    // By code points, which is the order of UTF-8 bytes; `<` on strings compares UTF-16 units.
    const length = Math.min(one.length, other.length);
    for (let at = 0; at < length; at += 1) {
      const difference = pointRank(one.charCodeAt(at)) - pointRank(other.charCodeAt(at));
      if (difference !== 0) return difference;
    }
    return one.length - other.length;
  }
  if (typeof one === "string") return 1;
  if (typeof other === "string") return -1;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Surrogates, halves of the highest code points, come after every other unit. */
function pointRank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

/**
 * Soft deletion as a condition (contract 2.2, 3.1). The soft-deleted rows that would be behind the firewall otherwise;
 * null where nothing is soft-deleted.
 */
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
