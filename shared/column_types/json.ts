/** `q.json()`: any JSON value, stored as its text. */
import { z } from "zod";
import type { JsonValue } from "../contract/mod.ts";
import type { ColumnTypeRecord, Storage, ValueType } from "./column_type.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, SCALAR_RULES } from "./column_type.ts";
import { TEXT_QUERY } from "./texts.ts";

export const JSON_STORAGE: Storage = {
  ...PLAIN_STORAGE,
  sql: "text",
  mode: "json",
  jsonSql: (cell) => `json(${cell})`,
  store: (value) => JSON.stringify(value),
  operand: (value) => JSON.stringify(value),
  restore: (value): JsonValue => JSON.parse(String(value)),
  jsonText: String,
  handler: {
    wanted: "Must be a value that JSON can hold",
    // Null: no JSON says it, such as a function or a circle.
    encode(value) {
      try {
        return JSON.stringify(value) ?? null;
      } catch {
        return null;
      }
    },
    bound: (value) =>
      value instanceof Uint8Array || parsedText(String(value)) === null ? null : value,
  },
};

/** JSON of the plainest kinds; as an item of a list, its text stands in quotes where it holds one. */
const JSON_ITEM = {
  type: "string",
  pattern:
    '^(?:null|true|false|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|"[^"\\\\\\x00-\\x1f]*")$',
} as const;

const JSON_VALUES: ValueType = {
  ...PLAIN_VALUES,
  schema: {},
  words: "any JSON value",
  body: () =>
    z.unknown().superRefine((value, context) => {
      if (value === undefined) context.addIssue({ code: "custom", message: "Required" });
      if (value === null) context.addIssue({ code: "custom", message: "Must not be null" });
    }),
  // Any JSON is null already.
  nullableBody: () => z.unknown(),
  querySchema: TEXT_QUERY,
  jsonItem: JSON_ITEM,
  hasText: true,
  // Compared as the text that is stored, which is what `JSON.stringify` makes of the value.
  read: (text) => parsedText(text) ?? undefined,
  expected: "JSON text",
  mismatch: () => null,
  example: () => ({ key: "value" }),
  sample: ({ number }) => ({ conformance: number }),
  twins: (at) => [{ low: at }, { secret: ["a longer text", 90 - at] }],
};

export const json: ColumnTypeRecord<{ readonly kind: "json" }, JsonValue> = {
  plain: { kind: "json" },
  aliases: [],
  manager: "client",
  storage: () => JSON_STORAGE,
  fitsSql: (cell) => `json_valid(${cell})`,
  rules: { ...SCALAR_RULES, isStructured: true, isOrdered: false, aggregates: [] },
  values: () => JSON_VALUES,
};

/** The text as `JSON.stringify` writes it; null: it is no JSON. */
function parsedText(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
