/** Describes the endpoint of several writes in one transaction (definitions 7 "changeset"), for projects that switch it on. */
import { CHANGESET_OPERATIONS_MAX, CONTRACT_VERSIONS, type RuntimeCode } from "../contract/mod.ts";
import type { ProjectModel, ResourceModel } from "../model/mod.ts";
import type { ActionOperation } from "./action_operations.ts";
import { actionCodesOf, actionOperationsOf, needsInput } from "./action_operations.ts";
import { authenticationCodes, JSON_BODY_CODES } from "./codes.ts";
import { type Operation, operationsOf, registersPush } from "./operations.ts";
import { pathNames, sentInput } from "./path_input.ts";
import type { JsonSchema } from "./parameters.ts";
import { preconditionCodes } from "./preconditions.ts";
import { codesOf } from "./responses.ts";
import { idSchema } from "./schema/batch.ts";
import { bodyJsonSchema } from "./schema/body.ts";
import { schemaJson } from "./schema/zod_json.ts";
import { closed, isSchema } from "./schema/json_schema.ts";
import { bodyOf, ok, systemRoute } from "./system_route.ts";
import { tableOf } from "./tables.ts";

export function changesetOperationsOf(project: ProjectModel) {
  return project.changeset
    ? [systemRoute({
      id: "serviceChangeset",
      method: "POST",
      path: changesetPath(project),
      summary: "Write several records at once",
      description:
        'All or nothing, in order, each operation as its own route does it, at the cost of its own rate token. An action takes its input as `data`. A value `{ "$ref": "<as>.<member>" }`, as `id` or as a field of `data`, takes what an earlier operation answered. The first refusal is the answer: `details.failedAt` says which operation it was.',
      who: "caller",
      keyed: true,
      body: bodyOf(
        closed({
          operations: {
            type: "array",
            minItems: 1,
            maxItems: CHANGESET_OPERATIONS_MAX,
            items: { anyOf: changesetOperations(project) },
          },
        }),
        bodyExample(project),
      ),
      answers: ok(
        closed({
          results: {
            type: "array",
            items: { type: "object" },
            description: "What each operation's own route answers, in their order.",
          },
        }),
        { results: [] },
      ),
      codes: () => changesetCodes(project),
    })]
    : [];
}

/** Returns the route's path. */
export function changesetPath(project: ProjectModel): string {
  return `${CONTRACT_VERSIONS[project.contract].apiBase}/changeset`;
}

function bodyExample(project: ProjectModel): JsonSchema {
  const [first] = changesetWritesOf(project, "delete");
  const operations = first
    ? [{ op: "delete", resource: first.resource.name, id: "<record_id>" }]
    : [];
  return { operations };
}

/** Returns the codes of the changeset itself and of all its operations. */
function changesetCodes(project: ProjectModel): readonly RuntimeCode[] {
  const path = changesetPath(project);
  const writes = CHANGESET_VERBS.flatMap((op) => changesetWritesOf(project, op));
  const actions = CHANGESET_OPS.flatMap((op) => changesetActionsOf(project, op));
  const own: readonly RuntimeCode[] = [
    ...authenticationCodes(project, { method: "POST", isRequired: true }),
    ...preconditionCodes({ kind: "changeset", path, method: "POST" }, { revision: null }),
    "VALIDATION_INVALID_INPUT",
    "VALIDATION_ERROR",
    ...JSON_BODY_CODES,
    "BATCH_SIZE_EXCEEDED",
  ];
  // An operation inside a changeset has no precondition of its own.
  return [
    ...own,
    // An action's own code may refuse, too.
    ...(actions.length === 0 ? [] : ["BATCH_FAIL_FAST_STOPPED" as const]),
    ...writes.flatMap((write) => codesOf(write, project)),
    ...actions.flatMap((action) => actionCodesOf(action, project)),
  ].filter((code) => code !== "PRECONDITION_FAILED");
}

/** Returns the schema of each operation that a changeset may contain. */
export function changesetOperations(project: ProjectModel): readonly JsonSchema[] {
  return [
    ...CHANGESET_VERBS.flatMap((op) =>
      changesetWritesOf(project, op).map(({ resource }) => {
        const verb = op === "create" || op === "update" ? op : null;
        return operationSchema({
          op: { const: op },
          resource: nameSchema(resource.name, resource.segment),
          ...(op === "create" ? {} : { id: recordId(resource, project) }),
          ...(verb === null
            ? {}
            : { data: withReferences(bodyJsonSchema(verb, resource, tableOf(resource, project))) }),
        });
      })
    ),
    ...CHANGESET_OPS.flatMap((op) =>
      changesetActionsOf(project, op).map((action) => {
        const { kind, resource } = action;
        const data = {
          ...withReferences(schemaJson(sentInput(action), "input")),
          type: "object",
        };
        return operationSchema({
          op: { const: op },
          ...(resource ? { resource: nameSchema(resource.name, resource.segment) } : {}),
          ...(op === "action"
            ? { action: nameSchema(action.action.name, action.action.segment) }
            : {}),
          ...(kind === "recordAction" && resource ? { id: recordId(resource, project) } : {}),
          [needsInput(action) ? "data" : "data?"]: data,
        });
      })
    ),
  ];
}

/** Returns an operation's schema. A member whose name ends in a question mark is optional. */
function operationSchema(told: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const members = Object.entries({ ...told, "as?": AS });
  return {
    type: "object",
    properties: Object.fromEntries(
      members.map(([name, schema]) => [name.replace(/\?$/, ""), schema]),
    ),
    required: members.map(([name]) => name).filter((name) => !name.endsWith("?")),
    additionalProperties: false,
  };
}

/** Returns the schema of a name, which may be its URL segment instead. */
function nameSchema(
  name: string,
  segment: string,
): JsonSchema {
  return name === segment ? { const: name } : { type: "string", enum: [name, segment] };
}

/** Returns the schema of a record's id. A number may be written as a text, as in addresses. */
function recordId(resource: ResourceModel, project: ProjectModel): JsonSchema {
  const table = tableOf(resource, project);
  const own = idSchema(table);
  if (table.idStrategy !== "serial") return orReference(own);
  const { description, ...number } = own;
  return orReference({
    ...(description === undefined ? {} : { description }),
    anyOf: [number, { type: "string", pattern: "^[1-9][0-9]*$" }],
  });
}

const AS: JsonSchema = {
  type: "string",
  pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,63}$",
  description: "A name for later operations to take the answer by.",
};

/** Kinds of operations in a changeset: the writes of records, and actions. */
export const CHANGESET_OPS = ["create", "update", "delete", "action"] as const;

export type ChangesetOp = typeof CHANGESET_OPS[number];

/** Operations that a resource runs itself, or maps to an action. */
const CHANGESET_VERBS = CHANGESET_OPS.filter((op) => op !== "action");

/** Returns the reason that excludes an action from changesets; null: none. */
export function changesetBar({ kind, method, path, action }: ActionOperation): string | null {
  if (kind === "bulkAction") return "takes several records";
  if (action.responseType !== "json") return `answers with a ${action.responseType}`;
  if (method === "GET") return "only reads";
  if (action.tenantOf) return "finds its tenant by itself";
  return pathNames(path).every((name) => kind === "recordAction" && name === "id")
    ? null
    : "takes parameters in its path";
}

/** Returns the actions that a changeset may contain under `op`: the resource's own actions, or those that a verb runs. */
function changesetActionsOf(
  project: ProjectModel,
  op: ChangesetOp,
): readonly ActionOperation[] {
  return actionOperationsOf(project).filter((operation) =>
    operation.resource !== null && changesetBar(operation) === null &&
    (operation.action.verb ?? "action") === op
  );
}

/**
 * True for an operation that a changeset may contain. One that needs answers from outside before it writes cannot wait for them
 * in the changeset's transaction.
 */
export function isChangesetOperation(operation: Operation): boolean {
  return !registersPush(operation);
}

/** Returns the operations of that verb that resources run themselves. */
function changesetWritesOf(project: ProjectModel, op: ChangesetOp): readonly Operation[] {
  return operationsOf(project).filter((operation) =>
    operation.kind === op && isChangesetOperation(operation)
  );
}

/** Pattern of a reference `<as>.<member>`: an earlier operation's result, and a member of it. */
export const REFERENCE_PATTERN = "^([A-Za-z_][A-Za-z0-9_-]*)\\.([\\s\\S]+)$";

/** Component schema of a reference. */
export const REFERENCE_SCHEMA: JsonSchema = {
  ...closed({ $ref: { type: "string", pattern: REFERENCE_PATTERN } }),
  description: "`<as>.<member>`: a member of what an operation before this one answered.",
};

const REFERENCE: JsonSchema = { $ref: "#/components/schemas/ChangesetReference" };

/** Schema of an object with only `$ref`, which is read as a reference and never as a value. */
const LONE_REFERENCE: JsonSchema = {
  type: "object",
  properties: { $ref: { description: "Whatever it is." } },
  required: ["$ref"],
  maxProperties: 1,
};

/** Returns the schema of a value, or of a reference to one. */
function orReference({ description, ...value }: JsonSchema): JsonSchema {
  const own = isMistakable(value) ? { ...value, not: LONE_REFERENCE } : value;
  return { ...(description === undefined ? {} : { description }), anyOf: [own, REFERENCE] };
}

/** Returns the same object, whose members may each be references. Values inside the members may not be. */
function withReferences(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties: others, anyOf, oneOf, allOf, ...rest } = schema;
  // With a reference in place of a discriminating member, a value may match several alternatives.
  const options = anyOf ?? oneOf;
  return {
    ...rest,
    ...(isSchema(properties)
      ? {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, one]) => [
            name,
            isSchema(one) ? orReference(one) : one,
          ]),
        ),
      }
      : {}),
    ...(others === undefined
      ? {}
      : { additionalProperties: isSchema(others) ? orReference(others) : others }),
    ...(Array.isArray(options) ? { anyOf: eachWithReferences(options) } : {}),
    ...(Array.isArray(allOf) ? { allOf: eachWithReferences(allOf) } : {}),
  };
}

function eachWithReferences(schemas: readonly unknown[]) {
  return schemas.map((one) => isSchema(one) ? withReferences(one) : {});
}

/** True when the schema allows an object with nothing but `$ref`. */
function isMistakable(schema: JsonSchema): boolean {
  const { type, properties, additionalProperties } = schema;
  if ("enum" in schema || "const" in schema) return false;
  const all = [schema["anyOf"], schema["oneOf"]].find(Array.isArray);
  if (all) return all.some((one: unknown) => isSchema(one) && isMistakable(one));
  const types: readonly unknown[] = Array.isArray(type) ? type : [type ?? "object"];
  if (!types.includes("object")) return false;
  return additionalProperties !== false ||
    (isSchema(properties) && Object.hasOwn(properties, "$ref"));
}
