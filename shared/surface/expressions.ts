/** Writes the expression of a computed column as SQL, and computes its value for one row (definitions 3). */
import { decimalSql, decimalText, type StoredValue } from "../column_types/mod.ts";
import { sqlString } from "../lib/sql_text.ts";
import type { Comparison, DatePart, Expression } from "../model/mod.ts";

/** Beginning of the database's message about a total that would be out of range. */
export const ROLLUP_SUBJECT = "qb_rollup ";

/** Message of such a fault. It has the form of a constraint's message, which every driver reports. */
export const ROLLUP_FAULT = `CHECK constraint failed: ${ROLLUP_SUBJECT}`;

const SIGNS = { plus: "+", minus: "-", times: "*" } as const;

/** Parts of a date: the position of the first character, and the number of characters. */
const PARTS = { year: [1, 4], month: [6, 2], day: [9, 2] } as const;

/** Returns SQL of the stored value; `cellOf` returns that of a column. */
export function expressionSql(expression: Expression, cellOf: (name: string) => string): string {
  const sql = (one: Expression): string => expressionSql(one, cellOf);
  switch (expression.op) {
    case "column":
      return cellOf(expression.name);
    case "number":
      return expression.digits;
    case "real":
      return realSql(expression.value);
    case "text":
      return sqlString(expression.value);
    case "bool":
      return expression.value ? "1" : "0";
    case "null":
      return "NULL";
    case "plus":
    case "minus":
    case "times": {
      const [one, other] = expression.of;
      return `(${sql(one)} ${SIGNS[expression.op]} ${sql(other)})`;
    }
    case "negate":
      return `(0 - ${sql(expression.of[0])})`;
    case "toReal":
      return `(${sql(expression.of[0])} * 1.0 / 1${"0".repeat(expression.scale)})`;
    case "compare": {
      const [one, other] = expression.of;
      return `(${sql(one)} ${expression.by} ${sql(other)})`;
    }
    case "isNull":
      return `(${sql(expression.of[0])} IS NULL)`;
    case "not":
      return `(1 - ${sql(expression.of[0])})`;
    case "boolText":
      return `CASE ${sql(expression.of[0])} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
    case "and":
      // A product replaces AND, because SQL's AND of false and null is false.
      return `(${sql(expression.of[0])} * ${sql(expression.of[1])})`;
    case "or":
      return `((${sql(expression.of[0])} + ${sql(expression.of[1])}) > 0)`;
    case "coalesce":
      return `coalesce(${sql(expression.of[0])}, ${sql(expression.of[1])})`;
    case "choose": {
      const [condition, then, otherwise] = expression.of;
      // Both cases are explicit, because SQL's ELSE would also apply to a condition that is null.
      return `CASE ${sql(condition)} WHEN 1 THEN ${sql(then)} WHEN 0 THEN ${sql(otherwise)} END`;
    }
    case "join":
      return `(${expression.of.map(sql).join(" || ")})`;
    case "decimalText":
      return `(${decimalSql(sql(expression.of[0]), expression.scale)})`;
    case "datePart":
      return datePartSql(expression.part, sql(expression.of[0]));
    case "divide":
      return divideSql(sql(expression.of[0]), sql(expression.of[1]));
  }
}

/** Returns SQL of a number as a double, even if it is whole. */
function realSql(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function datePartSql(part: DatePart, cell: string): string {
  if (part === "weekday") return `CAST(strftime('%w', substr(${cell}, 1, 10)) AS integer)`;
  const [from, length] = PARTS[part];
  return `CAST(substr(${cell}, ${from}, ${length}) AS integer)`;
}

/**
 * Returns SQL of a rounded quotient. SQLite rounds a quotient towards zero, and the remainder decides whether it becomes the
 * next number.
 */
function divideSql(one: string, other: string): string {
  const rest = `abs(${one} % ${other})`;
  const isUp = `2 * ${rest} > abs(${other}) OR (2 * ${rest} = abs(${other}) AND ` +
    `${one} / ${other} % 2 <> 0)`;
  return `(${one} / ${other} + CASE WHEN ${isUp} THEN ` +
    `CASE WHEN (${one} < 0) = (${other} < 0) THEN 1 ELSE -1 END ELSE 0 END)`;
}

/**
 * Computes the same value in this process, for rows that are checked before they are stored, and for proofs. Whole numbers are
 * bigints.
 */
export function expressionValue(
  expression: Expression,
  valueOf: (name: string) => StoredValue,
): StoredValue {
  const value = computed(expression, valueOf);
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

type Value = string | number | bigint | null;

function computed(expression: Expression, valueOf: (name: string) => StoredValue): Value {
  const value = (one: Expression): Value => computed(one, valueOf);
  switch (expression.op) {
    case "column": {
      const stored = valueOf(expression.name);
      return typeof stored === "number" && Number.isSafeInteger(stored) ? BigInt(stored) : stored;
    }
    case "number":
      return BigInt(expression.digits);
    case "real":
    case "text":
      return expression.value;
    case "bool":
      return expression.value ? 1n : 0n;
    case "null":
      return null;
    case "isNull":
      return value(expression.of[0]) === null ? 1n : 0n;
    case "coalesce":
      return value(expression.of[0]) ?? value(expression.of[1]);
    case "choose": {
      const [condition, then, otherwise] = expression.of;
      const chosen = value(condition);
      return chosen === null ? null : value(chosen === 1n ? then : otherwise);
    }
    default:
      return ofValues(expression, expression.of.map(value));
  }
}

/** Computes expressions that are null if one of their operands is. */
function ofValues(expression: Expression, operands: readonly Value[]): Value {
  if (operands.includes(null)) return null;
  const [one = 0n, other = 0n] = operands;
  const whole = (value: Value): bigint => {
    if (typeof value === "bigint") return value;
    throw new TypeError(`"${expression.op}" needs whole numbers`);
  };
  switch (expression.op) {
    case "plus":
      return expression.isReal ? real(Number(one) + Number(other)) : whole(one) + whole(other);
    case "minus":
      return expression.isReal ? real(Number(one) - Number(other)) : whole(one) - whole(other);
    case "times":
      return expression.isReal ? real(Number(one) * Number(other)) : whole(one) * whole(other);
    case "negate":
      return typeof one === "number" ? 0 - one : -whole(one);
    case "toReal":
      return Number(whole(one)) / 10 ** expression.scale;
    case "compare":
      return compare(expression.by, one, other) ? 1n : 0n;
    case "not":
      return 1n - whole(one);
    case "boolText":
      return one === 1n ? "true" : "false";
    case "and":
      return whole(one) * whole(other);
    case "or":
      return whole(one) + whole(other) > 0n ? 1n : 0n;
    case "join":
      return operands.join("");
    case "decimalText":
      return decimalText(whole(one), expression.scale);
    case "datePart":
      return datePart(expression.part, String(one));
    case "divide":
      return divide(whole(one), whole(other));
    default:
      throw new TypeError(`"${expression.op}" has no operands`);
  }
}

/** Returns a double; null for NaN, which SQLite does not have. */
function real(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function compare(by: Comparison, one: Value, other: Value): boolean {
  const order = typeof one === "string" && typeof other === "string"
    ? comparePoints(one, other)
    : compareNumbers(one ?? 0n, other ?? 0n);
  switch (by) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "=":
      return order === 0;
    case "<>":
      return order !== 0;
  }
}

/** Compares numbers. Bigints and doubles compare exactly. */
function compareNumbers(one: string | number | bigint, other: string | number | bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Compares texts by code points. SQLite orders texts by their bytes in UTF-8, which is the same order. */
function comparePoints(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const step = (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0);
    if (step !== 0) return step;
  }
  return a.length - b.length;
}

function datePart(part: DatePart, day: string): bigint {
  if (part === "weekday") return BigInt(new Date(`${day.slice(0, 10)}T00:00:00Z`).getUTCDay());
  const [from, length] = PARTS[part];
  return BigInt(Number(day.slice(from - 1, from - 1 + length)));
}

function divide(one: bigint, other: bigint): bigint | null {
  if (other === 0n) return null;
  const quotient = one / other;
  const rest = 2n * magnitude(one % other);
  const isUp = rest > magnitude(other) || (rest === magnitude(other) && quotient % 2n !== 0n);
  if (!isUp) return quotient;
  return quotient + ((one < 0n) === (other < 0n) ? 1n : -1n);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
