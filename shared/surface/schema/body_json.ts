/** A write body's schema as OpenAPI shows it: what zod checks, said by zod, and what each field is. */
import type { ResourceModel } from "../../model/resource.ts";
import type { TableModel } from "../../model/table.ts";
import type { JsonSchema } from "../parameters.ts";
import { columnNamed } from "../tables.ts";
import type { WriteVerb } from "../writable.ts";
import { bodySchema } from "./body.ts";
import { fieldText } from "./column_text.ts";
import { zodJson } from "./zod_json.ts";

export function bodyJsonSchema(
  verb: WriteVerb,
  resource: ResourceModel,
  table: TableModel,
): JsonSchema {
  const schema = zodJson(bodySchema(verb, resource, table), "input");
  return { ...schema, properties: described(schema.properties, table) };
}

function described(properties: JsonSchema[string] | undefined, table: TableModel): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, field]) => [
      name,
      { ...field, description: fieldText(columnNamed(name, table), table) },
    ]),
  );
}

/**
 * The same for generators of types, which by their defaults demand a member that has a default: beside `allOf` they see none
 * (extensions 1, `default` in request schemas).
 */
export function undemandedJsonSchema(
  verb: WriteVerb,
  resource: ResourceModel,
  table: TableModel,
): JsonSchema {
  const schema = bodyJsonSchema(verb, resource, table);
  const members = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { description, ...rest } = field;
    return [name, "default" in rest ? { description, allOf: [rest] } : field] as const;
  });
  return { ...schema, properties: Object.fromEntries(members) };
}
