/** `q.real()`: a finite number. */
import { z } from "zod";
import { exactJsonText } from "../lib/json.ts";
import { bounded, type Bounds, NUMBERS } from "./bounds.ts";
import type { ColumnTypeRecord, Storage, ValueType } from "./column_type.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, typed } from "./column_type.ts";
import { finiteNumber, nextNumbers, NUMBER_RULES, readNumber, storedNumber } from "./int.ts";

const REAL_STORAGE: Storage = {
  ...PLAIN_STORAGE,
  sql: "real",
  // SQLite writes 15 digits of a real into JSON, and a real can have 17.
  jsonSql: () => null,
  store: storedNumber,
  operand: finiteNumber,
  // Write bodies accept whole numbers from 2^53 on only with an exponent (definitions 7).
  jsonText: (value) => exactJsonText(Number(value)),
};

const REAL_TEXT = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/;

const REALS: ValueType = {
  ...PLAIN_VALUES,
  schema: { type: "number" },
  words: "a number",
  body: () => z.number({ error: typed("Must be a number") }),
  querySchema: { type: "number" },
  hasText: false,
  hasCase: false,
  // A plus sign that is not encoded in a URL is a space, as in `1e 20`.
  read: (text) => finiteNumber(readNumber(text.replace("e ", "e+"), REAL_TEXT)),
  expected: "a decimal number such as 12.5 or 1e-9",
  mismatch: (value) => Number.isFinite(value) ? null : "a number",
  example: () => 1.5,
  sample: ({ number }) => number + 0.5,
  neighbours: nextNumbers,
  twins: (at) => [10.25 + at, 90_090.5 - at],
};

interface RealType extends Bounds<number> {
  readonly kind: "real";
}

export const real: ColumnTypeRecord<RealType, number> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: () => REAL_STORAGE,
  fitsSql: () => null,
  rules: NUMBER_RULES,
  values: (type) => bounded(REALS, type, NUMBERS),
};
