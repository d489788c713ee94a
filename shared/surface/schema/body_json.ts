/** A write body's schema as OpenAPI shows it: what zod checks, said by zod. */
import { z } from "zod";
import type { ResourceModel } from "../../model/resource.ts";
import type { TableModel } from "../../model/table.ts";
import type { JsonSchema } from "../parameters.ts";
import type { WriteVerb } from "../writable.ts";
import { bodySchema } from "./body.ts";

export function bodyJsonSchema(
  verb: WriteVerb,
  resource: ResourceModel,
  table: TableModel,
): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(bodySchema(verb, resource, table), {
    io: "input",
  });
  return plainJson(schema);
}

/** Zod's output holds `undefined` and functions of its own beside the JSON. */
function plainJson(schema: object): JsonSchema {
  const parsed: JsonSchema = JSON.parse(JSON.stringify(schema));
  return parsed;
}
