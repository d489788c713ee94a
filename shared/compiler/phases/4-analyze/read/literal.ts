/** Plain data out of located values. */
import type { JsonValue } from "../../../../model/table.ts";
import type { Value } from "../../values.ts";
import { type At, below, wrongType } from "./reader.ts";

/** Any JSON value; members are own properties, whatever their key. */
export function readJson(value: Value, at: At): JsonValue | undefined {
  switch (value.kind) {
    case "string":
    case "number":
    case "boolean":
      return value.value;
    case "null":
      return null;
    case "array":
      return collected(value.items.map((item) => readJson(item, at)));
    case "object": {
      const members = value.entries.map((entry) => readJson(entry.value, below(at, entry.key)));
      const known = collected(members);
      if (known === undefined) return undefined;
      const keys = value.entries.map((entry) => entry.key);
      return Object.fromEntries(keys.map((key, index) => [key, known[index] ?? null]));
    }
    default:
      return wrongType(value, "a literal value", at);
  }
}

function collected(values: readonly (JsonValue | undefined)[]): readonly JsonValue[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}
