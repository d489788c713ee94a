/** `components`: every schema, response and header that operations refer to, and no other. */
import { RUNTIME_CODES } from "../../../../contract/codes.ts";
import { PROBLEM_MEDIA_TYPE } from "../../../../contract/headers.ts";
import { RETRY_AFTER_SECONDS } from "../../../../contract/limits.ts";
import type { ProjectModel } from "../../../../model/project.ts";
import { authOperationsOf } from "../../../../surface/auth_operations.ts";
import { REFERENCE_SCHEMA } from "../../../../surface/changeset.ts";
import { embeddablesOf } from "../../../../surface/embeddables.ts";
import { type Operation, operationsOf, VERBS } from "../../../../surface/operations.ts";
import { type JsonSchema, outputColumns } from "../../../../surface/parameters.ts";
import { isTagged } from "../../../../surface/preconditions.ts";
import { itemCodesOf } from "../../../../surface/responses.ts";
import {
  BATCH_ID_ERROR,
  BATCH_META,
  BATCH_RECORD_ERROR,
  batchErrorSchema,
  batchSchema,
  chosenIdSchema,
  deletedColumns,
  idsBodySchema,
  idSchema,
  namedRecordSchema,
  recordsBodySchema,
} from "../../../../surface/schema/batch.ts";
import { undemandedJsonSchema } from "../../../../surface/schema/body.ts";
import {
  aggregationsSchema,
  DELETED,
  includedSchema,
  pageSchema,
  PAGINATION,
  problemSchema,
  RATE_LIMITED,
  withIncluded,
} from "../../../../surface/schema/envelopes.ts";
import { recordSchema } from "../../../../surface/schema/record.ts";
import { tableOf } from "../../../../surface/tables.ts";
import { webhookOperationsOf } from "../../../../surface/webhook_operations.ts";
import { ANSWER_HEADERS, isLocated, isPaged } from "./answer_headers.ts";
import {
  batchName,
  bodyName,
  COMMON_HEADERS,
  isBodyKind,
  pageName,
  readName,
  recordName,
  schemaRef,
  securitySchemesOf,
} from "./component_names.ts";
import { ETAG_HEADER, sharedHeaderParameters, sharedParameters } from "./parameters.ts";
import { jsonContent } from "./path_entry.ts";

export function componentsOf(
  project: ProjectModel,
  { isLimited }: { readonly isLimited: boolean },
): JsonSchema {
  const operations = operationsOf(project);
  const hasAccounts = authOperationsOf(project).length > 0;
  const parameters = {
    ...sharedParameters(project),
    ...sharedHeaderParameters(operations, project),
  };
  const webhooks = webhookOperationsOf(project);
  return {
    securitySchemes: securitySchemesOf(project),
    schemas: schemasOf(operations, { project, isLimited, hasAccounts }),
    parameters,
    responses: {
      ...(isLimited ? { RateLimited: RATE_LIMITED_RESPONSE } : {}),
      ...(hasAccounts ? { AccountRefusal: ACCOUNT_REFUSAL_RESPONSE } : {}),
    },
    headers: {
      ...(isLimited ? { RetryAfter: RETRY_AFTER } : {}),
      WwwAuthenticate: WWW_AUTHENTICATE,
      RequestId: REQUEST_ID,
      ...(project.actions.length > 0 ? { PreferenceApplied: PREFERENCE_APPLIED } : {}),
      ...(operations.some((one) => isTagged(one, project)) ? { ETag: ETAG_HEADER } : {}),
      ...(operations.some(isLocated) || webhooks.some(isLocated)
        ? { Location: ANSWER_HEADERS.Location }
        : {}),
      ...(operations.some(isPaged) || webhooks.some(isPaged)
        ? { PageLinks: ANSWER_HEADERS.PageLinks }
        : {}),
      ...(Object.hasOwn(parameters, "IdempotencyKey") ? { Replayed: ANSWER_HEADERS.Replayed } : {}),
    },
  };
}

interface Needs {
  readonly project: ProjectModel;
  readonly isLimited: boolean;
  readonly hasAccounts: boolean;
}

function schemasOf(operations: readonly Operation[], needs: Needs): JsonSchema {
  const { project, isLimited, hasAccounts } = needs;
  const kinds = new Set(operations.map(({ kind }) => kind));
  const schemas = new Map<string, JsonSchema>();
  for (const operation of operations) {
    for (const [name, schema] of ownSchemas(operation, project)) schemas.set(name, schema);
  }
  return {
    ...Object.fromEntries(schemas),
    ...(kinds.has("list") ? { Pagination: PAGINATION } : {}),
    ...(kinds.has("delete") ? { Deleted: DELETED } : {}),
    ...sharedBatchSchemas(operations, project),
    ...(project.changeset ? { ChangesetReference: REFERENCE_SCHEMA } : {}),
    Problem: problemSchema(),
    ...(isLimited ? { RateLimited: RATE_LIMITED } : {}),
    ...(hasAccounts ? { AccountRefusal: ACCOUNT_REFUSAL } : {}),
  };
}

function ownSchemas(
  operation: Operation,
  project: ProjectModel,
): readonly (readonly [string, JsonSchema])[] {
  const { kind, resource } = operation;
  const table = tableOf(resource, project);
  if (kind === "delete") return [];
  if (kind === "batchDelete") return batchSchemas(operation, project);
  const record = [
    recordName(operation),
    recordSchema(resource, outputColumns(operation, table), project),
  ] as const;
  const embedded: readonly (readonly [string, JsonSchema])[] = embeddablesOf(operation, project)
    .map(({ resource, table }) => [
      recordName({ resource, view: null }),
      recordSchema(resource, table.columns.map(({ name }) => name), project),
    ]);
  const included = includedOf(operation, project);
  switch (kind) {
    case "list":
    case "view":
      return [record, [
        pageName(operation),
        pageSchema(schemaRef(recordName(operation)), operation.view?.name ?? null, {
          aggregations: aggregationsSchema(operation.view?.aggregations ?? [], table),
          included,
        }),
      ], ...embedded];
    case "get":
      return included === null
        ? [record]
        : [[readName(operation), withIncluded(record[1], included)], ...embedded];
    case "create":
    case "update":
    case "upsert":
      return [record, [bodyName(kind, operation), undemandedJsonSchema(kind, resource, table)]];
    case "batchCreate":
    case "batchUpdate":
    case "batchUpsert":
      return [record, ...batchSchemas(operation, project)];
  }
}

/** Null: the operation includes nothing. */
function includedOf(operation: Operation, project: ProjectModel): JsonSchema | null {
  const embeddables = embeddablesOf(operation, project);
  if (embeddables.length === 0) return null;
  return includedSchema(
    Object.fromEntries(embeddables.map(({ column, resource }) => [
      column.name,
      schemaRef(recordName({ resource, view: null })),
    ])),
  );
}

const RATE_LIMITED_RESPONSE: JsonSchema = {
  description: `\`RATE_LIMITED\`: ${RUNTIME_CODES.RATE_LIMITED.title}.`,
  headers: { ...COMMON_HEADERS, "Retry-After": { $ref: "#/components/headers/RetryAfter" } },
  content: jsonContent(schemaRef("RateLimited"), {
    error: RUNTIME_CODES.RATE_LIMITED.title,
    code: "RATE_LIMITED",
    retryAfter: RETRY_AFTER_SECONDS,
  }),
};

const RETRY_AFTER: JsonSchema = {
  description: "Seconds to wait.",
  required: true,
  schema: { const: RETRY_AFTER_SECONDS },
};

const WWW_AUTHENTICATE: JsonSchema = {
  description:
    "How to authenticate (RFC 6750). `resource_metadata` leads to the description of this resource (RFC 9728); `error` says why a token was refused.",
  required: true,
  schema: { type: "string" },
};

const REQUEST_ID: JsonSchema = {
  description: "The id under which the request stands in the log.",
  required: true,
  schema: { type: "string", minLength: 1 },
};

const PREFERENCE_APPLIED: JsonSchema = {
  description: "`dry-run` when `dryRun` was asked for, and nothing was kept (RFC 7240).",
  schema: { type: "string", const: "dry-run" },
};

const ACCOUNT_REFUSAL: JsonSchema = {
  type: "object",
  description: "A refusal by the account library.",
  properties: {
    message: { type: "string", description: "What is wrong, for people." },
    code: { type: "string", minLength: 1, description: "What is wrong, for programs." },
  },
};

const ACCOUNT_REFUSAL_RESPONSE: JsonSchema = {
  description: "Refused; `code` says why. What the service refuses itself is a problem document.",
  headers: {
    ...COMMON_HEADERS,
    "WWW-Authenticate": {
      description: "With a problem document of 401: how to authenticate.",
      schema: { type: "string" },
    },
    "Retry-After": {
      description:
        "Seconds to wait, when too many attempts were made or the database cannot be used.",
      schema: { type: "integer", minimum: 1 },
    },
  },
  content: {
    ...jsonContent(schemaRef("AccountRefusal"), {
      message: "Invalid email or password",
      code: "INVALID_EMAIL_OR_PASSWORD",
    }),
    [PROBLEM_MEDIA_TYPE]: { schema: schemaRef("Problem") },
  },
};

/** Components of batches (contract 2.6, 4.1 rule 6). */
type Schemas = readonly (readonly [name: string, JsonSchema])[];

/** Body and answer of a batch; none for any other operation. */
function batchSchemas(operation: Operation, project: ProjectModel): Schemas {
  const { kind, resource, batch } = operation;
  if (batch === null || !isBodyKind(kind)) return [];
  const table = tableOf(resource, project);
  const verb = VERBS[kind];
  if (verb === "read") return [];
  if (verb === "delete") {
    const record = recordSchema(resource, deletedColumns(resource, table), project);
    return [
      [bodyName(kind, operation), idsBodySchema(table, batch)],
      [batchName("id", operation), batchSchema(record, "id")],
    ];
  }
  const fields = undemandedJsonSchema(verb, resource, table);
  const id = verb === "upsert" ? chosenIdSchema(table) : idSchema(table);
  const record = verb === "create" ? fields : namedRecordSchema(fields, table, id);
  return [
    [bodyName(kind, operation), recordsBodySchema(record, batch)],
    [batchName("record", operation), batchSchema(schemaRef(recordName(operation)), "record")],
  ];
}

/** Schemas that all batches share; empty where there is no batch. */
function sharedBatchSchemas(
  operations: readonly Operation[],
  project: ProjectModel,
): JsonSchema {
  const batches = operations.filter(({ batch }) => batch !== null);
  if (batches.length === 0) return {};
  const codes = new Set(batches.flatMap((operation) => itemCodesOf(operation, project)));
  const hasIds = batches.some(({ kind }) => VERBS[kind] === "delete");
  const hasRecords = batches.some(({ kind }) => VERBS[kind] !== "delete");
  return {
    ...(hasRecords ? { BatchRecordError: BATCH_RECORD_ERROR } : {}),
    ...(hasIds ? { BatchIdError: BATCH_ID_ERROR } : {}),
    BatchError: batchErrorSchema([...codes].sort()),
    BatchMeta: BATCH_META,
  };
}
