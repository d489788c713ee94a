/** Parameter objects: those that several operations share stand under `components.parameters`, once. */
import type { ProjectModel } from "../../../../model/project.ts";
import { pascalCase } from "../../../../surface/names.ts";
import { type Operation, operationsOf } from "../../../../surface/operations.ts";
import { type JsonSchema, type Parameter, parametersOf } from "../../../../surface/parameters.ts";

/** OpenAPI 3.1, "Components Object". */
const COMPONENT_NAME = /^[a-zA-Z0-9._-]+$/;

/** The query parameters of an operation, by reference where they are shared. */
export function queryParameters(
  operation: Operation,
  project: ProjectModel,
): readonly JsonSchema[] {
  return parametersOf(operation, project).map((parameter) => {
    const name = sharedName(parameter, operation);
    return name === null ? queryParameter(parameter) : { $ref: `#/components/parameters/${name}` };
  });
}

/** Every shared parameter of the project, by name. */
export function sharedParameters(project: ProjectModel): JsonSchema {
  const shared = new Map<string, JsonSchema>();
  for (const operation of operationsOf(project)) {
    for (const parameter of parametersOf(operation, project)) {
      const name = sharedName(parameter, operation);
      if (name !== null) shared.set(name, queryParameter(parameter));
    }
  }
  return Object.fromEntries(shared);
}

/** Null: the parameter is its operation's own. The dot keeps filters apart from the rest. */
function sharedName({ name, use }: Parameter, { resource }: Operation): string | null {
  switch (use.kind) {
    case "limit":
    case "offset":
    case "order":
    case "total":
    case "cursor":
    case "scope":
      return pascalCase(name);
    case "filter": {
      const shared = `${pascalCase(resource.name)}.${name}`;
      return COMPONENT_NAME.test(shared) ? shared : null;
    }
    default:
      return null;
  }
}

/** Comma-separated lists are arrays without `explode`. */
function queryParameter({ name, description, schema, use }: Parameter): JsonSchema {
  const parameter = { name, in: "query", description };
  if (isJsonText(use)) return { ...parameter, content: { "application/json": { schema: {} } } };
  return {
    ...parameter,
    ...(schema["type"] === "array" ? { style: "form", explode: false } : {}),
    schema,
  };
}

/** A filter by what a JSON column holds, which is written as JSON; a list of such has commas that part nothing. */
function isJsonText(use: Parameter["use"]): boolean {
  return use.kind === "filter" && use.values.jsonItem !== null && !use.isList;
}
