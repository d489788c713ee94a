/** A Zod schema as plain JSON Schema 2020-12: what it checks, and nothing of Zod's own beside it. */
import { z } from "zod";
import type { JsonValue } from "../../model/column.ts";
import type { JsonSchema } from "../parameters.ts";

export function zodJson(schema: z.ZodType, direction: "input" | "output"): JsonSchema {
  const { $schema: _, "~standard": _standard, ...json } = z.toJSONSchema(schema, { io: direction });
  return merged(JSON.parse(JSON.stringify(json)));
}

/** `anyOf: [T, null]` with one plain type said as `type: [T, null]`, which generators and readers take for what it is. */
function merged(schema: JsonSchema): JsonSchema {
  const members = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, mergedValue(value)]),
  );
  const { anyOf, ...rest } = members;
  const plain = Array.isArray(anyOf) ? plainOption(anyOf) : null;
  return plain === null ? members : { ...orNull(plain), ...rest };
}

function mergedValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(mergedValue);
  return isObject(value) ? merged(value) : value;
}

/** The option beside `null`, when there is just one and its type is a single word. */
function plainOption(options: readonly JsonValue[]): JsonSchema | null {
  const others = options.filter((option) => !isNull(option));
  const [only] = others;
  if (options.length !== 2 || others.length !== 1 || !isObject(only)) return null;
  return typeof only.type === "string" && only.const === undefined ? only : null;
}

function isNull(option: JsonValue): boolean {
  return isObject(option) && option.type === "null";
}

/** `T | null`. A schema without a type allows null already. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (type === undefined) return schema;
  const types = Array.isArray(type) ? [...type, "null"] : [type, "null"];
  return { ...schema, type: types, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function isObject(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
