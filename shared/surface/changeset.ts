/** The endpoint of several writes in one transaction (definitions 7 "changeset"): there where the project asks for it. */
import type { RuntimeCode } from "../contract/codes.ts";
import { CHANGESET_OPERATIONS_MAX } from "../contract/limits.ts";
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import type { ProjectModel } from "../model/project.ts";
import { type ActionOperation, actionOperationsOf } from "./action_operations.ts";
import { actionCodesOf } from "./action_responses.ts";
import { authenticationCodes } from "./authentication_codes.ts";
import { JSON_BODY_CODES } from "./common_codes.ts";
import { type Operation, operationsOf } from "./operations.ts";
import type { JsonSchema } from "./parameters.ts";
import { preconditionCodes } from "./preconditions.ts";
import { registersPush } from "./push.ts";
import { codesOf } from "./responses.ts";
import { closed, type ServiceOperation, serviceOperation } from "./service_operation.ts";
import { TEXT_PATTERN } from "./text_patterns.ts";

/** What an operation of a changeset may be. */
export const CHANGESET_OPS = ["create", "update", "delete", "action"] as const;

export type ChangesetOp = typeof CHANGESET_OPS[number];

/** The operations that a resource has by itself, or hands to an action. */
const CHANGESET_VERBS = CHANGESET_OPS.filter((op) => op !== "action");

/** Why an action cannot be part of a changeset; null: it can. */
export function changesetBar({ kind, method, path, action }: ActionOperation): string | null {
  if (kind === "bulkAction") return "takes several records";
  if (action.responseType !== "json") return `answers with a ${action.responseType}`;
  if (method === "GET") return "only reads";
  const parameters = path.split("/").filter((part) => part.startsWith(":"));
  return parameters.every((name) => kind === "recordAction" && name === ":id")
    ? null
    : "takes parameters in its path";
}

/** The actions that a changeset may hold under `op`: those of the resource's own, or those that a verb runs. */
function actionsOf(project: ProjectModel, op: ChangesetOp): readonly ActionOperation[] {
  return actionOperationsOf(project).filter((operation) =>
    operation.resource !== null && changesetBar(operation) === null &&
    (operation.action.verb ?? "action") === op
  );
}

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
      'All or nothing, in order, each operation as its own route does it, at the cost of its own rate token. An action takes its input as `data`. A value `{ "$ref": "<as>.<member>" }`, as `id` or as a field of `data`, takes what an earlier operation answered. The first refusal is the answer: `details.failedAt` says which operation it was.',
    who: "caller",
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

/** One that asks others before it writes cannot wait for them in the changeset's transaction. */
export function isChangesetOperation(operation: Operation): boolean {
  return !registersPush(operation);
}

function writesOf(project: ProjectModel, op: ChangesetOp): readonly Operation[] {
  return operationsOf(project).filter((operation) =>
    operation.kind === op && isChangesetOperation(operation)
  );
}

function bodySchema(project: ProjectModel): JsonSchema {
  const items = [
    ...CHANGESET_VERBS.flatMap((op) => {
      const own = writesOf(project, op).map(({ resource }) => resource.name);
      const handed = namesOf(actionsOf(project, op));
      return [
        ...(own.length === 0 ? [] : [operationSchema(op, own, op === "delete" ? [] : ["data"])]),
        ...(handed.length === 0 ? [] : [operationSchema(op, handed, ["data?"])]),
      ];
    }),
    ...actionSchemas(project),
  ];
  return closed({
    operations: {
      type: "array",
      minItems: 1,
      maxItems: CHANGESET_OPERATIONS_MAX,
      items: { anyOf: items },
    },
  });
}

function namesOf(operations: readonly ActionOperation[]): readonly string[] {
  return operations.flatMap(({ resource }) => resource?.name ?? []);
}

/** One for the actions of each resource: of records, and of none. */
function actionSchemas(project: ProjectModel): readonly JsonSchema[] {
  const all = actionsOf(project, "action");
  return [...new Set(namesOf(all))].flatMap((name) =>
    (["recordAction", "standaloneAction"] as const).flatMap((kind) => {
      const some = all.filter((one) => one.resource?.name === name && one.kind === kind);
      return some.length === 0 ? [] : [actionSchema(name, some)];
    })
  );
}

function actionSchema(resource: string, operations: readonly ActionOperation[]): JsonSchema {
  const binds = operations.some(({ kind }) => kind === "recordAction");
  return members({
    op: { const: "action" },
    resource: resourceSchema([resource]),
    action: {
      type: "string",
      enum: operations.map(({ action }) => action.name),
      description: "Its URL segment is taken too.",
    },
    ...(binds ? { id: ID } : {}),
    "data?": INPUT,
    "as?": AS,
  });
}

function operationSchema(
  op: ChangesetOp,
  resources: readonly string[],
  data: readonly ("data" | "data?")[],
): JsonSchema {
  return members({
    op: { const: op },
    resource: resourceSchema(resources),
    ...(op === "create" ? {} : { id: ID }),
    ...Object.fromEntries(data.map((name) => [name, name === "data" ? FIELDS : INPUT])),
    "as?": AS,
  });
}

/** A member whose name ends in a question mark may be left out. */
function members(told: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const names = Object.keys(told);
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(told).map(([name, schema]) => [name.replace(/\?$/, ""), schema]),
    ),
    required: names.filter((name) => !name.endsWith("?")),
    additionalProperties: false,
  };
}

function resourceSchema(names: readonly string[]): JsonSchema {
  return { type: "string", enum: names, description: "Its URL segment is taken too." };
}

/** `<as>.<member>`: the answer of an earlier operation, and what is taken of it. */
export const REFERENCE_PATTERN = "^([A-Za-z_][A-Za-z0-9_-]*)\\.([\\s\\S]+)$";

const REFERENCE: JsonSchema = closed({
  $ref: { type: "string", pattern: REFERENCE_PATTERN },
});

const ID: JsonSchema = {
  anyOf: [{ type: "string", minLength: 1, pattern: TEXT_PATTERN }, { type: "integer" }, REFERENCE],
};

const FIELDS: JsonSchema = { type: "object", description: "The fields of the record." };

const INPUT: JsonSchema = { type: "object", description: "The input of the action." };

const AS: JsonSchema = {
  type: "string",
  pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,63}$",
  description: "A name for later operations to take the answer by.",
};

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
  const writes = CHANGESET_VERBS.flatMap((op) => writesOf(project, op));
  const actions = CHANGESET_OPS.flatMap((op) => actionsOf(project, op));
  const own: readonly RuntimeCode[] = [
    ...authenticationCodes(project, { method: "POST", isRequired: true }),
    ...preconditionCodes({ path, method: "POST" }, { revision: null }),
    "VALIDATION_INVALID_INPUT",
    "VALIDATION_ERROR",
    ...JSON_BODY_CODES,
    "BATCH_SIZE_EXCEEDED",
  ];
  // No operation inside has a condition of its own.
  return [
    ...own,
    // What an action's own code refuses with.
    ...(actions.length === 0 ? [] : ["BATCH_FAIL_FAST_STOPPED" as const]),
    ...writes.flatMap((write) => codesOf(write, project)),
    ...actions.flatMap((action) => actionCodesOf(action, project)),
  ].filter((code) => code !== "PRECONDITION_FAILED");
}
