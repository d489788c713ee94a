/** Reads the query of a route as its record describes it (contract 4.3, 4.5-4.7). */
import type { z } from "zod";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../contract/mod.ts";
import type { JsonSchema } from "../contract/mod.ts";
import type { SealedCursor } from "./query.ts";
import { isSchema } from "./schema/json_schema.ts";

/** A parameter of a query. */
export interface QueryParameter {
  readonly name: string;
  readonly isRequired: boolean;
  /** Returns the fault of a text; null: there is none. */
  faultOf(text: string): string | null;
}

/** The parts of a route that its query depends on. */
export interface QueryRoute {
  readonly query: readonly QueryParameter[];
  /** Treatment of parameters that the record does not name. */
  readonly strays: "refused" | "ignored";
}

export interface RouteQuery {
  readonly limit: number;
  readonly offset: number;
  /** Cursor of the page; null: the page has an offset. */
  readonly cursor: SealedCursor | null;
  /** Values of the record's parameters in the query, by name, in the record's order. */
  readonly values: ReadonlyMap<string, string>;
}

export interface QueryFault {
  readonly parameter: string;
  readonly message: string;
}

/** Returns the query, or its fault. */
export function readRouteQuery(
  { query, strays }: QueryRoute,
  search: string,
): RouteQuery | QueryFault {
  const sent = new URLSearchParams(search);
  const fault = (parameter: string, problem: string): QueryFault => ({
    parameter,
    message: `Parameter "${parameter}" ${problem}`,
  });
  const values = new Map<string, string>();
  for (const name of sent.keys()) {
    const isKnown = query.some((known) => known.name === name);
    if (!isKnown && strays === "ignored") continue;
    const parameter = name.slice(0, 64);
    if (!isKnown) return { parameter, message: `Unknown parameter "${parameter}"` };
    if (sent.getAll(name).length > 1) return fault(name, "is given more than once");
  }
  for (const { name, isRequired, faultOf } of query) {
    const text = sent.get(name);
    const problem = text === null ? isRequired ? "is needed" : null : faultOf(text);
    if (problem !== null) return fault(name, problem);
    if (text !== null) values.set(name, text);
  }
  const [cursor, other] = CURSORS.filter((name) => values.has(name));
  if (cursor !== undefined && (other !== undefined || values.has("offset"))) {
    return fault(cursor, `is not for use with "${other ?? "offset"}"`);
  }
  const limit = numberIn(values, "limit") ?? PAGE_SIZE_DEFAULT;
  return {
    limit: Math.min(Math.max(limit, PAGE_SIZE_MIN), PAGE_SIZE_MAX),
    offset: numberIn(values, "offset") ?? 0,
    cursor: cursor === undefined ? null : {
      parameter: cursor,
      direction: cursor === "starting_after" ? "after" : "before",
      text: values.get(cursor) ?? "",
    },
    values,
  };
}

/** Returns the query parameters among those that OpenAPI lists. */
export function describedQuery(parameters: readonly JsonSchema[]): readonly QueryParameter[] {
  return parameters.flatMap(({ in: place, name, schema, required }) =>
    place !== "query" ? [] : [{
      name: String(name),
      isRequired: required === true,
      faultOf: (text) => schemaFault(String(name), text, isSchema(schema) ? schema : {}),
    }]
  );
}

/** Returns the members of a validator as query parameters. */
export function validatedQuery({ shape }: z.ZodObject): readonly QueryParameter[] {
  return Object.entries(shape).map(([name, schema]) => ({
    name,
    isRequired: !schema.safeParse(undefined).success,
    faultOf(text) {
      const [issue] = schema.safeParse(text).error?.issues ?? [];
      return issue === undefined ? null : `is not as described: ${issue.message}`;
    },
  }));
}

function schemaFault(
  name: string,
  text: string,
  { type, minimum, enum: values, pattern }: JsonSchema,
): string | null {
  if (type === "integer") {
    if (!/^-?\d+$/.test(text)) return "needs an integer";
    // A limit outside of its range becomes the nearer end.
    if (name === "limit" || typeof minimum !== "number" || Number(text) >= minimum) return null;
    return `needs an integer of at least ${minimum}`;
  }
  if (Array.isArray(values) && !values.includes(text)) return `needs one of ${values.join(", ")}`;
  return typeof pattern === "string" && !new RegExp(pattern, "u").test(text)
    ? `does not match ${pattern}`
    : null;
}

function numberIn(values: ReadonlyMap<string, string>, name: string): number | null {
  const text = values.get(name);
  if (text === undefined) return null;
  return Math.min(Math.max(Number(text), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

const CURSORS = ["starting_after", "ending_before"] as const;
