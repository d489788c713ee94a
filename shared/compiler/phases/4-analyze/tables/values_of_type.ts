/** Checks literals against a column's type: for defaults, conditions and firewall predicates (definitions 3). */
import { nearest } from "../../../../lib/nearest.ts";
import { normalizedDateTime } from "../../../../lib/timestamps.ts";
import type { ColumnType, JsonValue } from "../../../../model/column.ts";
import type { Scalar } from "../../../../model/predicate.ts";

/** The expected form, when the value does not fit the type; null when it does. `null` itself is left to the caller. */
export function mismatchOf(type: ColumnType, value: Exclude<Scalar, null>): string | null {
  switch (type.kind) {
    case "int":
    case "revision":
      return Number.isSafeInteger(value) ? null : "an integer";
    case "real":
      return Number.isFinite(value) ? null : "a number";
    case "bool":
      return typeof value === "boolean" ? null : "true or false";
    case "json":
      return null;
    case "id":
      return typeof value === "boolean" ? "an id" : null;
    default:
      return typeof value === "string" ? textMismatch(type, value) : "a string";
  }
}

function textMismatch(type: ColumnType, text: string): string | null {
  switch (type.kind) {
    case "enum":
      return memberMismatch(type.values, text);
    case "timestamp":
      return normalizedDateTime(text) === null ? "an ISO 8601 date-time with time zone" : null;
    case "url":
      return isWebAddress(text) ? lengthMismatch(type.maxLength, text) : "an http or https URL";
    case "text":
      return type.enum ? memberMismatch(type.enum, text) : lengthMismatch(type.maxLength, text);
    default:
      return null;
  }
}

function memberMismatch(values: readonly string[], text: string): string | null {
  if (values.includes(text)) return null;
  return `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
}

/** Code points, as JSON Schema counts (definitions 7). */
function lengthMismatch(maxLength: number | null, text: string): string | null {
  if (maxLength === null || [...text].length <= maxLength) return null;
  return `at most ${maxLength} characters`;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}

/** The member of a closed enum that a text was probably meant to be. */
export function nearestMember(type: ColumnType, value: JsonValue): string | null {
  if (typeof value !== "string") return null;
  if (type.kind === "enum") return nearest(value, type.values);
  return type.kind === "text" && type.enum ? nearest(value, type.enum) : null;
}
