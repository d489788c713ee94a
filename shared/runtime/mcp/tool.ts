/** Declares a tool: its description for a language model, and the request to the API that its arguments mean. */
import { z } from "zod";
import { HEADERS, IDEMPOTENCY_KEY_MAX_LENGTH } from "../../contract/mod.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { JsonValue } from "../../model/mod.ts";
import { type ActionOperation, type JsonSchema, nameMeant, pathNames } from "../../surface/mod.ts";
import type { Endpoint } from "../gate.ts";
import { rehearsed } from "../operations/rehearsal.ts";
import { encodeSegment } from "../request/read_request.ts";
import type { InnerCall } from "./inner_api.ts";
import type { RecordKind, RecordOperation, ResourceReach } from "./reach.ts";

/** Interpretation of a tool's arguments. */
export type Meaning =
  | { readonly kind: "call"; readonly call: InnerCall }
  /** Known without a request to the API: data from the model of the project. */
  | { readonly kind: "told"; readonly data: JsonValue }
  | { readonly kind: "refused"; readonly problem: ArgumentProblem };

/** A fault in the arguments, explained to the model so that it can try again. */
export interface ArgumentProblem {
  readonly detail: string;
  readonly hint: string;
}

/** Hints that hosts may show their user before a call (the protocol's `ToolAnnotations`); never a promise of safety. */
interface ToolEffects {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

export const READS: ToolEffects = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
};
export const ADDS: ToolEffects = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
};
/** Hints for a tool that overwrites or removes; a repetition has no further effect. */
export const REPLACES: ToolEffects = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
};
/** Hints for code of the author's, which may do anything. */
export const DOES_ANYTHING: ToolEffects = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
};

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effects: ToolEffects;
  /** The schema; it is built when it is read, since lists need it and calls do not. */
  readonly inputSchema: JsonSchema;
  /** True when the answer may come in parts. */
  readonly isStreaming: boolean;
  mean(args: JsonObject): Meaning;
}

export interface ToolText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effects: ToolEffects;
  readonly isStreaming?: boolean;
}

/** Builds a tool whose arguments are a closed object: the published schema is the one that is checked. */
export function toolOf<Shape extends z.ZodRawShape>(
  text: ToolText,
  shape: Shape,
  mean: (args: z.output<z.ZodObject<Shape>>) => Meaning,
): Tool {
  const schema = z.object(shape);
  return {
    isStreaming: false,
    ...text,
    get inputSchema() {
      const { "~standard": _, ...made } = z.toJSONSchema(z.strictObject(shape), { io: "input" });
      return JSON.parse(JSON.stringify(made));
    },
    mean(args) {
      const unknown = Object.keys(args).find((name) => !Object.hasOwn(shape, name));
      if (unknown !== undefined) {
        return refusedArguments(`Unknown argument "${shown(unknown)}"`, Object.keys(shape));
      }
      const parsed = schema.safeParse(args);
      if (parsed.success) return mean(parsed.data);
      const [issue] = parsed.error.issues;
      const place = issue?.path.map(String).join(".") ?? "";
      return refusedArguments(
        `Argument "${shown(place)}": ${shown(issue?.message ?? "Invalid")}`,
        Object.keys(shape),
      );
    },
  };
}

export function refusedArguments(detail: string, known: readonly string[]): Meaning {
  const hint = known.length === 0 ? "It takes no arguments" : `It takes ${known.join(", ")}`;
  return { kind: "refused", problem: { detail, hint } };
}

const SHOWN_MAX = 200;

/** Returns a caller's text, shortened for a message. */
export function shown(text: string): string {
  return text.slice(0, SHOWN_MAX).toWellFormed();
}

const asItIs = (endpoint: Endpoint) => endpoint;

export function callOf(call: Pick<InnerCall, "endpoint" | "method" | "path"> & Partial<InnerCall>) {
  const rest = { query: [], headers: {}, body: null, around: asItIs };
  return { kind: "call", call: { ...rest, ...call } } as const satisfies Meaning;
}

const ID_MAX_LENGTH = 256;

/** Builds the `id` argument of these resources: a text, or a number where the database counts. */
export function idArgument(resources: readonly ResourceReach[]) {
  const text = z.string().min(1).max(ID_MAX_LENGTH);
  const counted = resources.filter(({ table }) => table.idStrategy === "serial").length;
  const id = counted === 0
    ? text
    : counted === resources.length
    ? z.int()
    : z.union([text, z.int()]);
  return id.describe("The record's `id`.");
}

export type RecordId = z.output<ReturnType<typeof idArgument>>;

/** Builds the `resource` argument: the closed list of the resources that the caller reaches in this way; null: none. */
export function resourceArgument(resources: readonly ResourceReach[]) {
  const names = resources.map(({ resource }) => resource.name);
  const meant = (written: unknown) =>
    typeof written === "string" ? nameMeant(written, names) ?? written : written;
  return z.preprocess(meant, z.enum(names))
    .describe("Which resource; `describe_resource` tells its fields.");
}

export function reachedBy(
  resources: Iterable<ResourceReach>,
  kind: RecordKind,
): readonly ResourceReach[] {
  return [...resources].filter(({ records }) => records.has(kind));
}

export const WRITE_ARGUMENTS = {
  dryRun: z.boolean().optional()
    .describe("Do all of it, checks included, in a transaction that is rolled back."),
  idempotencyKey: z.string().min(1).max(IDEMPOTENCY_KEY_MAX_LENGTH).optional()
    .describe("The same key and arguments again, within a day, answer as the first call did."),
};

export const IF_MATCH = z.int().min(1).optional()
  .describe("Only if the record still has this `revision`; for resources that count revisions.");

export interface WriteArguments {
  readonly dryRun?: boolean | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: number | undefined;
}

/** Returns the options of a write as the API takes them: actions have a parameter of their own for a dry run. */
export function writeOptions(
  { dryRun = false, idempotencyKey, ifMatch }: WriteArguments,
  { action }: Pick<RecordOperation, "action">,
): Pick<InnerCall, "headers" | "query" | "around"> {
  return {
    headers: {
      // A key has no effect on a write that is rolled back.
      ...(idempotencyKey === undefined || dryRun
        ? {}
        : { [HEADERS.idempotencyKey]: idempotencyKey }),
      ...(ifMatch === undefined ? {} : { [HEADERS.ifMatch]: `"${ifMatch}"` }),
    },
    query: dryRun && action !== null ? [["dryRun", "true"]] : [],
    around: dryRun && action === null ? rehearsed : asItIs,
  };
}

export function pathOf(path: string, id: RecordId): string {
  return path.replace(":id", () => encodeSegment(String(id)));
}

/**
 * Returns the names of a path's parameters: `id` of a record's action, any of another's. The request that runs an action has
 * the path's parameters, and its input as body or, for GET, as query (contract 4.4).
 */
export function parametersIn({ path }: ActionOperation): readonly string[] {
  return pathNames(path);
}

const PARAMETER = /:([A-Za-z_]\w*)/g;

export function meanAction(
  operation: ActionOperation,
  args: WriteArguments & {
    /** Parameters by name. */
    readonly parameters: ReadonlyMap<string, string>;
    readonly input: JsonObject;
  },
): Meaning {
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

/** Returns the input as a query; null: it contains a value that no query can express. */
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
