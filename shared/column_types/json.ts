/** `q.json()`: any JSON value, stored as its text. */
import { z } from "zod";
import type { JsonValue } from "../contract/mod.ts";
import type { ColumnTypeRecord, Storage, ValueType } from "./column_type.ts";
import { exactJsonText } from "../lib/json.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, SCALAR_RULES } from "./column_type.ts";
import { TEXT_QUERY } from "./texts.ts";

export const JSON_STORAGE: Storage = {
  ...PLAIN_STORAGE,
  sql: "text",
  mode: "json",
  jsonSql: (cell) => `json(${cell})`,
  store: (value) => exactJsonText(value),
  operand: (value) => exactJsonText(value),
  restore: (value): JsonValue => JSON.parse(String(value)),
  jsonText: String,
  handler: {
    wanted: "Must be a value that JSON can hold",
    // Null refuses a value that JSON cannot express, such as a function or a circle.
    encode(value) {
      try {
        return exactJsonText(value) ?? null;
      } catch {
        return null;
      }
    },
    bound(value) {
      if (value instanceof Uint8Array) return null;
      const text = parsedText(String(value));
      if (text === null) return null;
      // A text of drizzle's builder is converted to the service's form. A text of the handler's own is kept.
      return text !== value && JSON.stringify(JSON.parse(text)) === String(value) ? text : value;
    },
  },
};

/** Schema of simple JSON values. As an item of a list a text with a quote must be in quotes. */
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
  // Any JSON includes null.
  nullableBody: () => z.unknown(),
  querySchema: TEXT_QUERY,
  jsonItem: JSON_ITEM,
  hasText: true,
  hasCase: false,
  // Values are compared by their stored text, which `exactJsonText` makes.
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

/** Returns the text in stored form; null: it is not JSON. */
function parsedText(text: string): string | null {
  try {
    return exactJsonText(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
