/** Builds JSON Schemas that many descriptions contain. */
import { isJsonObject } from "../../lib/json.ts";
import type { JsonSchema } from "../../contract/mod.ts";

/** True for an object of a JSON document that is a schema. */
export function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}

/** Returns the schema of an object with exactly these members. */
export function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

export const TEXT: JsonSchema = { type: "string", minLength: 1 };
export const TIME: JsonSchema = { type: "string", format: "date-time" };

/** Returns the schema with a description, and with the example if there is one. */
export function described(
  description: string,
  schema: JsonSchema,
  example?: string | boolean,
): JsonSchema {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) };
}
