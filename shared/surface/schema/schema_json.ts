/** An action's schemas as JSON Schema 2020-12, for the API description and for clients (definitions 5). */
import type { SchemaModel } from "../../model/schema.ts";
import type { JsonSchema } from "../parameters.ts";
import { zodJson } from "./zod_json.ts";
import { zodSchemaOf } from "./zod_schema.ts";

/** JSON Schema of a request or an answer; an open schema allows everything. */
export function schemaJson(model: SchemaModel, direction: "input" | "output"): JsonSchema {
  if (model.kind === "jsonSchema") return model.schema;
  return zodJson(zodSchemaOf(model), direction);
}
