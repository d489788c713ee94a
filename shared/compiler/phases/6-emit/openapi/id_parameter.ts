/** The path parameter that names one record, of whatever runs on it (contract 4.1, 4.4). */
import type { ProjectModel } from "../../../../model/project.ts";
import type { ResourceModel } from "../../../../model/resource.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { idExample } from "../../../../surface/schema/examples.ts";
import { tableOf } from "../../../../surface/tables.ts";

export function idParameter(resource: ResourceModel, project: ProjectModel): JsonSchema {
  const table = tableOf(resource, project);
  return {
    name: "id",
    in: "path",
    required: true,
    description: `Id of one of \`${resource.name}\`.`,
    schema: { type: table.idStrategy === "serial" ? "integer" : "string" },
    example: idExample(table),
  };
}
