/**
 * Query texts as stored values (contract 4.3, definitions 7): own readers, because coercing libraries read `""` as 0,
 * `0x10` as 16 and `false` as true.
 */
import type { FilterOperator } from "../contract/operators.ts";
import { normalizedDate, normalizedDateTime } from "../lib/timestamps.ts";
import type { ValueKind } from "./column_kinds.ts";

const INTEGER = /^-?\d+$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;

type ReadValue =
  | { readonly kind: "value"; readonly value: string | number }
  /** The accepted form, to follow "Expected". */
  | { readonly kind: "mismatch"; readonly expected: string };

/** One text of a filter on a column of this kind. */
export function readFilterValue(text: string, kind: ValueKind): ReadValue {
  if (text.includes("\0")) return mismatch("text without NUL characters");
  switch (kind.kind) {
    case "string":
    case "url":
    case "id":
      return { kind: "value", value: text };
    case "enum":
      return kind.values.includes(text)
        ? { kind: "value", value: text }
        : mismatch(`one of ${kind.values.join(", ")}`);
    case "integer":
      return readNumber(text, INTEGER, Number.isSafeInteger, "a whole decimal number");
    case "number":
      return readNumber(text, DECIMAL, Number.isFinite, "a decimal number such as 12.5");
    case "boolean":
      return readBoolean(text);
    case "timestamp":
      return readTimestamp(text);
    case "json":
      return readJson(text);
  }
}

/** `like` looks into the text of a value; numbers and booleans have none (definitions 7). */
export function operatorsFor(kind: ValueKind): readonly FilterOperator[] {
  const common = ["eq", "ne", "gt", "gte", "lt", "lte"] as const;
  switch (kind.kind) {
    case "integer":
    case "number":
    case "boolean":
      return [...common, "in"];
    default:
      return [...common, "like", "in"];
  }
}

function readNumber(
  text: string,
  pattern: RegExp,
  isInRange: (value: number) => boolean,
  expected: string,
): ReadValue {
  // Adding zero turns -0 into 0, which is how it is stored.
  const value = pattern.test(text) ? Number(text) + 0 : Number.NaN;
  return isInRange(value) ? { kind: "value", value } : mismatch(expected);
}

function readBoolean(text: string): ReadValue {
  if (text === "true") return { kind: "value", value: 1 };
  if (text === "false") return { kind: "value", value: 0 };
  return mismatch("true or false");
}

function readTimestamp(text: string): ReadValue {
  const value = normalizedDateTime(text) ?? normalizedDate(text);
  return value === null
    ? mismatch("an ISO 8601 date, or a date-time with Z or an offset (a plus sign is written %2B)")
    : { kind: "value", value };
}

/** Compared as the text that is stored, which is what `JSON.stringify` makes of the value. */
function readJson(text: string): ReadValue {
  try {
    return { kind: "value", value: JSON.stringify(JSON.parse(text)) };
  } catch (error) {
    if (error instanceof SyntaxError) return mismatch("JSON text");
    throw error;
  }
}

function mismatch(expected: string): ReadValue {
  return { kind: "mismatch", expected };
}
