/**
 * Reads the parameters of a query string, one after the other, into a draft (contract 4.3, definitions 7); the first that is
 * unknown, repeated or malformed refuses the request.
 */
import {
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  PAGE_SIZE_MIN,
  QUERY_PARAMETERS_MAX,
  QUERY_VALUE_MAX_BYTES,
  QUERY_VALUES_MAX,
  SORT_FIELDS_MAX,
} from "../contract/limits.ts";
import { nearest } from "../lib/nearest.ts";
import type { Principal } from "../model/principal.ts";
import type { SortKey } from "../model/resource.ts";
import { mayQueryBy, sightOf } from "./column_sight.ts";
import { isOtherSpelling } from "./ids.ts";
import type { Parameter, ParameterUse } from "./parameters.ts";
import type { Filter, NamedScope, QueryPlan, QueryRefusal, SealedCursor, Search } from "./query.ts";

export interface QueryRequest {
  readonly parameters: URLSearchParams;
  readonly principal: Principal;
}

/** Partial result of reading a query string. */
export interface QueryDraft {
  limit: number;
  /** Null: not given. */
  offset: number | null;
  cursor: SealedCursor | null;
  /** As the client wrote them; null: not at all. */
  sort: { readonly keys: readonly SortKey[]; readonly isMulti: boolean } | null;
  order: "asc" | "desc" | null;
  columns: readonly string[];
  withTotal: boolean;
  search: Search | null;
  scope: NamedScope | null;
  readonly filters: Filter[];
  /** Foreign keys in allow-list order. */
  include: readonly string[] | null;
  /** By foreign key. */
  readonly embeddedFields: Map<string, readonly string[]>;
}

interface ReadingContext {
  readonly plan: QueryPlan;
  readonly request: QueryRequest;
  readonly draft: QueryDraft;
}

type Reading = { readonly kind: "read"; readonly draft: QueryDraft } | QueryRefusal;

export function readParameters(plan: QueryPlan, request: QueryRequest): Reading {
  const draft: QueryDraft = {
    limit: PAGE_SIZE_DEFAULT,
    offset: null,
    cursor: null,
    sort: null,
    order: null,
    columns: plan.columns,
    withTotal: false,
    search: null,
    scope: null,
    filters: [],
    include: null,
    embeddedFields: new Map(),
  };
  const seen = new Set<string>();
  for (const [name, text] of request.parameters) {
    if (seen.has(name)) {
      return parameterRefusal(name, `Parameter "${clipped(name)}" is given more than once`);
    }
    seen.add(name);
    if (seen.size > QUERY_PARAMETERS_MAX) {
      return parameterRefusal(name, `More than ${QUERY_PARAMETERS_MAX} parameters are given`);
    }
    const parameter = plan.parameters.get(name);
    if (!parameter) return unknownParameter(name, plan);
    const refusal = tooLong(name, text) ?? readParameter(parameter, text, { plan, request, draft });
    if (refusal) return refusal;
  }
  return embedRefusal(draft) ?? { kind: "read", draft };
}

function readParameter(
  { name, use }: Parameter,
  text: string,
  context: ReadingContext,
): QueryRefusal | null {
  const { draft } = context;
  switch (use.kind) {
    case "limit":
      if (!/^-?\d+$/.test(text)) return formRefusal(name, "a whole number from 1 to 100");
      draft.limit = Math.min(PAGE_SIZE_MAX, Math.max(PAGE_SIZE_MIN, Number(text)));
      return null;
    case "offset":
      if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) {
        return formRefusal(name, "a whole number from 0");
      }
      draft.offset = Number(text);
      return null;
    case "order":
      if (text !== "asc" && text !== "desc") return formRefusal(name, "asc or desc");
      draft.order = text;
      return null;
    case "total":
      if (text !== "true" && text !== "false") return formRefusal(name, "true or false");
      draft.withTotal = text === "true";
      return null;
    case "cursor":
      if (draft.cursor) return together(name, draft.cursor.parameter);
      draft.cursor = { direction: use.direction, parameter: name, text };
      return null;
    case "sort":
      return readSort(text, use.columns, context);
    case "fields":
      return readFields(text, use, draft);
    case "include":
      return readInclude(text, use.columns, context);
    case "embeddedFields":
      return readEmbeddedFields(text, use, draft);
    case "search":
      return readSearch(text, use.columns, context);
    case "scope": {
      if (text === "" || text.includes("\0")) {
        return formRefusal("organizationId", "an organization's id");
      }
      draft.scope = { organizationId: text };
      draft.filters.push({ column: use.column, operator: "eq", values: [text] });
      return null;
    }
    case "filter":
      return readFilter({ name, text, use }, context);
  }
}

function readFilter(
  filter: {
    readonly name: string;
    readonly text: string;
    readonly use: Extract<ParameterUse, { kind: "filter" }>;
  },
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  const { name, text, use: { column, operator, isList, values: type, keyOf } } = filter;
  if (!mayQueryBy(column, plan.resource, request.principal)) return maskRefusal(name, column);
  const values: (string | number)[] = [];
  for (const item of isList ? text.split(",") : [text]) {
    if (item.includes("\0")) return formRefusal(name, NO_NUL);
    const value = type.read(item);
    if (value === undefined) return formRefusal(name, type.expected);
    if (isOtherSpelling(item, keyOf)) return formRefusal(name, "an id as the API spells it");
    values.push(value);
  }
  draft.filters.push({ column, operator, values });
  const count = draft.filters.reduce((sum, { values }) => sum + values.length, 0);
  return count <= QUERY_VALUES_MAX
    ? null
    : parameterRefusal(name, `More than ${QUERY_VALUES_MAX} values are given`);
}

function readSearch(
  text: string,
  searchable: readonly string[],
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  if (text.includes("\0")) return formRefusal("search", NO_NUL);
  if (text === "") return null;
  const columns = searchable.filter((column) =>
    mayQueryBy(column, plan.resource, request.principal)
  );
  draft.search = { columns, text };
  return null;
}

const NO_NUL = "text without NUL characters";

function readSort(
  text: string,
  sortable: readonly string[],
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  const keys: SortKey[] = [];
  for (const item of text.split(",")) {
    const descending = item.startsWith("-");
    const column = descending ? item.slice(1) : item;
    if (!sortable.includes(column)) {
      return parameterRefusal(
        "sort",
        `Cannot sort by "${clipped(column)}"${suggestion(column, sortable)}`,
      );
    }
    if (!mayQueryBy(column, plan.resource, request.principal)) return maskRefusal("sort", column);
    if (keys.some((key) => key.column === column)) {
      return parameterRefusal("sort", `Parameter "sort" names "${column}" more than once`);
    }
    keys.push({ column, descending });
    if (keys.length > SORT_FIELDS_MAX) {
      return parameterRefusal("sort", `Parameter "sort" names more than ${SORT_FIELDS_MAX} fields`);
    }
  }
  draft.sort = { keys, isMulti: text.includes(",") || text.startsWith("-") };
  return null;
}

/** Selection of answered fields: `fields`, `include` and `fields[<fk>]` (contract 4.3 rules 4 and 5). */
function readFields(
  text: string,
  use: { readonly columns: readonly string[]; readonly strict: boolean },
  draft: QueryDraft,
): QueryRefusal | null {
  const names = new Set(text.split(","));
  const known = use.columns.filter((column) => names.has(column));
  if (use.strict && known.length < names.size) {
    const unknown = [...names].find((name) => !known.includes(name)) ?? "";
    return parameterRefusal(
      "fields",
      `Unknown field "${clipped(unknown)}"${suggestion(unknown, use.columns)}`,
    );
  }
  if (known.length > 0) draft.columns = known;
  return null;
}

/** Reads `include`. A key that is masked for the caller is refused: its target would reveal it. */
function readInclude(
  text: string,
  allowed: readonly string[],
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  const names = text.split(",");
  for (const [at, name] of names.entries()) {
    if (!allowed.includes(name)) {
      return parameterRefusal(
        "include",
        `Cannot include "${clipped(name)}"${suggestion(name, allowed)}`,
      );
    }
    if (names.indexOf(name) !== at) {
      return parameterRefusal("include", `Parameter "include" names "${name}" more than once`);
    }
    if (sightOf(plan.resource, name, request.principal).kind === "masked") {
      return maskRefusal("include", name);
    }
  }
  draft.include = allowed.filter((column) => names.includes(column));
  return null;
}

/** Only bare `fields` ignore unknown names in v1 (contract 4.3 rule 5). */
function readEmbeddedFields(
  text: string,
  use: { readonly column: string; readonly fields: readonly string[] },
  draft: QueryDraft,
): QueryRefusal | null {
  const names = text.split(",");
  const unknown = names.find((name) => !use.fields.includes(name));
  if (unknown !== undefined) {
    return parameterRefusal(
      `fields[${use.column}]`,
      `Unknown field "${clipped(unknown)}"${suggestion(unknown, use.fields)}`,
    );
  }
  draft.embeddedFields.set(use.column, use.fields.filter((field) => names.includes(field)));
  return null;
}

/** Refuses combinations of the three that contradict each other, in whatever order they came; null: none. */
function embedRefusal(
  { columns, include, embeddedFields }: QueryDraft,
): QueryRefusal | null {
  const dropped = include?.find((column) => !columns.includes(column));
  if (dropped !== undefined) {
    return parameterRefusal(
      "include",
      `Including "${dropped}" needs it among the "fields" that answer`,
    );
  }
  const idle = [...embeddedFields.keys()].find((column) => !include?.includes(column));
  if (idle === undefined) return null;
  return parameterRefusal(
    `fields[${idle}]`,
    `Parameter "fields[${idle}]" needs "include" to name "${idle}"`,
  );
}

function unknownParameter(name: string, plan: QueryPlan): QueryRefusal {
  const column = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const operators = [...plan.parameters.values()].flatMap(({ use }) =>
    use.kind === "filter" && use.column === column && use.operator !== "eq" ? [use.operator] : []
  );
  if (operators.length > 0) {
    const operator = clipped(name.slice(column.length + 1));
    return parameterRefusal(
      name,
      `Unknown operator "${operator}" on "${column}"; it takes ${operators.join(", ")}`,
    );
  }
  const known = [...plan.parameters.keys()];
  return parameterRefusal(name, `Unknown parameter "${clipped(name)}"${suggestion(name, known)}`);
}

/** The words with which a query string is refused (contract 4.3 rule 1, definitions 7): they name parameter and way out. */
export function parameterRefusal(parameter: string, message: string): QueryRefusal {
  return { kind: "refused", parameter: clipped(parameter), message };
}

function formRefusal(parameter: string, form: string): QueryRefusal {
  return parameterRefusal(parameter, `Parameter "${parameter}" needs ${form}`);
}

/** The same for everyone who may not ask: it says nothing about any value. */
function maskRefusal(parameter: string, column: string): QueryRefusal {
  return parameterRefusal(
    parameter,
    `Column "${column}" is masked for this caller and cannot be asked by`,
  );
}

function tooLong(name: string, text: string): QueryRefusal | null {
  // A UTF-16 unit is at most three bytes of UTF-8, so most texts need no encoding to be measured.
  if (text.length * 3 <= QUERY_VALUE_MAX_BYTES) return null;
  return new TextEncoder().encode(text).length <= QUERY_VALUE_MAX_BYTES
    ? null
    : parameterRefusal(name, `Parameter "${name}" is longer than ${QUERY_VALUE_MAX_BYTES} bytes`);
}

function suggestion(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === null ? "" : `; did you mean "${near}"?`;
}

/** Names come from the caller; a message quotes only so much of one. */
function clipped(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}

export function together(parameter: string, other: string): QueryRefusal {
  return parameterRefusal(
    parameter,
    `Parameters "${parameter}" and "${other}" cannot be given together`,
  );
}
