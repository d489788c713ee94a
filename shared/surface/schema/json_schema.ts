/** JSON Schemas that many descriptions are made of. */
import { isJsonObject } from "../../lib/json.ts";
import type { JsonSchema } from "../../contract/mod.ts";

/** True for an object of a JSON document that holds schemas. */
export function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}

/** An object with exactly these members. */
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

/** The schema with a description, and an example where one is given. */
export function described(
  description: string,
  schema: JsonSchema,
  example?: string | boolean,
): JsonSchema {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) };
}
