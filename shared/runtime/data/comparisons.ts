/**
 * Conditions for a known caller (definitions 4.1, 4.2): operands and the caller's values are read here, for the SQL form and
 * for the judgement in memory.
 */
import { storageOf } from "../../column_types/mod.ts";
import type { Condition, RelatedColumn, RowPredicate, Scalar } from "../../model/mod.ts";
import type { TableModel } from "../../model/mod.ts";
import { holdsRole } from "../../surface/mod.ts";
import type { Firewall } from "../layers/3-firewall/firewall.ts";
import type { SqlValue } from "../ports.ts";
import type { StoredRow } from "./types.ts";

export type OrderOperator =
  | "lessThan"
  | "greaterThan"
  | "lessThanOrEqual"
  | "greaterThanOrEqual";

/** A comparison for one caller. NULL equals only itself, and is neither less nor greater than any value. */
export type Comparison =
  | { readonly kind: "never" }
  | {
    readonly kind: "equals" | "notEquals";
    readonly column: RelatedColumn;
    readonly value: SqlValue;
  }
  | {
    readonly kind: "in" | "notIn";
    readonly column: RelatedColumn;
    readonly values: readonly SqlValue[];
  }
  | {
    readonly kind: "order";
    readonly operator: OrderOperator;
    readonly column: RelatedColumn;
    readonly value: SqlValue;
  };

const NEVER: Comparison = { kind: "never" };

/** The parts of a table that conditions need. */
export type AskedTable = Pick<TableModel, "idStrategy" | "idPrefix"> & {
  readonly columns: readonly RelatedColumn[];
};

/** Makes a comparison. A missing value of the caller matches no row, whatever the operator. */
export function comparisonOf(
  condition: Condition,
  firewall: Firewall,
  table: AskedTable = firewall.table,
): Comparison {
  const column = table.columns.find(({ name }) => name === condition.column);
  if (!column) throw new Error(`A rule asks for '${condition.column}', which its table has not`);
  const { operand } = condition;
  switch (operand.kind) {
    case "literal":
      return single({ condition, column, table }, operand.value);
    case "context": {
      const value = firewall.contextValue(operand.key);
      return value === null ? NEVER : single({ condition, column, table }, value);
    }
    case "literals":
      return list({ condition, column, table }, operand.values);
    case "contextList":
      return list({ condition, column, table }, firewall.contextList(operand.key));
  }
}

interface Subject {
  readonly condition: Condition;
  readonly column: RelatedColumn;
  readonly table: AskedTable;
}

function single({ condition, column, table }: Subject, operand: Scalar): Comparison {
  const value = storedOperand({ column, table }, operand);
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
  { column, table }: Pick<Subject, "column" | "table">,
  value: Scalar,
): SqlValue | undefined {
  return value === null ? null : storageOf(column.type, table).operand(value);
}

function list({ condition, column, table }: Subject, operands: readonly Scalar[]): Comparison {
  const { operator } = condition;
  if (operator !== "in" && operator !== "notIn") return NEVER;
  const values = operands.flatMap((operand) => {
    const value = storedOperand({ column, table }, operand);
    return value === undefined ? [] : [value];
  });
  return { kind: operator, column, values };
}

/** A predicate of this kind. */
export type Named<Kind extends RowPredicate["kind"]> = Extract<
  RowPredicate,
  { readonly kind: Kind }
>;

/** True when the caller has the roles that the predicate requires. */
export function isHolder(
  { roles, exceptRoles }: Named<"holders">,
  { principal }: Firewall,
): boolean {
  if (exceptRoles.some((role) => holdsRole(principal, role))) return false;
  return roles.length === 0 || roles.some((role) => holdsRole(principal, role));
}

/** True when the caller has every value that the predicate compares with. */
export function hasContext({ keys }: Named<"context">, firewall: Firewall): boolean {
  return keys.every((key) =>
    key === "roles" ? firewall.contextList(key).length > 0 : firewall.contextValue(key) !== null
  );
}

/** True when the comparison is true for a stored row. */
export function holds(comparison: Comparison, row: StoredRow): boolean {
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

/** Compares as SQLite does: numbers before texts, texts by their bytes. */
export function compareStored(one: Exclude<SqlValue, null>, other: SqlValue): number {
  if (other === null || other instanceof Uint8Array || one instanceof Uint8Array) {
    throw new TypeError("Only numbers and texts can be compared");
  }
  if (typeof one === "string" && typeof other === "string") {
    // Code points have the order of UTF-8 bytes. `<` on strings compares UTF-16 units.
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

/** Ranks a UTF-16 unit. Surrogates, which belong to the highest code points, come last. */
function pointRank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}
