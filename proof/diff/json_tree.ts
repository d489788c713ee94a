/** Reading a JSON document whose shape is not known for sure. */
import type { JsonValue } from "../../shared/model/table.ts";

export type Json = { readonly [member: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** None when it is no object. */
export function entriesOf(
  value: JsonValue | undefined,
): readonly (readonly [string, JsonValue])[] {
  return isObject(value) ? Object.entries(value) : [];
}

/** Undefined when a member on the way is missing. */
export function valueAt(value: JsonValue, ...keys: readonly string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>(
    (inner, key) => isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined,
    value,
  );
}

/** One value is a list of one; none is empty. */
export function listOf(value: JsonValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}
