/** Parameter objects, of queries, headers and paths: those that several operations share stand under `components.parameters`, once. */
import { idExample } from "../../../../column_types/mod.ts";
import { IDEMPOTENCY_KEY_MAX_LENGTH } from "../../../../contract/limits.ts";
import type { ActionModel } from "../../../../model/action.ts";
import type { ProjectModel } from "../../../../model/project.ts";
import type { ResourceModel } from "../../../../model/resource.ts";
import { clientIdPattern } from "../../../../surface/ids.ts";
import { pascalCase } from "../../../../surface/names.ts";
import { type Operation, operationsOf } from "../../../../surface/operations.ts";
import { type JsonSchema, type Parameter, parametersOf } from "../../../../surface/parameters.ts";
import { anchorsRevision, isTagged } from "../../../../surface/preconditions.ts";
import { tableOf } from "../../../../surface/tables.ts";
import { isKeyedWebhook, webhookOperationsOf } from "../../../../surface/webhook_operations.ts";
import { COMMON_HEADERS } from "./component_names.ts";

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

/** By their names under `components.parameters`. */
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
  IdempotencyKey: header(
    "Idempotency-Key",
    "The write happens once: for 24 hours its repetition by the same caller is answered as it was. A new one for each write.",
    { type: "string", minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_LENGTH, pattern: "^[!-~]+$" },
  ),
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const ETAG_HEADER: JsonSchema = {
  description:
    "Tag of what was answered: a record's revision in quotes, with a suffix for readers of whom something is masked, which `If-Match` takes; else a weak tag, for `If-None-Match` alone.",
  required: true,
  schema: { type: "string", pattern: '^(W/)?".*"$' },
};

type HeaderParameter = keyof typeof HEADER_PARAMETERS;

/** Header parameters of an operation on a resource. */
export function headerParameters(
  operation: Operation,
  project: ProjectModel,
): readonly JsonSchema[] {
  return namesFor(operation, project).map(headerParameterRef);
}

export function headerParameterRef(name: HeaderParameter): { readonly $ref: string } {
  return { $ref: `#/components/parameters/${name}` };
}

function namesFor(operation: Operation, project: ProjectModel): readonly HeaderParameter[] {
  if (operation.method === "GET") return isTagged(operation, project) ? ["IfNoneMatch"] : [];
  const anchors = anchorsRevision(operation, tableOf(operation.resource, project));
  return [...(anchors ? ["IfMatch" as const] : []), "IdempotencyKey"];
}

/** Header parameters that these operations refer to, by component name. */
export function sharedHeaderParameters(
  operations: readonly Operation[],
  project: ProjectModel,
): JsonSchema {
  const used = new Set<string>([
    ...operations.flatMap((operation) => namesFor(operation, project)),
    ...(project.actions.some((action) => anchorsAction(action, project)) ? ["IfMatch"] : []),
    ...(project.changeset || project.actions.length > 0 ||
        webhookOperationsOf(project).some(({ kind }) => isKeyedWebhook(kind))
      ? ["IdempotencyKey"]
      : []),
  ]);
  return Object.fromEntries(Object.entries(HEADER_PARAMETERS).filter(([name]) => used.has(name)));
}

/** True when an action writes one record that counts its revisions, in the place of an operation of its resource. */
export function anchorsAction({ verb, table }: ActionModel, { tables }: ProjectModel): boolean {
  if (verb !== "update" && verb !== "delete") return false;
  return tables.some(({ name, revision }) => name === table && revision !== null);
}

/** The headers of what has a tag. */
export function taggedHeaders(operation: Operation, project: ProjectModel): JsonSchema {
  if (!isTagged(operation, project)) return COMMON_HEADERS;
  return { ...COMMON_HEADERS, ETag: { $ref: "#/components/headers/ETag" } };
}

/** The 304 of a read that may be asked for on a condition. */
export function notModifiedResponses(operation: Operation, project: ProjectModel): JsonSchema {
  if (operation.method !== "GET" || !isTagged(operation, project)) return {};
  return {
    "304": {
      description: "The caller holds the answer already.",
      headers: taggedHeaders(operation, project),
    },
  };
}

function header(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: "header", description, schema };
}

/** The path parameter that names one record, of whatever runs on it (contract 4.1, 4.4). */
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
