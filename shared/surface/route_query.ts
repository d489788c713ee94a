/** Reads the query of a route of the service by the parameters of its record: the one reading of them (contract 4.5, 4.6). */
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../contract/mod.ts";
import type { SealedCursor } from "./query.ts";
import { isSchema } from "./schema/json_schema.ts";
import type { SystemRoute } from "./system_route.ts";

export interface RouteQuery {
  readonly limit: number;
  readonly offset: number;
  /** Null: by offset. */
  readonly cursor: SealedCursor | null;
  /** Other parameters that the query has, by name. */
  readonly values: ReadonlyMap<string, string>;
}

export type ReadRoute = Pick<SystemRoute, "parameters">;

/** Returns the query, or a sentence that says what is wrong with it. */
export function readRouteQuery({ parameters }: ReadRoute, search: string): RouteQuery | string {
  const sent = new URLSearchParams(search);
  const known = new Map(
    parameters.flatMap(({ in: place, name, schema, required }) =>
      place === "query" ? [[String(name), { schema, isRequired: required === true }] as const] : []
    ),
  );
  for (const name of sent.keys()) {
    if (!known.has(name)) return `Unknown parameter "${name.slice(0, 64)}"`;
    if (sent.getAll(name).length > 1) return `Parameter "${name}" is given more than once`;
  }
  for (const [name, { schema, isRequired }] of known) {
    const text = sent.get(name);
    const fault = text === null
      ? isRequired ? "is needed" : null
      : faultOf(name, text, isSchema(schema) ? schema : {});
    if (fault !== null) return `Parameter "${name}" ${fault}`;
  }
  const cursor = cursorIn(sent);
  if (typeof cursor === "string") return cursor;
  const limit = numberIn(sent, "limit") ?? PAGE_SIZE_DEFAULT;
  return {
    limit: Math.min(Math.max(limit, PAGE_SIZE_MIN), PAGE_SIZE_MAX),
    offset: numberIn(sent, "offset") ?? 0,
    cursor,
    values: new Map(sent),
  };
}

/** Null: the text is what the schema allows. */
function faultOf(
  name: string,
  text: string,
  schema: Readonly<Record<string, unknown>>,
): string | null {
  const { type, minimum, enum: values, pattern } = schema;
  if (type === "integer") {
    if (!/^-?\d+$/.test(text)) return "needs an integer";
    // A limit outside of its range is moved to the nearer end.
    if (name === "limit" || typeof minimum !== "number" || Number(text) >= minimum) return null;
    return `needs an integer of at least ${minimum}`;
  }
  if (Array.isArray(values) && !values.includes(text)) return `needs one of ${values.join(", ")}`;
  return typeof pattern === "string" && !new RegExp(pattern, "u").test(text)
    ? `does not match ${pattern}`
    : null;
}

function numberIn(sent: URLSearchParams, name: string): number | null {
  const text = sent.get(name);
  if (text === null) return null;
  return Math.min(Math.max(Number(text), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

const CURSORS = ["starting_after", "ending_before"] as const;

function cursorIn(sent: URLSearchParams): SealedCursor | string | null {
  const [parameter, other] = CURSORS.filter((name) => sent.has(name));
  if (parameter === undefined) return null;
  if (other !== undefined || sent.has("offset")) {
    return `Parameter "${parameter}" is not for use with "${other ?? "offset"}"`;
  }
  const direction = parameter === "starting_after" ? "after" : "before";
  return { parameter, direction, text: sent.get(parameter) ?? "" };
}
