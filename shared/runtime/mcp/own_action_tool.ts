/** A tool that is one action: what the action takes, and beside it what every action takes. */
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../lib/json_object.ts";
import type { ActionOperation } from "../../surface/action_operations.ts";
import type { JsonSchema } from "../../surface/parameters.ts";
import { schemaJson } from "../../surface/schema/zod_json.ts";
import { meanAction, parametersIn } from "./action_call.ts";
import { WRITE_ARGUMENTS, type WriteArguments } from "./record_arguments.ts";
import { DOES_ANYTHING, type Meaning, READS, refusedArguments, shown, type Tool } from "./tool.ts";

export function ownActionTool(name: string, operation: ActionOperation): Tool {
  const { action } = operation;
  const input = schemaJson(action.input, "input");
  const controls = controlsOf(operation);
  const isFlat = isFlatInput(input, Object.keys(controls.shape));
  return {
    name,
    title: `${action.name} (${action.feature})`,
    description: action.description,
    effects: effectsOf(operation),
    isStreaming: isStream(operation),
    inputSchema: isFlat ? flatSchema(input, controls) : nestedSchema(input, controls),
    mean: (args) => mean(args, operation, { controls, isFlat }),
  };
}

export function isStream({ action }: ActionOperation): boolean {
  return action.responseType === "stream";
}

export function effectsOf({ method }: ActionOperation) {
  return method === "GET" ? READS : DOES_ANYTHING;
}

type Controls = ReturnType<typeof controlsOf>;

/** The path's parameters, all of them needed, and how to run. */
function controlsOf(operation: ActionOperation) {
  const named = parametersIn(operation).map((name) =>
    [name, z.string().min(1).describe(`\`${name}\` of the path.`)] as const
  );
  const write = operation.method === "GET" ? { dryRun: WRITE_ARGUMENTS.dryRun } : WRITE_ARGUMENTS;
  return z.object({ ...Object.fromEntries(named), ...write });
}

/** Keywords of a schema beside which the controls may become members: any other would judge the controls, too. */
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

function isFlatInput(input: JsonSchema, controls: readonly string[]): boolean {
  const properties = membersOf(input, "properties");
  return input["type"] === "object" &&
    Object.keys(input).every((keyword) => PLAIN_KEYWORDS.includes(keyword)) &&
    !controls.some((name) => Object.hasOwn(properties, name));
}

function membersOf(schema: object, keyword: string): JsonSchema {
  const value: unknown = Reflect.get(schema, keyword);
  return isSchema(value) ? value : {};
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

/** References inside of the input begin at its own root, which an id makes it keep. */
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

interface Taken {
  readonly controls: Controls;
  readonly isFlat: boolean;
}

function mean(
  args: JsonObject,
  operation: ActionOperation,
  { controls, isFlat }: Taken,
): Meaning {
  const names = Object.keys(controls.shape);
  const parameters = new Map(parametersIn(operation).map((name) => [name, textOf(args[name])]));
  const known = controls.safeParse({ ...args, ...Object.fromEntries(parameters) });
  if (!known.success) {
    const [issue] = known.error.issues;
    const place = shown(issue?.path.map(String).join(".") ?? "");
    return refusedArguments(`Argument "${place}": ${shown(issue?.message ?? "Invalid")}`, names);
  }
  const others = Object.fromEntries(
    Object.entries(args).filter(([name]) => !Object.hasOwn(controls.shape, name)),
  );
  const input = isFlat ? others : nestedInput(others);
  if (input === null) {
    return refusedArguments('What the action takes belongs into "input"', [...names, "input"]);
  }
  const { dryRun, idempotencyKey }: WriteArguments = known.data;
  return meanAction(operation, {
    parameters: new Map([...parameters].map(([name, value]) => [name, String(value ?? "")])),
    input,
    dryRun,
    idempotencyKey,
  });
}

/** Text of an id; where the database counts, ids are numbers. */
function textOf(value: unknown): unknown {
  return typeof value === "number" ? String(value) : value;
}

/** Null: there is something else, or no object. */
function nestedInput({ input = {}, ...others }: JsonObject): JsonObject | null {
  return isJsonObject(input) && Object.keys(others).length === 0 ? input : null;
}
