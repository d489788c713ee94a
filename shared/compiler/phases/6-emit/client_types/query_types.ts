/** Builds the types of reads' query parameters from the same table that OpenAPI lists them from (contract 4.3). */
import type { ProjectModel } from "../../../../model/mod.ts";
import { type Operation, operationsOf, parametersOf } from "../../../../surface/mod.ts";
import { historyName, pageName, readName } from "../openapi/component_names.ts";
import { schemaType } from "./schema_type.ts";
import { member, type TypeNode } from "./type_node.ts";

export function queryTypes(
  model: ProjectModel,
): readonly (readonly [name: string, type: TypeNode])[] {
  return operationsOf(model).flatMap((operation) => {
    const name = queryName(operation);
    return name === null ? [] : [
      [name, {
        kind: "object",
        members: parametersOf(operation, model).map(({ name, schema, description }) => ({
          ...member(name, schemaType(schema), description),
          optional: true,
        })),
      }] as const,
    ];
  });
}

/** Returns the name of the operation's query type; null if it has no query of its own. */
export function queryName(operation: Operation): string | null {
  switch (operation.kind) {
    case "list":
    case "view":
      return `${pageName(operation)}Query`;
    case "history":
      return `${historyName(operation)}Query`;
    case "get":
      return `${readName(operation)}Query`;
    default:
      return null;
  }
}
