/**
 * Builds parameter objects of queries, headers and paths. Those that several operations share are defined once, under
 * `components.parameters`.
 */
import { idExample } from "../../../../column_types/mod.ts";
import { IDEMPOTENCY_KEY_MAX_LENGTH } from "../../../../contract/mod.ts";
import type { ActionModel, ProjectModel, ResourceModel } from "../../../../model/mod.ts";
import type { JsonSchema, Operation, Parameter } from "../../../../surface/mod.ts";
import { anchorsRevision, clientIdPattern, isTagged } from "../../../../surface/mod.ts";
import { CURSOR_PARAMETERS, parametersOf, pascalCase, tableOf } from "../../../../surface/mod.ts";
import type { Components, Reference } from "./components.ts";
import { filterParameters, isFilter } from "./filters.ts";
import type { Describing } from "./resource_schemas.ts";

/** Matches a component's name (OpenAPI 3.1, "Components Object"). */
const COMPONENT_NAME = /^[a-zA-Z0-9._-]+$/;

/** Returns the query parameters of an operation, by reference if other operations may share them. */
export function queryParameters(
  operation: Operation,
  { project, components }: Describing,
): readonly JsonSchema[] {
  const parameters = parametersOf(operation, project);
  const filters = parameters.filter(isFilter);
  const own = sharedParameters(
    parameters.filter((parameter) => !isFilter(parameter)),
    operation,
    { components },
  );
  const name = `${pascalCase(operation.resource.name)}.filters`;
  const table = tableOf(operation.resource, project);
  return [...own, ...filterParameters(name, filters, table, components)];
}

/** Returns the parameters without filters. */
export function sharedParameters(
  parameters: readonly Parameter[],
  operation: Operation,
  { components }: Pick<Describing, "components">,
): readonly JsonSchema[] {
  return parameters.map((parameter) => {
    const name = sharedName(parameter, operation);
    return name === null
      ? queryParameter(parameter)
      : components.refer("parameters", name, () => queryParameter(parameter));
  });
}

/** Returns the parameters of pages by cursor, for a list that belongs to no resource. */
export function cursorParameters(components: Components): readonly JsonSchema[] {
  return CURSOR_PARAMETERS.map((parameter) =>
    components.refer("parameters", pascalCase(parameter.name), () => queryParameter(parameter))
  );
}

/**
 * Returns the shared name of a parameter; null if it belongs to its operation alone. A dot in the name separates a resource's
 * own from the rest.
 */
function sharedName({ name, use }: Parameter, { resource, view }: Operation): string | null {
  switch (use.kind) {
    case "limit":
    case "offset":
    case "order":
    case "total":
    case "cursor":
    case "scope":
    case "download":
      return pascalCase(name);
    case "fields":
    case "where":
    case "include":
    case "embeddedFields": {
      const shared = `${pascalCase(resource.name)}.${name.replace(/\[(.*)\]/, ".$1")}`;
      return view === null && COMPONENT_NAME.test(shared) ? shared : null;
    }
    default:
      return null;
  }
}

/** Returns a query parameter. Comma-separated lists are arrays without `explode`, objects are JSON. */
function queryParameter({ name, description, schema }: Parameter): JsonSchema {
  if (schema["type"] === "object") {
    return { name, in: "query", description, content: { "application/json": { schema } } };
  }
  return {
    name,
    in: "query",
    description,
    ...(schema["type"] === "array" ? { style: "form", explode: false } : {}),
    schema,
  };
}

/** Header parameters, by their names under `components.parameters`. */
const HEADER_PARAMETERS = {
  IfMatch: header(
    "If-Match",
    "Writes only when the record's `ETag` is among these; `*` for any. Weak tags match nothing.",
    { type: "string" },
  ),
  IfNoneMatch: header(
    "If-None-Match",
    "Answers 304 without a body when the answer's `ETag` is among these.",
    { type: "string" },
  ),
  Range: header(
    "Range",
    "One range of bytes, as `bytes=0-499`. Several, and what is no range, are answered by the whole file.",
    { type: "string", minLength: 1, maxLength: 1000 },
  ),
  IfRange: header(
    "If-Range",
    "The file's `ETag`: another file is answered whole, whatever the range.",
    { type: "string", minLength: 1, maxLength: 1000 },
  ),
  ContentDisposition: header(
    "Content-Disposition",
    "Name of the file: `attachment; filename*=UTF-8''photo.png`. Without it, it is named after the field.",
    { type: "string", minLength: 1, maxLength: 1000 },
  ),
  IdempotencyKey: header(
    "Idempotency-Key",
    "The write happens once: for 24 hours its repetition by the same caller is answered as it was. A new one for each write.",
    { type: "string", minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_LENGTH, pattern: "^[!-~]+$" },
  ),
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Returns the header parameters of an operation on a resource. */
export function headerParameters(
  operation: Operation,
  { project, components }: Describing,
): readonly JsonSchema[] {
  if (operation.method === "GET") {
    return isTagged(operation, project) ? [headerParameter("IfNoneMatch", components)] : [];
  }
  const anchors = anchorsRevision(operation, tableOf(operation.resource, project));
  return [
    ...(anchors ? [headerParameter("IfMatch", components)] : []),
    headerParameter("IdempotencyKey", components),
  ];
}

export function headerParameter(
  name: keyof typeof HEADER_PARAMETERS,
  components: Components,
): Reference {
  return components.refer("parameters", name, () => HEADER_PARAMETERS[name]);
}

/** True when an action replaces an operation of its resource and writes one record that counts its revisions. */
export function anchorsAction({ verb, table }: ActionModel, { tables }: ProjectModel): boolean {
  if (verb !== "update" && verb !== "delete") return false;
  return tables.some(({ name, revision }) => name === table && revision !== null);
}

function header(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: "header", description, schema };
}

/** Returns the path parameter that identifies one record, for every operation on it (contract 4.1, 4.4). */
export function idParameter(
  resource: ResourceModel,
  { project, components }: Describing,
  { isChosen = false }: { readonly isChosen?: boolean } = {},
): Reference {
  const table = tableOf(resource, project);
  const pattern = isChosen ? clientIdPattern(table) : null;
  const key = pattern ?? "";
  return components.referVariant("parameters", `${pascalCase(resource.name)}.id`, key, () => ({
    name: "id",
    in: "path",
    required: true,
    description: `Id of one of \`${resource.name}\`.`,
    schema: table.idStrategy === "serial"
      ? { type: "integer" }
      : { type: "string", ...(pattern === null ? {} : { pattern }) },
    example: idExample(table),
  }));
}
