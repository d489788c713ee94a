/** `q.int()`: an integer within 53 bits. */
import { z } from "zod";
import { bounded, type Bounds, NUMBERS } from "./bounds.ts";
import type { ColumnTypeRecord, Storage, TypeRules, ValueType } from "./column_type.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, SCALAR_RULES, typed } from "./column_type.ts";

export const INTEGER_STORAGE: Storage = {
  ...PLAIN_STORAGE,
  sql: "integer",
  store: storedNumber,
  operand: wholeNumber,
};

export const NUMBER_RULES: TypeRules = {
  ...SCALAR_RULES,
  aggregates: ["sum", "avg", "min", "max"],
};

export const INTEGERS: ValueType = {
  ...PLAIN_VALUES,
  schema: { type: "integer", format: "int64" },
  words: "a whole number",
  body: () => z.int({ error: typed("Must be a whole number within 53 bits") }),
  querySchema: { type: "integer" },
  hasText: false,
  hasCase: false,
  read: (text) => {
    return wholeNumber(readNumber(text, /^-?\d+$/));
  },
  expected: "a whole decimal number",
  mismatch: (value) => Number.isSafeInteger(value) ? null : "an integer",
  example: () => 1,
  sample: ({ number }) => number,
  neighbours: nextNumbers,
  twins: (at) => [10 + at, 90_090 - at],
};

interface IntType extends Bounds<number> {
  readonly kind: "int";
}

export const int: ColumnTypeRecord<IntType, number> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: () => INTEGER_STORAGE,
  // `| 0` changes every value but an integer, and is cheaper than calling typeof().
  fitsSql: (cell) => `(${cell} | 0) = ${cell}`,
  rules: { ...NUMBER_RULES, key: "int" },
  values: (type) => bounded(INTEGERS, type, NUMBERS),
};

/** Returns a number in stored form. Adding zero turns -0, which SQLite would keep in a real column, into 0. */
export function storedNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value + 0 : undefined;
}

/** Parses a number; NaN for a text that does not match. */
export function readNumber(text: string, pattern: RegExp): number {
  return pattern.test(text) ? Number(text) + 0 : Number.NaN;
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

export function finiteNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function nextNumbers(value: unknown): readonly number[] {
  return typeof value === "number" ? [value - 1, value + 1] : [];
}
