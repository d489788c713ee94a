/** `q.bool()`: true or false, stored as 1 and 0. */
import { z } from "zod";
import type { ColumnTypeRecord, Storage, ValueType } from "./column_type.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, SCALAR_RULES, typed } from "./column_type.ts";

const STORED: readonly unknown[] = [0, 1, 0n, 1n];

const BOOLEAN_STORAGE: Storage = {
  ...PLAIN_STORAGE,
  sql: "integer",
  mode: "boolean",
  jsonSql: (cell) => `CASE ${cell} WHEN 1 THEN json('true') WHEN 0 THEN json('false') END`,
  store: storedBoolean,
  operand: storedBoolean,
  restore: (value) => Number(value) !== 0,
  jsonText: (value) => Number(value) !== 0 ? "true" : "false",
  handler: {
    wanted: "Must be true or false",
    encode: (value) => storedBoolean(value) ?? null,
    bound: (value) => STORED.includes(value) ? value : null,
  },
};

export const BOOLEANS: ValueType = {
  ...PLAIN_VALUES,
  schema: { type: "boolean" },
  words: "true or false",
  choices: [false, true],
  body: () => z.boolean({ error: typed("Must be true or false") }),
  querySchema: { type: "boolean" },
  hasText: false,
  hasCase: false,
  read: (text) => {
    if (text === "true") return 1;
    return text === "false" ? 0 : undefined;
  },
  expected: "true or false",
  mismatch: (value) => typeof value === "boolean" ? null : "true or false",
  example: () => true,
  sample: () => false,
  twins: (at) => [at % 2 === 0, at % 2 !== 0],
};

export const bool: ColumnTypeRecord<{ readonly kind: "bool" }, boolean> = {
  plain: { kind: "bool" },
  aliases: ["boolean"],
  manager: "client",
  storage: () => BOOLEAN_STORAGE,
  fitsSql: (cell) => `${cell} IN (0, 1)`,
  rules: { ...SCALAR_RULES, isSensitive: false, isOrdered: false, aggregates: [] },
  values: () => BOOLEANS,
};

function storedBoolean(value: unknown): number | undefined {
  return typeof value === "boolean" ? Number(value) : undefined;
}
