/** The endpoint of several writes in one transaction (definitions 7 "changeset"): there where the project asks for it. */
import type { RuntimeCode } from "../contract/codes.ts";
import { CHANGESET_OPERATIONS_MAX } from "../contract/limits.ts";
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import type { ProjectModel } from "../model/project.ts";
import { authenticationCodes } from "./authentication_codes.ts";
import { type Operation, operationsOf } from "./operations.ts";
import type { JsonSchema } from "./parameters.ts";
import { preconditionCodes } from "./preconditions.ts";
import { codesOf } from "./responses.ts";
import { closed, type ServiceOperation, serviceOperation } from "./service_operation.ts";

/** What an operation of a changeset may be. */
export const CHANGESET_OPS = ["create", "update", "delete"] as const;

export type ChangesetOp = typeof CHANGESET_OPS[number];

export function changesetOperationsOf(project: ProjectModel): readonly ServiceOperation[] {
  return project.changeset ? [changeset(project)] : [];
}

/** The route's path, for whoever serves it. */
export function changesetPath(project: ProjectModel): string {
  return `${CONTRACT_VERSIONS[project.contract].apiBase}/changeset`;
}

function changeset(project: ProjectModel): ServiceOperation {
  return serviceOperation({
    id: "serviceChangeset",
    method: "POST",
    path: changesetPath(project),
    summary: "Write several records at once",
    description:
      'All or nothing, in order, each operation as its own route does it, at the cost of its own rate token. A value `{ "$ref": "<as>.<member>" }`, as `id` or as a field of `data`, takes what an earlier operation answered. The first refusal is the answer: `details.failedAt` says which operation it was.',
    auth: "any",
    isKeyed: true,
    isBodyRequired: true,
    body: bodySchema(project),
    bodyExample: bodyExample(project),
    success: closed({
      results: {
        type: "array",
        items: { type: "object" },
        description: "What each operation's own route answers, in their order.",
      },
    }),
    example: { results: [] },
    codes: changesetCodes(project),
  });
}

function writesOf(project: ProjectModel, op: ChangesetOp): readonly Operation[] {
  return operationsOf(project).filter(({ kind }) => kind === op);
}

function bodySchema(project: ProjectModel): JsonSchema {
  const items = CHANGESET_OPS.flatMap((op) => {
    const resources = writesOf(project, op).map(({ resource }) => resource.name);
    return resources.length === 0 ? [] : [operationSchema(op, resources)];
  });
  return closed({
    operations: {
      type: "array",
      minItems: 1,
      maxItems: CHANGESET_OPERATIONS_MAX,
      items: { anyOf: items },
    },
  });
}

function operationSchema(op: ChangesetOp, resources: readonly string[]): JsonSchema {
  return {
    type: "object",
    properties: {
      op: { const: op },
      resource: { type: "string", enum: resources, description: "Its URL segment is taken too." },
      ...(op === "create" ? {} : { id: { anyOf: [{ type: ["string", "integer"] }, REFERENCE] } }),
      ...(op === "delete" ? {} : { data: { type: "object" } }),
      as: {
        type: "string",
        pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,63}$",
        description: "A name for later operations to take the answer by.",
      },
    },
    required: [
      "op",
      "resource",
      ...(op === "create" ? [] : ["id"]),
      ...(op === "delete" ? [] : ["data"]),
    ],
    additionalProperties: false,
  };
}

const REFERENCE: JsonSchema = closed({ $ref: { type: "string" } });

function bodyExample(project: ProjectModel): JsonSchema {
  const [first] = writesOf(project, "delete");
  const operations = first
    ? [{ op: "delete", resource: first.resource.name, id: "<record_id>" }]
    : [];
  return { operations };
}

/** What any of its operations may be refused with, and the changeset itself. */
function changesetCodes(project: ProjectModel): readonly RuntimeCode[] {
  const path = changesetPath(project);
  const writes = CHANGESET_OPS.flatMap((op) => writesOf(project, op));
  const own: readonly RuntimeCode[] = [
    ...authenticationCodes(project, { method: "POST", isRequired: true }),
    ...preconditionCodes({ path, method: "POST" }, { revision: null }),
    "VALIDATION_INVALID_INPUT",
    "VALIDATION_ERROR",
    "INVALID_JSON",
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
    "BATCH_SIZE_EXCEEDED",
  ];
  // No operation inside has a condition of its own.
  return [...own, ...writes.flatMap((write) => codesOf(write, project))]
    .filter((code) => code !== "PRECONDITION_FAILED");
}
