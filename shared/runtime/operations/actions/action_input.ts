/** The input of an action, judged by its author's own schema (contract 4.4 rules 5 and 7). Refuses with `VALIDATION_ERROR`. */
import type { JsonObject } from "../../../lib/json_object.ts";
import { pointerTo } from "../../../lib/json_pointer.ts";
import type { SchemaModel } from "../../../model/schema.ts";
import { refuse, refuseMember } from "../../refusal.ts";
import { requireSafeJson } from "../../request/body.ts";
import type { ActionCall } from "./action_plan.ts";
import { requireActionQuery } from "./action_query.ts";

const FIELDS_LISTED_MAX = 100;

/** Reads the handler's `input`. */
export async function requireActionInput(call: ActionCall): Promise<unknown> {
  const query = requireActionQuery(call);
  const { operation: { method, action } } = call.plan;
  const sent = method === "GET" ? inputOfQuery(query, action.input) : await bodyOf(call);
  return await requireInput(call, sent, []);
}

/** `place` is where the input stands in the body. */
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

/** No body at all is an empty one. */
export async function bodyOf({ request: { body } }: ActionCall): Promise<JsonObject> {
  return (await body.bytes()).length === 0 ? {} : await body.object();
}

function inputOfQuery(query: ReadonlyMap<string, string>, schema: SchemaModel): JsonObject {
  const names = [...query].map(([name, text]): [string, unknown] => [
    name,
    valueOf(text, name, memberOf(schema, name)),
  ]);
  const input = Object.fromEntries(names);
  requireSafeJson(input);
  return input;
}

function memberOf(schema: SchemaModel, name: string): SchemaModel | null {
  if (schema.kind !== "object") return null;
  return schema.members.find((member) => member.name === name)?.schema ?? null;
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The text as its schema's type; what Zod would coerce more generously is refused (traps 25). */
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
    case "union":
      return valueOfUnion(text, schema.of);
    default:
      return text;
  }
}

/** A number or a boolean where one is meant and the text is one. */
function valueOfUnion(text: string, options: readonly SchemaModel[]): unknown {
  const kinds = new Set(options.map(({ kind }) => kind));
  if (kinds.has("number") && DECIMAL.test(text)) return Number(text);
  if (kinds.has("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}
