/** The input of an action, judged by its author's own schema (contract 4.4 rules 5 and 7). Refuses with `VALIDATION_ERROR`. */
import { type JsonObject, pointerTo } from "../../../lib/json.ts";
import type { SchemaModel } from "../../../model/schema.ts";
import { SCOPE_PARAMETER } from "../../../surface/parameters.ts";
import { refuse, refuseMember } from "../../refusal.ts";
import { requireSafeJson } from "../../request/body.ts";
import type { ActionCall } from "./action_plan.ts";

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
    case "union": {
      // A number or a boolean where one is meant and the text is one.
      const kinds = new Set(schema.of.map(({ kind }) => kind));
      if (kinds.has("number") && DECIMAL.test(text)) return Number(text);
      if (kinds.has("boolean") && (text === "true" || text === "false")) return text === "true";
      return text;
    }
    default:
      return text;
  }
}

const DRY_RUN_PARAMETER = "dryRun";

/**
 * The query of an action: `dryRun`, the organization that an anonymous caller names, and the input of a GET (contract
 * 4.4 rule 5, definitions 5). Refuses with `VALIDATION_INVALID_INPUT`, naming the parameter. Before the query is judged:
 * what is wrong with it is refused at its own step.
 */
export function isDryRun({ request }: Pick<ActionCall, "request">): boolean {
  return new URLSearchParams(request.search).get(DRY_RUN_PARAMETER) === "true";
}

/** Null: none is named, or the action does not take one. */
export function namedOrganization(
  { request, plan }: Pick<ActionCall, "request" | "plan">,
): string | null {
  if (plan.gate.who !== "anyone") return null;
  return new URLSearchParams(request.search).get(SCOPE_PARAMETER) || null;
}

/** The parameters that are the action's own input, by name. */
export function requireActionQuery(call: ActionCall): ReadonlyMap<string, string> {
  const { operation: { method }, gate } = call.plan;
  const parameters = new URLSearchParams(call.request.search);
  const input = new Map<string, string>();
  for (const name of new Set(parameters.keys())) {
    const [value = "", ...others] = parameters.getAll(name);
    if (others.length > 0) refuseParameter(name, "must not be repeated");
    if (name === DRY_RUN_PARAMETER) {
      if (value !== "true" && value !== "false") refuseParameter(name, "must be true or false");
    } else if (name === SCOPE_PARAMETER && gate.who === "anyone") {
      continue;
    } else if (method === "GET") {
      input.set(name, value);
    } else refuseParameter(name, "is unknown");
  }
  return input;
}

function refuseParameter(parameter: string, reason: string): never {
  const shown = parameter.slice(0, 100).toWellFormed();
  refuse("VALIDATION_INVALID_INPUT", {
    detail: `Parameter "${shown}" ${reason}`,
    details: { parameter: shown },
  });
}
