/** The path parameter that names one record, of whatever runs on it (contract 4.1, 4.4). */
import type { ProjectModel } from "../../../../model/project.ts";
import type { ResourceModel } from "../../../../model/resource.ts";
import { clientIdPattern } from "../../../../surface/ids.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { idExample } from "../../../../column_types/mod.ts";
import { tableOf } from "../../../../surface/tables.ts";

export function idParameter(
  resource: ResourceModel,
  project: ProjectModel,
  { isChosen = false }: { readonly isChosen?: boolean } = {},
): JsonSchema {
  const table = tableOf(resource, project);
  const pattern = isChosen ? clientIdPattern(table) : null;
  return {
    name: "id",
    in: "path",
    required: true,
    description: `Id of one of \`${resource.name}\`.`,
    schema: table.idStrategy === "serial"
      ? { type: "integer" }
      : { type: "string", ...(pattern === null ? {} : { pattern }) },
    example: idExample(table),
  };
}
