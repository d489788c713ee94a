/** The body of a changeset as JSON Schema: what each operation takes is what its own route takes (definitions 7, contract 4.7). */
import { CHANGESET_OPERATIONS_MAX } from "../contract/limits.ts";
import type { ProjectModel } from "../model/project.ts";
import type { ResourceModel } from "../model/resource.ts";
import { type ActionOperation, needsInput } from "./action_operations.ts";
import {
  CHANGESET_OPS,
  CHANGESET_VERBS,
  changesetActionsOf,
  type ChangesetOp,
  changesetWritesOf,
} from "./changeset_parts.ts";
import { orReference, withReferences } from "./changeset_references.ts";
import type { Operation } from "./operations.ts";
import type { JsonSchema } from "./parameters.ts";
import { idSchema } from "./schema/batch.ts";
import { bodyJsonSchema } from "./schema/body_json.ts";
import { schemaJson } from "./schema/schema_json.ts";
import { closed } from "./service_operation.ts";
import { tableOf } from "./tables.ts";

export function changesetBody(project: ProjectModel): JsonSchema {
  const items = [
    ...CHANGESET_VERBS.flatMap((op) =>
      changesetWritesOf(project, op).map((write) => writeSchema(op, write, project))
    ),
    ...CHANGESET_OPS.flatMap((op) =>
      changesetActionsOf(project, op).map((action) => actionSchema(op, action, project))
    ),
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

function writeSchema(
  op: ChangesetOp,
  { resource }: Operation,
  project: ProjectModel,
): JsonSchema {
  const verb = op === "create" || op === "update" ? op : null;
  return operationSchema({
    op: { const: op },
    resource: nameSchema(resource),
    ...(op === "create" ? {} : { id: recordId(resource, project) }),
    ...(verb === null
      ? {}
      : { data: withReferences(bodyJsonSchema(verb, resource, tableOf(resource, project))) }),
  });
}

function actionSchema(
  op: ChangesetOp,
  { kind, action, resource }: ActionOperation,
  project: ProjectModel,
): JsonSchema {
  const data = { ...withReferences(schemaJson(action.input, "input")), type: "object" };
  return operationSchema({
    op: { const: op },
    ...(resource ? { resource: nameSchema(resource) } : {}),
    ...(op === "action" ? { action: nameSchema(action) } : {}),
    ...(kind === "recordAction" && resource ? { id: recordId(resource, project) } : {}),
    [needsInput(action) ? "data" : "data?"]: data,
  });
}

/** A member whose name ends in a question mark may be left out. */
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

/** Its name or its URL segment. */
function nameSchema(
  { name, segment }: { readonly name: string; readonly segment: string },
): JsonSchema {
  return name === segment ? { const: name } : { type: "string", enum: [name, segment] };
}

/** A number may be written as a text, as addresses have it. */
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
