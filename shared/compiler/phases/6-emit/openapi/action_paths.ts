/** The routes of actions as operation objects (contract 4.4). */
import { PROBLEM_MEDIA_TYPE } from "../../../../contract/headers.ts";
import { BATCH_SIZE_DEFAULT } from "../../../../contract/limits.ts";
import { type JsonValue, TEXT_PATTERN } from "../../../../contract/fields.ts";
import type { ResponseType, SchemaModel } from "../../../../model/action.ts";
import type { ProjectModel } from "../../../../model/project.ts";
import {
  actionCodesOf,
  type ActionOperation,
  actionOperationsOf,
  needsInput,
} from "../../../../surface/action_operations.ts";
import { whoMayRun } from "../../../../surface/who.ts";
import { type JsonSchema, SCOPE_PARAMETER } from "../../../../surface/parameters.ts";
import { idSchema } from "../../../../surface/schema/batch.ts";
import { schemaExample } from "../../../../surface/schema/examples.ts";
import { schemaJson } from "../../../../surface/schema/zod_json.ts";
import { tableOf } from "../../../../surface/tables.ts";
import { COMMON_HEADERS, securityOf } from "./component_names.ts";
import { anchorsAction, headerParameterRef, idParameter } from "./parameters.ts";
import { type PathEntry, refusalResponses, SERVICE_TAG, templated } from "./path_entry.ts";

export function actionPathEntries(project: ProjectModel): readonly PathEntry[] {
  return actionOperationsOf(project).map((operation) => ({
    path: templated(operation.path),
    method: operation.method,
    operation: operationObject(operation, project),
  }));
}

function operationObject(operation: ActionOperation, project: ProjectModel): JsonSchema {
  const { id, kind, method, action, resource, access } = operation;
  const who = whoMayRun(operation);
  return {
    operationId: id,
    tags: [resource?.name ?? SERVICE_TAG],
    summary: kind === "bulkAction" ? `${action.description}: several records` : action.description,
    description: DESCRIPTIONS[kind],
    security: securityOf(project, { who, access }),
    ...(action.unsafe ? { "x-unsafe": true } : {}),
    parameters: [
      ...operation.path.split("/").filter((part) => part.startsWith(":")).map((part) => {
        const name = part.slice(1);
        if (operation.kind === "recordAction" && name === "id" && operation.resource) {
          return idParameter(operation.resource, project);
        }
        return {
          name,
          in: "path",
          required: true,
          description: `\`${name}\` of the action's path.`,
          schema: { type: "string" },
        };
      }),
      ...(method === "GET" ? queryParameters(action.input) : []),
      DRY_RUN,
      ...(who === "anyone" ? [SCOPE] : []),
      ...(operation.method !== "GET" && operation.action.responseType === "json"
        ? [headerParameterRef("IdempotencyKey")]
        : []),
      ...(anchorsAction(action, project) ? [headerParameterRef("IfMatch")] : []),
    ],
    ...(method === "GET" ? {} : { requestBody: requestBody(operation, project) }),
    responses: responsesOf(operation, project),
  };
}

const DESCRIPTIONS: Readonly<Record<ActionOperation["kind"], string>> = {
  recordAction: "Runs on one record, in one transaction.",
  standaloneAction: "Runs in one transaction.",
  bulkAction:
    "Runs on each record by itself: 207 when some were refused. With `options.failFast` the first refusal ends the request and undoes it.",
};

const DRY_RUN: JsonSchema = {
  name: "dryRun",
  in: "query",
  description: "Runs the whole action and takes it back: `Preference-Applied: dry-run`.",
  schema: { type: "boolean" },
};

const SCOPE: JsonSchema = {
  name: SCOPE_PARAMETER,
  in: "query",
  description: "The organization that an anonymous caller acts in.",
  schema: { type: "string" },
};

function queryParameters(input: SchemaModel): readonly JsonSchema[] {
  if (input.kind !== "object") return [];
  return input.members.map(({ name, schema }) => ({
    name,
    in: "query",
    required: schema.kind !== "optional" && schema.kind !== "default",
    description: `\`${name}\` of the action's input.`,
    ...(isList(schema) ? { style: "form", explode: false } : {}),
    schema: schemaJson(schema, "input"),
  }));
}

function isList(schema: SchemaModel): boolean {
  const isWrapped = schema.kind === "optional" || schema.kind === "nullable" ||
    schema.kind === "default";
  return isWrapped ? isList(schema.of) : schema.kind === "array";
}

function requestBody(
  { kind, action, resource }: ActionOperation,
  project: ProjectModel,
): JsonSchema {
  const own = schemaJson(action.input, "input");
  const isNeeded = needsInput(action);
  const schema = kind === "bulkAction" && resource
    ? {
      type: "object",
      properties: {
        ids: {
          type: "array",
          items: idSchema(tableOf(resource, project)),
          minItems: 1,
          maxItems: BATCH_SIZE_DEFAULT,
        },
        input: own,
        options: {
          type: "object",
          properties: { failFast: { type: "boolean" } },
          additionalProperties: false,
        },
      },
      required: isNeeded ? ["ids", "input"] : ["ids"],
      additionalProperties: false,
    }
    : own;
  return {
    required: kind === "bulkAction" || isNeeded,
    content: { "application/json": exampled(schema) },
  };
}

/** With an example, where one can be made up: nobody but its author knows what meets a pattern. */
function exampled(schema: JsonSchema): JsonSchema {
  return isPatterned(schema) ? { schema } : { schema, example: schemaExample(schema) };
}

function isPatterned(schema: JsonValue | undefined): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const pattern: unknown = Reflect.get(schema, "pattern") ?? TEXT_PATTERN;
  return pattern !== TEXT_PATTERN || Object.values(schema).some(isPatterned);
}

/** The action's own refusals are flat, and of any status. */
const REFUSED: JsonSchema = {
  type: "object",
  properties: { error: { type: "string" }, code: { type: "string" }, details: {} },
  required: ["error", "code"],
  additionalProperties: false,
};

function responsesOf(operation: ActionOperation, project: ProjectModel): JsonSchema {
  const { kind, status } = operation;
  const headers = {
    ...COMMON_HEADERS,
    "Preference-Applied": { $ref: "#/components/headers/PreferenceApplied" },
  };
  const success = { description: "What the action answers.", headers };
  const content = contentOf(operation);
  const problems = refusalResponses(actionCodesOf(operation, project), operation.method);
  return {
    [String(status)]: { ...success, content },
    ...(kind === "bulkAction" ? { "207": { ...success, content } } : {}),
    ...withFlatRefusals(problems),
    default: {
      description: DEFAULTS[operation.action.responseType],
      headers: operation.action.responseType === "json" ? COMMON_HEADERS : headers,
      content: {
        "application/json": { schema: REFUSED },
        // The handler's own response has the status that it likes.
        ...(operation.action.responseType === "json" ? {} : content),
      },
    },
  };
}

const DEFAULTS: Readonly<Record<ResponseType, string>> = {
  json: "What the action itself refuses with.",
  stream: "What the action itself refuses with, or its stream under another status.",
  file: "What the action itself refuses with, or its file under another status.",
};

function withFlatRefusals(problems: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(problems).map(([status, response]) => {
      const isObject = typeof response === "object" && response !== null;
      const content: unknown = isObject ? Reflect.get(response, "content") : null;
      if (!isObject || typeof content !== "object" || content === null) return [status, response];
      const problem = Reflect.get(content, PROBLEM_MEDIA_TYPE);
      const both = { [PROBLEM_MEDIA_TYPE]: problem, "application/json": { schema: REFUSED } };
      return [status, { ...response, content: both }];
    }),
  );
}

function contentOf({ kind, action }: ActionOperation): JsonSchema {
  const { responseType } = action;
  if (responseType === "stream") return { "text/event-stream": { schema: { type: "string" } } };
  if (responseType === "file") return { "*/*": { schema: {} } };
  const schema = successSchema(action);
  const all = kind === "bulkAction"
    ? {
      type: "object",
      properties: {
        success: { type: "array", items: schema },
        errors: {
          type: "array",
          items: {
            type: "object",
            properties: {
              index: { type: "integer" },
              id: { type: ["string", "number"] },
              error: { type: "object" },
            },
            required: ["index", "id", "error"],
            additionalProperties: false,
          },
        },
        meta: {
          type: "object",
          properties: {
            total: { type: "integer" },
            succeeded: { type: "integer" },
            failed: { type: "integer" },
            failFast: { type: "boolean" },
            transactional: { type: "boolean" },
          },
          required: ["total", "succeeded", "failed", "failFast", "transactional"],
          additionalProperties: false,
        },
      },
      required: ["success", "errors", "meta"],
      additionalProperties: false,
    }
    : schema;
  // Of a handler without `output` nothing is known.
  return { "application/json": Object.keys(all).length === 0 ? { schema: all } : exampled(all) };
}

/** Schema of a success, also for client types; a transition without a handler answers its own form (contract 3.2). */
export function successSchema(
  { output, handler, transition }: ActionOperation["action"],
): JsonSchema {
  if (handler === null && transition !== null) {
    const { field, stamp } = transition;
    return {
      type: "object",
      properties: {
        success: { const: true },
        [field]: {
          type: "string",
          enum: transition.target.kind === "to"
            ? [transition.target.state]
            : [...new Set(Object.values(transition.fromTo).flat())],
        },
        ...(stamp === null ? {} : {
          [stamp]: { type: ["string", "null"], format: "date-time" },
        }),
      },
      required: ["success", field, ...(stamp === null ? [] : [stamp])],
      additionalProperties: false,
    };
  }
  return output === null ? {} : schemaJson(output, "output");
}
