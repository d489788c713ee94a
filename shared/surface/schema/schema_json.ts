/** An action's schemas as JSON Schema 2020-12, for the API description and for clients (definitions 5). */
import { z } from "zod";
import type { JsonValue } from "../../model/column.ts";
import type { SchemaModel } from "../../model/schema.ts";
import { zodSchemaOf } from "./zod_schema.ts";

export type JsonSchema = { readonly [key: string]: JsonValue };

/** What a caller sends, or what an answer is; an open schema allows everything. */
export function schemaJson(model: SchemaModel, direction: "input" | "output"): JsonSchema {
  if (model.kind === "jsonSchema") return model.schema;
  const { $schema: _, "~standard": _standard, ...schema } = z.toJSONSchema(zodSchemaOf(model), {
    io: direction,
  });
  return JSON.parse(JSON.stringify(schema));
}
