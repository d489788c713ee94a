/** Routes of a generated API that belong to no resource: the constructor of their records. */
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
  /** Setting of the project that decides who is let in; null: it is always the same. */
  readonly setting: string | null;
  /** Callers of a route that asks nobody who they are, in words; null: anyone. */
  readonly open: string | null;
  /** OpenAPI parameters of its path, query and headers. */
  readonly parameters: readonly JsonSchema[];
  /** Headers that it takes, by their names under `components.parameters`. */
  readonly headers: readonly ("IfNoneMatch" | "Range" | "IfRange")[];
  /** It answers pages, narrowed by one of these values of `status`; null: it answers none. */
  readonly page: { readonly statuses: readonly string[] } | null;
  readonly body: RouteBody | null;
  /** True when a success may change the database. */
  readonly writes: boolean;
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Refusals that are no problem documents, because a protocol or a browser wants another form. */
  readonly forms: Readonly<Record<number, Content>>;
  /** Returns the codes with which it may be refused (contract 7.2). */
  codes(): readonly RuntimeCode[];
  /** Name of its MCP tool; below the API's own base it is an operation of the client, too. Null: it has none. */
  readonly tool: string | null;
  /** Code that refuses a path whose parameter names nothing. */
  readonly miss: RuntimeCode;
  /** True when the accounts of the API answer it, or it is for one of them alone. */
  readonly ofAccounts: boolean;
}

interface RouteBody extends Content {
  readonly isRequired: boolean;
}

export interface Content {
  readonly mediaType: string;
  readonly schema: JsonSchema;
  readonly example?: JsonValue;
  /** Name under `components.schemas`, where several answers have it. */
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
  /** Beside those of every answer, each as `components.headers` names it or written out; null: it has no headers of ours. */
  readonly headers: Readonly<Record<string, AnswerHeader | JsonSchema>> | null;
  readonly content: readonly Content[];
}

type NeededMember = "id" | "method" | "path" | "summary" | "description" | "who" | "answers";

export type DeclaredRoute<Kind extends string> =
  & Pick<SystemRoute, NeededMember>
  & Partial<Omit<SystemRoute<Kind>, "codes" | "query">>
  & {
    /** Beside those of every route. */
    readonly codes: readonly RuntimeCode[] | (() => readonly RuntimeCode[]);
    /** True: it answers from what was made at the start, to anybody, so nothing in it can fail. */
    readonly isStatic?: boolean;
  };

/** Completes the record of a route: by default anybody's call is the service's own affair, and it takes no body. */
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
    // Monitors, and links that ask for no caller, may bring parameters of their own.
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
  /** Further media types, for whoever accepts nothing else. */
  readonly others?: Readonly<Record<string, JsonSchema>>;
}

/** A success with one body. */
export function answer(
  schema: JsonSchema,
  example: JsonValue,
  { mediaType = JSON_TYPE, description = "Success.", headers = {}, others = {} }: ContentOptions =
    {},
): Answer {
  const further = Object.entries(others).map(([mediaType, schema]) => ({ mediaType, schema }));
  return { description, headers, content: [{ mediaType, schema, example }, ...further] };
}

/** The answers of a route that has just one success. */
export function ok(
  schema: JsonSchema,
  example: JsonValue,
  options: ContentOptions = {},
): SystemRoute["answers"] {
  return { 200: answer(schema, example, options) };
}

/** The answers of a route that says by its status what its body says: 200, or 503. */
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

/** A success without a body. */
export function emptyAnswer(description: string, headers: Answer["headers"] = {}): Answer {
  return { description, headers, content: [] };
}

/** A success that leads somewhere else. */
export const REDIRECT = emptyAnswer("Leads on.", {
  Location: { description: "Where to.", required: true, schema: { type: "string" } },
});

/** A request body; needed, unless said otherwise. */
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

/** The one at this path. Throws where there is none: every route is described. */
export function routeAt(path: string, routes: readonly SystemRoute[]): SystemRoute {
  const found = routes.find((route) => route.path === path);
  if (!found) throw new Error(`The description has no route ${path}`);
  return found;
}
