/** Reads the input of an action from its body or query and from its path (contract 4.4 rules 5 and 7). */
import { type JsonObject, pointerTo } from "../../../lib/json.ts";
import type { SchemaModel } from "../../../model/mod.ts";
import { refuse, refuseMember } from "../../refusal.ts";
import { requireSafeJson } from "../../request/body.ts";
import { decodeSegment } from "../../request/read_request.ts";
import { type ActionCall, requireActionQuery } from "./action_plan.ts";

const FIELDS_LISTED_MAX = 100;

/**
 * Returns the handler's `input`: the action's input, parsed by the author's own schema (contract 4.4 rules 5 and 7). Refuses
 * with `VALIDATION_ERROR`.
 */
export async function requireActionInput(call: ActionCall): Promise<unknown> {
  const query = requireActionQuery(call);
  const { operation: { method, action } } = call.plan;
  const sent = method === "GET" ? inputOfQuery(query, action.input) : await bodyOf(call);
  return await requireInput(call, withPathInput(sent, call), []);
}

/** Returns the path's parameters by name, each decoded once. */
export function pathParametersOf(
  { request, plan }: Pick<ActionCall, "request" | "plan">,
): Readonly<Record<string, string>> {
  const segments = request.path.split("/");
  return Object.fromEntries(
    plan.operation.path.split("/").flatMap((part, at) => {
      const segment = segments[at] ?? "";
      return part.startsWith(":") ? [[part.slice(1), decodeSegment(segment) ?? segment]] : [];
    }),
  );
}

/**
 * Adds the path's parameters to the input, with types as in a query. Refuses a different value for one of them in the body or
 * the query.
 */
function withPathInput(sent: JsonObject, call: ActionCall): JsonObject {
  const { pathInput } = call.plan;
  if (pathInput.length === 0) return sent;
  const texts = pathParametersOf(call);
  const named = pathInput.map(({ name, schema }): [string, unknown] => {
    const value = valueOf(texts[name] ?? "", name, schema);
    if (Object.hasOwn(sent, name) && JSON.stringify(sent[name]) !== JSON.stringify(value)) {
      refuseMember([name], "Must be what the path says, or left out");
    }
    return [name, value];
  });
  return { ...sent, ...Object.fromEntries(named) };
}

/** Parses the input by the schema. `place`: where the input is in the body. */
export async function requireInput(
  { plan: { implementation } }: ActionCall,
  sent: unknown,
  place: readonly string[],
): Promise<unknown> {
  const result = await implementation.input.safeParseAsync(sent);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, FIELDS_LISTED_MAX).map((issue) => {
    const keys = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    const path = [...place, ...issue.path.map(String), ...keys].map((one) => one.slice(0, 100));
    return { path, message: issue.message };
  });
  return refuse("VALIDATION_ERROR", {
    details: {
      fields: Object.fromEntries(
        issues.reverse().map(({ path, message }) => [path.join("."), message]),
      ),
    },
    pointer: pointerTo(...issues.at(-1)?.path ?? []),
  });
}

/** Reads the body; no body counts as an empty one. */
export async function bodyOf({ request: { body } }: ActionCall): Promise<JsonObject> {
  return (await body.bytes()).length === 0 ? {} : await body.object();
}

function inputOfQuery(query: ReadonlyMap<string, string>, schema: SchemaModel): JsonObject {
  const members = schema.kind === "object" ? schema.members : [];
  const input = Object.fromEntries(
    [...query].map(([name, text]): [string, unknown] => {
      const member = members.find((one) => one.name === name);
      return [name, valueOf(text, name, member?.schema ?? null)];
    }),
  );
  requireSafeJson(input);
  return input;
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Converts a text to its schema's type. Zod's more lenient coercions are refused (traps 25). */
function valueOf(text: string, name: string, schema: SchemaModel | null): unknown {
  switch (schema?.kind) {
    case "optional":
    case "nullable":
    case "default":
      return valueOf(text, name, schema.of);
    case "number":
      if (!DECIMAL.test(text)) return refuseMember([name], "Must be a decimal number");
      return /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? NaN : Number(text);
    case "boolean":
      if (text === "true" || text === "false") return text === "true";
      return refuseMember([name], "Must be true or false");
    case "array":
      return text === "" ? [] : text.split(",").map((item) => valueOf(item, name, schema.of));
    case "literal":
      return schema.values.find((value) => String(value) === text) ?? text;
    case "union": {
      // A union accepts a number or a boolean if the text is one.
      const kinds = new Set(schema.of.map(({ kind }) => kind));
      const literals = schema.of.flatMap((one) => one.kind === "literal" ? one.values : []);
      const literal = literals.find((value) => String(value) === text);
      if (literal !== undefined) return literal;
      if (kinds.has("number") && DECIMAL.test(text)) return Number(text);
      if (kinds.has("boolean") && (text === "true" || text === "false")) return text === "true";
      return text;
    }
    default:
      return text;
  }
}
