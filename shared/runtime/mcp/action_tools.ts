/**
 * Builds the tools that run actions (contract 4.4). A few actions have a tool each, because a schema helps a model to call it
 * right. Beyond that one tool runs all of them, because a long list makes a model choose wrong.
 */
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import type { ActionOperation, JsonSchema } from "../../surface/mod.ts";
import { isSchema, schemaJson, sentInput, snakeCase } from "../../surface/mod.ts";
import { DESCRIBE_ACTION, describeActionTool } from "./describe_tools.ts";
import type { Reach } from "./reach.ts";
import * as tools from "./tool.ts";

/** Maximum actions with a tool of their own; the record tools come in addition. */
const OWN_TOOLS_MAX = 20;

/** Maximum length of a tool's name that the makers of models accept. */
const NAME_MAX_LENGTH = 64;

/** Builds the tools of actions. `taken` contains the names of the other tools. */
export function actionTools(reach: Reach, taken: readonly string[]): readonly tools.Tool[] {
  const { actions, bulkActions } = reach;
  const own = actions.length > OWN_TOOLS_MAX ? new Map() : ownNames(actions, taken);
  const others = actions.filter((operation) => !own.has(operation));
  // An action and its bulk variant take the same input.
  const byKey = new Map(
    [...bulkActions, ...others].map((operation) => [operation.action.key, operation]),
  );
  return [
    ...[...own].map(([operation, name]): tools.Tool => {
      // The schema has the input of the action, and beside it the arguments that every action takes.
      const { action } = operation;
      const input = schemaJson(sentInput(operation), "input");
      const controls = controlsOf(operation);
      const properties = membersOf(input, "properties");
      const isFlat = input["type"] === "object" &&
        Object.keys(input).every((keyword) => PLAIN_KEYWORDS.includes(keyword)) &&
        !Object.keys(controls.shape).some((name) => Object.hasOwn(properties, name));
      return {
        name,
        title: `${action.name} (${action.feature})`,
        description: action.description,
        effects: effectsOf(operation),
        isStreaming: isStream(operation),
        get inputSchema() {
          return isFlat ? flatSchema(input, controls) : nestedSchema(input, controls);
        },
        mean: (args) => mean(args, operation, controls, isFlat),
      };
    }),
    ...(others.length === 0 ? [] : [runActionTool(others)]),
    ...runBulkActionTool(reach),
    ...(byKey.size === 0 ? [] : [describeActionTool([...byKey.values()])]),
  ];
}

/** Returns the actions that have a tool of their own, by name. */
function ownNames(
  operations: readonly ActionOperation[],
  taken: readonly string[],
): ReadonlyMap<ActionOperation, string> {
  const names = new Set([...taken, RUN_ACTION, RUN_BULK_ACTION, DESCRIBE_ACTION]);
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

/** Names a tool: `tickets_resolve` for an action of a record, `weekly_report` for a standalone one. */
function nameOf({ action, resource }: ActionOperation): string {
  const name = snakeCase(action.name);
  return action.kind === "record" && resource ? `${snakeCase(resource.name)}_${name}` : name;
}

export function isStream({ action }: ActionOperation): boolean {
  return action.responseType === "stream";
}

function effectsOf({ method }: ActionOperation) {
  return method === "GET" ? tools.READS : tools.DOES_ANYTHING;
}

type Controls = ReturnType<typeof controlsOf>;

/** Returns the arguments beside the input: the path's parameters, all required, and the options of the run. */
function controlsOf(operation: ActionOperation) {
  const named = tools.parametersIn(operation).map((name) =>
    [name, z.string().min(1).describe(`\`${name}\` of the path.`)] as const
  );
  const write = operation.method === "GET"
    ? { dryRun: tools.WRITE_ARGUMENTS.dryRun }
    : tools.WRITE_ARGUMENTS;
  return z.object({ ...Object.fromEntries(named), ...write });
}

/**
 * Keywords of a schema beside which members for the controls may be added. Any other keyword would also apply to the controls.
 */
const PLAIN_KEYWORDS: readonly string[] = [
  "$schema",
  "$defs",
  "$id",
  "$comment",
  "additionalProperties",
  "description",
  "examples",
  "properties",
  "required",
  "title",
  "type",
];

function membersOf(schema: object, keyword: string): JsonSchema {
  const value: unknown = Reflect.get(schema, keyword);
  return isSchema(value) ? value : {};
}

function requiredOf(schema: object): readonly string[] {
  const required: unknown = Reflect.get(schema, "required");
  return Array.isArray(required) ? required.map(String) : [];
}

function flatSchema(input: JsonSchema, controls: Controls): JsonSchema {
  const own = schemaOfControls(controls);
  return {
    ...input,
    properties: { ...membersOf(input, "properties"), ...membersOf(own, "properties") },
    required: [...requiredOf(input), ...requiredOf(own)],
  };
}

/** Nests the input's schema. References inside of the input begin at its own root, which an `$id` preserves. */
function nestedSchema(input: JsonSchema, controls: Controls): JsonSchema {
  const own = schemaOfControls(controls);
  const rooted = JSON.stringify(input).includes('"$ref":"#')
    ? { $id: "urn:input", ...input }
    : input;
  return {
    type: "object",
    properties: { ...membersOf(own, "properties"), input: rooted },
    required: [...requiredOf(own), "input"],
    additionalProperties: false,
  };
}

function schemaOfControls(controls: Controls): JsonSchema {
  return JSON.parse(JSON.stringify(z.toJSONSchema(controls, { io: "input" })));
}

function mean(
  args: JsonObject,
  operation: ActionOperation,
  controls: Controls,
  isFlat: boolean,
): tools.Meaning {
  const names = Object.keys(controls.shape);
  const parameters = new Map(
    tools.parametersIn(operation).map((name) => {
      const value = args[name];
      // Ids are numbers where the database counts them, and so may a member of the input be.
      return [name, ["number", "boolean"].includes(typeof value) ? String(value) : value];
    }),
  );
  const known = controls.safeParse({ ...args, ...Object.fromEntries(parameters) });
  if (!known.success) {
    const [issue] = known.error.issues;
    const place = tools.shown(issue?.path.map(String).join(".") ?? "");
    return tools.refusedArguments(
      `Argument "${place}": ${tools.shown(issue?.message ?? "Invalid")}`,
      names,
    );
  }
  const others = Object.fromEntries(
    Object.entries(args).filter(([name]) => !Object.hasOwn(controls.shape, name)),
  );
  const input = isFlat ? others : nestedInput(others);
  if (input === null) {
    return tools.refusedArguments('What the action takes belongs into "input"', [
      ...names,
      "input",
    ]);
  }
  const { dryRun, idempotencyKey }: tools.WriteArguments = known.data;
  return tools.meanAction(operation, {
    parameters: new Map([...parameters].map(([name, value]) => [name, String(value ?? "")])),
    input,
    dryRun,
    idempotencyKey,
  });
}

/** Returns the nested input; null: there are other members, or it is not an object. */
function nestedInput({ input = {}, ...others }: JsonObject): JsonObject | null {
  return isJsonObject(input) && Object.keys(others).length === 0 ? input : null;
}

const RUN_ACTION = "run_action";
const RUN_BULK_ACTION = "run_bulk_action";

const INPUT = z.record(z.string(), z.unknown()).optional()
  .describe("What the action takes; `describe_action` tells it.");

const PARAMETERS = z.record(z.string(), z.union([z.string().min(1), z.int()])).optional()
  .describe('Of the path: `{ "id": … }` for an action of one record.');

function keyArgument(operations: readonly ActionOperation[]) {
  return z.enum(operations.map(({ action }) => action.key))
    .describe(operations.map(({ action }) => `${action.key}: ${action.description}`).join("\n"));
}

function named(key: string, operations: readonly ActionOperation[]): ActionOperation | undefined {
  return operations.find(({ action }) => action.key === key);
}

/**
 * Builds the tools that run any of several actions: `run_action` beyond the few with tools of their own, and `run_bulk_action`.
 */
function runActionTool(operations: readonly ActionOperation[]): tools.Tool {
  const [first] = operations;
  const isReading = operations.every(({ method }) => method === "GET");
  return tools.toolOf(
    {
      name: RUN_ACTION,
      title: "Run an action",
      description: "Runs one of the API's own operations, of one record or of none.",
      effects: first && isReading ? effectsOf(first) : tools.DOES_ANYTHING,
      isStreaming: operations.some(isStream),
    },
    {
      action: keyArgument(operations),
      parameters: PARAMETERS,
      input: INPUT,
      ...tools.WRITE_ARGUMENTS,
    },
    ({ action, parameters = {}, input = {}, ...write }) => {
      const operation = named(action, operations);
      if (!operation) return tools.refusedArguments(`There is no action "${action}"`, []);
      const known = tools.parametersIn(operation);
      const unknown = Object.keys(parameters).find((name) => !known.includes(name));
      if (unknown !== undefined) return tools.refusedArguments("There is no such parameter", known);
      const texts = Object.entries(parameters).map(([name, value]) =>
        [name, String(value)] as const
      );
      return tools.meanAction(operation, { parameters: new Map(texts), input, ...write });
    },
  );
}

/** Builds the tool that runs an action on several records; none where there is no such action. */
function runBulkActionTool({ bulkActions, resources }: Reach): readonly tools.Tool[] {
  if (bulkActions.length === 0) return [];
  return [tools.toolOf(
    {
      name: RUN_BULK_ACTION,
      title: "Run an action on several records",
      description:
        "Runs an action on each of several records with the same input; answers which succeeded.",
      effects: tools.DOES_ANYTHING,
    },
    {
      action: keyArgument(bulkActions),
      ids: z.array(tools.idArgument([...resources.values()])).min(1),
      input: INPUT,
      failFast: z.boolean().optional().describe("Stop at the first record that fails."),
      idempotencyKey: tools.WRITE_ARGUMENTS.idempotencyKey,
    },
    ({ action, ids, input = {}, failFast, idempotencyKey }) => {
      const operation = named(action, bulkActions);
      if (!operation) return tools.refusedArguments(`There is no action "${action}"`, []);
      const { id, method, path } = operation;
      const options = failFast === undefined ? {} : { options: { failFast } };
      const { headers } = tools.writeOptions({ idempotencyKey }, { action: operation });
      return tools.callOf({
        endpoint: id,
        method,
        path,
        headers,
        body: { ids, input, ...options },
      });
    },
  )];
}
