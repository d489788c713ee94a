/** The request that runs an action: its path's parameters, and its input as body or, for GET, as query (contract 4.4). */
import type { JsonObject } from "../../lib/json_object.ts";
import type { ActionOperation } from "../../surface/action_operations.ts";
import { encodeSegment } from "../request/read_request.ts";
import { type WriteArguments, writeOptions } from "./record_arguments.ts";
import { callOf, type Meaning, refusedArguments } from "./tool.ts";

/** Names of a path's parameters: `id` of a record's action, any of another's. */
export function parametersIn({ path }: ActionOperation): readonly string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = ""]) => name);
}

const PARAMETER = /:([A-Za-z_]\w*)/g;

interface ActionArguments extends WriteArguments {
  /** By name. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly input: JsonObject;
}

export function meanAction(operation: ActionOperation, args: ActionArguments): Meaning {
  const { parameters, input, ...write } = args;
  const { method, path } = operation;
  const names = parametersIn(operation);
  const missing = names.find((name) => !parameters.get(name));
  if (missing !== undefined) return refusedArguments(`The action needs "${missing}"`, names);
  const query = method === "GET" ? queryOf(input) : [];
  if (query === null) {
    return refusedArguments("The action takes plain values only, and lists of them", []);
  }
  const options = writeOptions(write, { action: operation });
  return callOf({
    endpoint: operation.id,
    method,
    path: path.replace(PARAMETER, (_, name) => encodeSegment(parameters.get(name) ?? "")),
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
  if (isPlain(value)) return String(value);
  const isList = Array.isArray(value) &&
    value.every((one) => isPlain(one) && !String(one).includes(","));
  return isList ? value.join(",") : null;
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
