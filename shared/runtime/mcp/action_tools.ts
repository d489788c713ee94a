/**
 * Tools that run actions (contract 4.4): one for each while they are few, because a schema of its own is what makes a
 * model call it right; one for all of them beyond, because a long list is what makes it choose wrong.
 */
import { z } from "zod";
import type { ActionOperation } from "../../surface/action_operations.ts";
import { snakeCase } from "../../surface/names.ts";
import type { JsonSchema } from "../../surface/parameters.ts";
import { schemaJson } from "../../surface/schema/schema_json.ts";
import type { JsonObject } from "../context.ts";
import { describeActionTool } from "./describe_tools.ts";
import type { Reach, ResourceReach } from "./reach.ts";
import {
  idArgument,
  pathOf,
  type RecordId,
  resourceArgument,
  WRITE_ARGUMENTS,
  type WriteArguments,
  writeOptions,
} from "./record_arguments.ts";
import {
  callOf,
  DOES_ANYTHING,
  type Meaning,
  READS,
  refusedArguments,
  type Tool,
  toolOf,
} from "./tool.ts";

/** Actions with a tool of their own; the record tools come on top. */
export const OWN_TOOLS_MAX = 20;

/** What the makers of models take as a tool's name. */
const NAME_MAX_LENGTH = 64;

/** `taken`: names of the tools that are there. */
export function actionTools(reach: Reach, taken: readonly string[]): readonly Tool[] {
  const own = reach.actions.length > OWN_TOOLS_MAX ? new Map() : ownNames(reach.actions, taken);
  const others = reach.actions.filter((operation) => !own.has(operation));
  return [
    ...[...own].map(([operation, name]) => ownTool(name, operation, reach)),
    ...(others.length === 0 ? [] : [sharedTool(others, reach)]),
    ...bulkTool(reach),
    ...describeTool([...others, ...reach.bulkActions]),
  ];
}

/** An action and its bulk variant take the same input. */
function describeTool(operations: readonly ActionOperation[]): readonly Tool[] {
  const byKey = new Map(operations.map((operation) => [operation.action.key, operation]));
  return byKey.size === 0 ? [] : [describeActionTool([...byKey.values()])];
}

/** Those that have a name of their own. */
function ownNames(
  operations: readonly ActionOperation[],
  taken: readonly string[],
): ReadonlyMap<ActionOperation, string> {
  const names = new Set([...taken, RUN_ACTION, RUN_BULK_ACTION, "describe_action"]);
  const own = new Map<ActionOperation, string>();
  for (const operation of operations) {
    const name = [nameOf(operation), snakeCase(operation.id)]
      .find((one) => !names.has(one) && one.length <= NAME_MAX_LENGTH);
    if (name === undefined) continue;
    names.add(name);
    own.set(operation, name);
  }
  return own;
}

/** `tickets_resolve` for an action of a record, `weekly_report` for one of none. */
function nameOf({ action, resource }: ActionOperation): string {
  const name = snakeCase(action.name);
  return action.kind === "record" && resource ? `${snakeCase(resource.name)}_${name}` : name;
}

const CONTROLS = ["id", "dryRun", "idempotencyKey"];

function ownTool(name: string, operation: ActionOperation, reach: Reach): Tool {
  const { action, kind } = operation;
  const input = schemaJson(action.input, "input");
  const isFlat = isFlatInput(input);
  const controls = controlSchemas(operation, reach);
  const required = kind === "recordAction" ? ["id"] : [];
  return {
    name,
    title: `${action.name} (${action.feature})`,
    description: action.description,
    effects: effectsOf(operation),
    inputSchema: isFlat
      ? {
        ...input,
        properties: { ...propertiesOf(input), ...controls },
        required: [...requiredOf(input), ...required],
      }
      : {
        type: "object",
        properties: { ...controls, input },
        required: [...required, "input"],
        additionalProperties: false,
      },
    mean: (args) => meanOwn(args, operation, isFlat),
  };
}

/** Whether the controls fit among the members of the input: they would hide one of the same name. */
function isFlatInput(input: JsonSchema): boolean {
  const isPlain = input["type"] === "object" &&
    ["$ref", "anyOf", "oneOf", "allOf", "not", "if", "patternProperties", "propertyNames"]
      .every((keyword) => !Object.hasOwn(input, keyword));
  return isPlain && CONTROLS.every((name) => !Object.hasOwn(propertiesOf(input), name));
}

function propertiesOf(schema: JsonSchema): JsonSchema {
  const properties = schema["properties"];
  return isSchema(properties) ? properties : {};
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function requiredOf(schema: JsonSchema): readonly string[] {
  const required = schema["required"];
  return Array.isArray(required) ? required.map(String) : [];
}

function controlSchemas(operation: ActionOperation, reach: Reach): JsonSchema {
  const shape = {
    ...(operation.kind === "recordAction" ? { id: idArgument(recordsOf(operation, reach)) } : {}),
    ...(operation.method === "GET" ? { dryRun: WRITE_ARGUMENTS.dryRun } : WRITE_ARGUMENTS),
  };
  const { properties } = z.toJSONSchema(z.object(shape), { io: "input" });
  return JSON.parse(JSON.stringify(properties ?? {}));
}

/** Where its records are, though the caller may reach them by nothing but the action. */
function recordsOf(
  { resource }: ActionOperation,
  { resources }: Reach,
): readonly ResourceReach[] {
  const reach = resource === null ? undefined : resources.get(resource.name);
  return reach ? [reach] : [];
}

function effectsOf({ method }: ActionOperation) {
  return method === "GET" ? READS : DOES_ANYTHING;
}

function meanOwn(args: JsonObject, operation: ActionOperation, isFlat: boolean): Meaning {
  const controls = CONTROL_VALUES.safeParse(args);
  if (!controls.success) {
    const [issue] = controls.error.issues;
    return refusedArguments(`Argument "${issue?.path.join(".")}": ${issue?.message}`, CONTROLS);
  }
  const { id, dryRun, idempotencyKey, input = {} } = controls.data;
  const flat = Object.entries(args).filter(([name]) => !CONTROLS.includes(name));
  return meanAction(operation, {
    id,
    dryRun,
    idempotencyKey,
    input: isFlat ? Object.fromEntries(flat) : input,
  });
}

const ID = z.union([z.string().min(1), z.int()]).optional();
const INPUT = z.record(z.string(), z.unknown()).optional();
const CONTROL_VALUES = z.looseObject({ ...WRITE_ARGUMENTS, id: ID, input: INPUT });

interface ActionArguments extends WriteArguments {
  readonly id?: RecordId | undefined;
  readonly input: JsonObject;
}

function meanAction(operation: ActionOperation, args: ActionArguments): Meaning {
  const { id, input, ...write } = args;
  const { kind, method, path } = operation;
  const needsId = kind === "recordAction";
  if (needsId && id === undefined) {
    return refusedArguments("The action is one of a record: it needs an id", ["id"]);
  }
  if (!needsId && id !== undefined) {
    return refusedArguments("The action is one of no record: it takes no id", []);
  }
  const query = method === "GET" ? queryOf(input) : [];
  if (query === null) {
    return refusedArguments("The action takes plain values only, and lists of them", []);
  }
  const options = writeOptions(write, { action: operation });
  return callOf({
    endpoint: operation.id,
    method,
    path: id === undefined ? path : pathOf(path, id),
    body: method === "GET" ? null : input,
    ...options,
    query: [...query, ...options.query],
  });
}

/** Null: it holds what no query can say. */
function queryOf(input: JsonObject): readonly (readonly [string, string])[] | null {
  const pairs = Object.entries(input).map(([name, value]) => [name, queryText(value)] as const);
  const known = pairs.flatMap(([name, text]) => text === null ? [] : [[name, text] as const]);
  return known.length === pairs.length ? known : null;
}

function queryText(value: unknown): string | null {
  if (["string", "number", "boolean"].includes(typeof value)) return String(value);
  const isList = Array.isArray(value) &&
    value.every((one) => ["string", "number", "boolean"].includes(typeof one)) &&
    value.every((one) => !String(one).includes(","));
  return isList ? value.join(",") : null;
}

const RUN_ACTION = "run_action";
const RUN_BULK_ACTION = "run_bulk_action";

function keyArgument(operations: readonly ActionOperation[]) {
  return z.enum(operations.map(({ action }) => action.key))
    .describe(operations.map(({ action }) => `${action.key}: ${action.description}`).join("\n"));
}

function named(key: string, operations: readonly ActionOperation[]): ActionOperation | undefined {
  return operations.find(({ action }) => action.key === key);
}

function sharedTool(operations: readonly ActionOperation[], { resources }: Reach): Tool {
  return toolOf(
    {
      name: RUN_ACTION,
      title: "Run an action",
      description:
        "Runs one of the API's own operations, of one record or of none. `describe_action` tells its input.",
      effects: operations.every(({ method }) => method === "GET") ? READS : DOES_ANYTHING,
    },
    {
      action: keyArgument(operations),
      id: idArgument([...resources.values()]).optional(),
      input: INPUT,
      ...WRITE_ARGUMENTS,
    },
    ({ action, input = {}, ...rest }) => {
      const operation = named(action, operations);
      if (!operation) return refusedArguments(`There is no action "${action}"`, []);
      return meanAction(operation, { input, ...rest });
    },
  );
}

function bulkTool({ bulkActions, resources }: Reach): readonly Tool[] {
  if (bulkActions.length === 0) return [];
  return [toolOf(
    {
      name: RUN_BULK_ACTION,
      title: "Run an action on several records",
      description:
        "Runs an action on each of several records with the same input; answers which succeeded.",
      effects: DOES_ANYTHING,
    },
    {
      action: keyArgument(bulkActions),
      ids: z.array(idArgument([...resources.values()])).min(1),
      input: INPUT,
      failFast: z.boolean().optional().describe("Stop at the first record that fails."),
      idempotencyKey: WRITE_ARGUMENTS.idempotencyKey,
    },
    ({ action, ids, input = {}, failFast, idempotencyKey }) => {
      const operation = named(action, bulkActions);
      if (!operation) return refusedArguments(`There is no action "${action}"`, []);
      const { id, method, path } = operation;
      const options = failFast === undefined ? {} : { options: { failFast } };
      const { headers } = writeOptions({ idempotencyKey }, { action: operation });
      return callOf({ endpoint: id, method, path, headers, body: { ids, input, ...options } });
    },
  )];
}
