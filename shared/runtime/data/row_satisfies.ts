/** Judges one stored row by an access rule: the same answer as `condition_sql.ts` gives in a query. */
import type { RowRule } from "../../surface/admission.ts";
import type { Firewall } from "../layers/3-firewall/firewall.ts";
import type { SqlValue } from "../ports.ts";
import { type Comparison, comparisonOf, type OrderOperator } from "./conditions.ts";
import type { StoredRow } from "./types.ts";

/** True when the rule's conditions hold on the row, for the firewall's caller. */
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
  const cell = cellOf(row, comparison.column.name);
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

function cellOf(row: StoredRow, name: string): SqlValue {
  const cell = row.get(name);
  if (cell === undefined) throw new Error(`The stored row has no column '${name}'`);
  return cell;
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
function compareStored(one: Present, other: SqlValue): number {
  if (other === null || other instanceof Uint8Array || one instanceof Uint8Array) {
    throw new TypeError("Only numbers and texts can be compared");
  }
  if (typeof one === "string" && typeof other === "string") return compareText(one, other);
  if (typeof one === "string") return 1;
  if (typeof other === "string") return -1;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** By code points, which is the order of UTF-8 bytes; `<` on strings compares UTF-16 units. */
function compareText(one: string, other: string): number {
  if (one === other) return 0;
  const a = one[Symbol.iterator]();
  const b = other[Symbol.iterator]();
  for (;;) {
    const left = a.next();
    const right = b.next();
    // Not both: they differ.
    if (left.done || right.done) return left.done ? -1 : 1;
    const difference = pointOf(left.value) - pointOf(right.value);
    if (difference !== 0) return difference;
  }
}

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
