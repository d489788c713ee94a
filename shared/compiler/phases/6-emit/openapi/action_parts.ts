/** Builds parts of the descriptions of actions (contract 4.4). */
import { BATCH_SIZE_DEFAULT, type JsonValue, TEXT_PATTERN } from "../../../../contract/mod.ts";
import type { ProjectModel, ResponseType, SchemaModel } from "../../../../model/mod.ts";
import * as actions from "../../../../surface/action_operations.ts";
import { idSchema, type JsonSchema, schemaJson, SCOPE_PARAMETER } from "../../../../surface/mod.ts";
import { pathInputOf, pathNames, sentInput, tableOf } from "../../../../surface/mod.ts";
import { schemaExample } from "../../../../lib/schema_example.ts";
import type { Components } from "./components.ts";
import { anchorsAction, headerParameter, idParameter } from "./parameters.ts";
import type { Describing } from "./resource_schemas.ts";
import type { RouteParts } from "./route_object.ts";
import * as responses from "./responses.ts";

export function actionParts(
  operation: actions.ActionOperation,
  { project, components }: Describing,
): RouteParts {
  const { kind, method, action, access, grant, who } = operation;
  const sent = sentInput(operation);
  return {
    summary: kind === "bulkAction" ? `${action.description}: several records` : action.description,
    description: DESCRIPTIONS[kind],
    access,
    grant,
    isUnsafe: action.unsafe !== null,
    parameters: [
      ...pathNames(operation.path).map((name) => {
        if (operation.kind === "recordAction" && name === "id" && operation.resource) {
          return idParameter(operation.resource, { project, components });
        }
        return {
          name,
          in: "path",
          required: true,
          description: `\`${name}\` of the action's path.`,
          schema: pathSchema(name, operation),
        };
      }),
      ...(method === "GET" && sent.kind === "object"
        ? sent.members.map(({ name, schema }) => ({
          name,
          in: "query",
          required: schema.kind !== "optional" && schema.kind !== "default",
          description: `\`${name}\` of the action's input.`,
          ...(isList(schema) ? { style: "form", explode: false } : {}),
          schema: schemaJson(schema, "input"),
        }))
        : []),
      components.refer("parameters", "DryRun", () => DRY_RUN),
      ...(who === "anyone" && !action.tenantOf ? [SCOPE] : []),
      ...(operation.keyed ? [headerParameter("IdempotencyKey", components)] : []),
      ...(anchorsAction(action, project) ? [headerParameter("IfMatch", components)] : []),
    ],
    requestBody: method === "GET" ? null : requestBody(operation, project),
    answers: successesOf(operation, components),
    codes: actions.actionCodesOf(operation, project),
    isAction: true,
    rest: () => ({ default: ownResponse(operation, components) }),
  };
}

const DESCRIPTIONS: Readonly<Record<actions.ActionOperation["kind"], string>> = {
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

function isList(schema: SchemaModel): boolean {
  const isWrapped = schema.kind === "optional" || schema.kind === "nullable" ||
    schema.kind === "default";
  return isWrapped ? isList(schema.of) : schema.kind === "array";
}

/** Returns the schema of the input's member of that name. A parameter that only the handler reads is any text. */
function pathSchema(name: string, operation: actions.ActionOperation): JsonSchema {
  const member = pathInputOf(operation).find((one) => one.name === name);
  return member ? schemaJson(member.schema, "input") : { type: "string" };
}

function requestBody(operation: actions.ActionOperation, project: ProjectModel): JsonSchema {
  const { kind, resource } = operation;
  const own = schemaJson(sentInput(operation), "input");
  const isNeeded = actions.needsInput(operation);
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
    content: exampled(schema),
  };
}

/** Adds an example if one can be generated. Only an author knows texts that match a pattern. */
function exampled(schema: JsonSchema): JsonSchema {
  return responses.jsonContent(
    schema,
    isPatterned(schema) ? {} : { example: schemaExample(schema) },
  );
}

function isPatterned(schema: JsonValue | undefined): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const pattern: unknown = Reflect.get(schema, "pattern") ?? TEXT_PATTERN;
  return pattern !== TEXT_PATTERN || Object.values(schema).some(isPatterned);
}

function successesOf(operation: actions.ActionOperation, components: Components): JsonSchema {
  const { kind, status } = operation;
  const success = {
    description: "What the action answers.",
    headers: responses.answerHeaders(components, {
      "Preference-Applied": "PreferenceApplied",
      ...responses.writeHeaders(operation.method, operation.keyed),
    }),
    content: contentOf(operation),
  };
  return { [String(status)]: success, ...(kind === "bulkAction" ? { "207": success } : {}) };
}

/** Returns the response for refusals of the handler itself, and for its results with a status of its choice. */
function ownResponse(operation: actions.ActionOperation, components: Components): JsonSchema {
  const { responseType } = operation.action;
  const key = `${responseType} ${operation.keyed} ${operation.method === "GET"}`;
  return components.referVariant("responses", "ActionRefusal", key, () => ({
    description: DEFAULTS[responseType],
    headers: responses.answerHeaders(components, {
      ...(responseType === "json" ? {} : { "Preference-Applied": "PreferenceApplied" as const }),
      ...responses.writeHeaders(operation.method, operation.keyed),
    }),
    content: {
      ...responses.actionRefusalContent(components),
      ...(responseType === "json" ? {} : contentOf(operation)),
    },
  }));
}

const DEFAULTS: Readonly<Record<ResponseType, string>> = {
  json: "What the action itself refuses with.",
  stream: "What the action itself refuses with, or its stream under another status.",
  file: "What the action itself refuses with, or its file under another status.",
};

function contentOf({ kind, action }: actions.ActionOperation): JsonSchema {
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
  // Without `output` the handler's result is not known.
  return Object.keys(all).length === 0 ? responses.jsonContent(all) : exampled(all);
}

/**
 * Returns the schema of a success, also for client types. A transition without a handler returns its own form (contract 3.2).
 */
export function successSchema(
  { output, handler, transition }: actions.ActionOperation["action"],
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
