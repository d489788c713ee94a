/** The request headers that an operation reads, and the tag that its answers carry (contract 4.1 rule 8, definitions 7). */
import { IDEMPOTENCY_KEY_MAX_LENGTH } from "../../../../contract/limits.ts";
import type { ActionModel } from "../../../../model/action.ts";
import type { ProjectModel } from "../../../../model/project.ts";
import type { Operation } from "../../../../surface/operations.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { anchorsRevision, isTagged } from "../../../../surface/preconditions.ts";
import { tableOf } from "../../../../surface/tables.ts";
import { isKeyedWebhook, webhookOperationsOf } from "../../../../surface/webhook_operations.ts";
import { COMMON_HEADERS } from "./component_names.ts";

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
    ...(project.changeset || project.actions.length > 0 || hasKeyedWebhooks(project)
      ? ["IdempotencyKey"]
      : []),
  ]);
  return Object.fromEntries(Object.entries(HEADER_PARAMETERS).filter(([name]) => used.has(name)));
}

function hasKeyedWebhooks(project: ProjectModel): boolean {
  return webhookOperationsOf(project).some(({ kind }) => isKeyedWebhook(kind));
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
