/** Builds the records of a generated API's routes that belong to no resource. */
import type { JsonSchema, RuntimeCode } from "../contract/mod.ts";
import type { JsonValue } from "../model/mod.ts";
import { COMMON_CODES } from "./codes.ts";
import { type Route, SERVICE_TAG } from "./route.ts";
import { describedQuery, type QueryRoute } from "./route_query.ts";
import type { RoleRule } from "./admission.ts";

export interface SystemRoute<Kind extends string = string, Id extends string = string>
  extends Route, QueryRoute {
  readonly id: Id;
  readonly kind: Kind;
  readonly rule: RoleRule | null;
  readonly summary: string;
  readonly description: string;
  /** Setting of the project that decides who is admitted; null: no setting does. */
  readonly setting: string | null;
  /** Callers of a route without authentication, in words; null: anyone. */
  readonly open: string | null;
  /** OpenAPI parameters of its path, query and headers. */
  readonly parameters: readonly JsonSchema[];
  /** Headers that the route accepts, by their names under `components.parameters`. */
  readonly headers: readonly ("IfNoneMatch" | "Range" | "IfRange")[];
  /** Values of `status` that select the records of the pages; null: the route has no pages. */
  readonly page: { readonly statuses: readonly string[] } | null;
  readonly body: RouteBody | null;
  /** True when a success may change the database. */
  readonly writes: boolean;
  /** Responses by status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Refusals that are no problem documents, because a protocol or a browser needs another form. */
  readonly forms: Readonly<Record<number, Content>>;
  /** Returns the codes with which the route may refuse (contract 7.2). */
  codes(): readonly RuntimeCode[];
  /** Name of the route's MCP tool; below the API's own base it is an operation of the client, too. Null: it has none. */
  readonly tool: string | null;
  /** Code that refuses a path whose parameter identifies nothing. */
  readonly miss: RuntimeCode;
  /** True when the accounts of the API answer the route, or it serves one account. */
  readonly ofAccounts: boolean;
}

interface RouteBody extends Content {
  readonly isRequired: boolean;
}

export interface Content {
  readonly mediaType: string;
  readonly schema: JsonSchema;
  readonly example?: JsonValue;
  /** Name under `components.schemas`, if several responses have this schema. */
  readonly name?: string;
}

/** Names under `components.headers`. */
type AnswerHeader =
  | "Location"
  | "PageLinks"
  | "FileTag"
  | "AcceptRanges"
  | "ContentRange";

export interface Answer {
  readonly description: string;
  /**
   * Headers beside those of every response, each a name of `components.headers` or a schema; null: the response has no headers
   * of the service.
   */
  readonly headers: Readonly<Record<string, AnswerHeader | JsonSchema>> | null;
  readonly content: readonly Content[];
}

type NeededMember = "id" | "method" | "path" | "summary" | "description" | "who" | "answers";

export type DeclaredRoute<Kind extends string> =
  & Pick<SystemRoute, NeededMember>
  & Partial<Omit<SystemRoute<Kind>, "codes" | "query">>
  & {
    /** Codes beside those of every route. */
    readonly codes: readonly RuntimeCode[] | (() => readonly RuntimeCode[]);
    /** True: the response was made at the start and is the same for every caller, so that it cannot fail. */
    readonly isStatic?: boolean;
  };

/** Completes the record of a route. By default it admits any caller, belongs to the service, and accepts no body. */
export function systemRoute<const Id extends string>(
  declared: DeclaredRoute<"service"> & { readonly id: Id },
): SystemRoute<"service", Id>;
export function systemRoute<Kind extends string>(
  declared: DeclaredRoute<Kind> & { readonly kind: Kind },
): SystemRoute<Kind>;
export function systemRoute({ codes, isStatic, ...facts }: DeclaredRoute<string>): SystemRoute {
  const common: readonly RuntimeCode[] = isStatic ? ["HOST_INVALID"] : COMMON_CODES;
  return {
    kind: "service",
    tag: SERVICE_TAG,
    listedAs: "service",
    feature: null,
    rule: null,
    setting: null,
    open: null,
    rateGate: null,
    parameters: [],
    query: describedQuery(facts.parameters ?? []),
    // Requests of monitors, and links without a caller, may have additional parameters.
    strays: facts.who === "unasked" ? "ignored" : "refused",
    headers: [],
    page: null,
    keyed: false,
    body: null,
    writes: facts.method !== "GET",
    forms: {},
    tool: null,
    miss: "ROUTE_NOT_FOUND",
    ofAccounts: facts.who === "session",
    ...facts,
    codes: () => [...new Set([...common, ...(typeof codes === "function" ? codes() : codes)])],
  };
}

const JSON_TYPE = "application/json";

interface ContentOptions {
  readonly mediaType?: string;
  readonly description?: string;
  readonly headers?: Answer["headers"];
  /** Further media types, for clients that accept no other. */
  readonly others?: Readonly<Record<string, JsonSchema>>;
}

/** Returns a success with one body. */
export function answer(
  schema: JsonSchema,
  example: JsonValue,
  { mediaType = JSON_TYPE, description = "Success.", headers = {}, others = {} }: ContentOptions =
    {},
): Answer {
  const further = Object.entries(others).map(([mediaType, schema]) => ({ mediaType, schema }));
  return { description, headers, content: [{ mediaType, schema, example }, ...further] };
}

/** Returns the responses of a route that has just one success. */
export function ok(
  schema: JsonSchema,
  example: JsonValue,
  options: ContentOptions = {},
): SystemRoute["answers"] {
  return { 200: answer(schema, example, options) };
}

/** Returns the responses of a route whose status repeats its body: 200, or 503. */
export function okOrUnavailable(
  name: string,
  schema: JsonSchema,
  example: JsonValue,
): SystemRoute["answers"] {
  const content = [{ mediaType: JSON_TYPE, schema, example, name }];
  return {
    200: { description: "Success.", headers: {}, content },
    503: { description: "The same body, telling what is missing.", headers: {}, content },
  };
}

/** Returns a success without a body. */
export function emptyAnswer(description: string, headers: Answer["headers"] = {}): Answer {
  return { description, headers, content: [] };
}

/** Response that redirects to another address. */
export const REDIRECT = emptyAnswer("Leads on.", {
  Location: { description: "Where to.", required: true, schema: { type: "string" } },
});

/** Returns a request body, which is required by default. */
export function bodyOf(
  schema: JsonSchema,
  example: JsonValue,
  { mediaType = JSON_TYPE, isRequired = true }: {
    readonly mediaType?: string;
    readonly isRequired?: boolean;
  } = {},
): RouteBody {
  return { mediaType, schema, example, isRequired };
}

/** Returns the route at this path. Throws if there is none, because every route is described. */
export function routeAt(path: string, routes: readonly SystemRoute[]): SystemRoute {
  const found = routes.find((route) => route.path === path);
  if (!found) throw new Error(`The description has no route ${path}`);
  return found;
}
