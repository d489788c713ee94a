/**
 * Defines the error that ends a request early: a layer throws it, and one place answers it as the problem document of its code
 * (contract 2.7, 7).
 */
import type { RuntimeCode } from "../contract/mod.ts";
import { pointerTo } from "../lib/json.ts";
import type { JsonValue } from "../model/mod.ts";
import { type QueryRoute, readRouteQuery, type RouteQuery } from "../surface/mod.ts";

export interface RefusalOptions {
  /** The reason for this request; the code's title is the same for all. */
  readonly detail?: string;
  readonly details?: Readonly<Record<string, JsonValue>>;
  /** The first offending field of the body, as a JSON pointer. */
  readonly pointer?: string;
  /** The way out; absent: the code's own hint. */
  readonly hint?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The cause, for the server's log and `EXPOSE_ERROR_STACK`; never in a body otherwise. */
  readonly cause?: unknown;
}

export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly code: RuntimeCode;
  readonly options: RefusalOptions;

  constructor(code: RuntimeCode, options: RefusalOptions = {}) {
    super(code, { cause: options.cause });
    this.code = code;
    this.options = options;
  }
}

/** Ends the request because of one member of its body. */
export function refuseMember(place: readonly (string | number)[], message: string): never {
  return refuse("VALIDATION_ERROR", {
    details: { fields: { [place.join(".")]: message } },
    pointer: pointerTo(...place),
  });
}

/** Ends the request with this code. */
export function refuse(code: RuntimeCode, options?: RefusalOptions): never {
  throw new Refusal(code, options);
}

/** Refuses a query that its route does not take (contract 4.3, 7.2). */
export function refuseQuery(detail: string): never {
  refuse("VALIDATION_INVALID_INPUT", { detail });
}

/** Parses the query of a route. Refuses with `VALIDATION_INVALID_INPUT` one that its record does not allow. */
export function requireQuery(route: QueryRoute, search: string): RouteQuery {
  const query = readRouteQuery(route, search);
  if ("values" in query) return query;
  const { message: detail, parameter } = query;
  return refuse("VALIDATION_INVALID_INPUT", { detail, details: { parameter } });
}
