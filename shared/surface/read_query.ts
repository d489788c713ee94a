/**
 * Reads query strings (contract 4.3, definitions 7): every parameter is known, given once and well-formed, or the whole
 * request is refused with 400 `VALIDATION_INVALID_INPUT`. Nothing is ever dropped, but for unknown `fields` in v1.
 */
import {
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  PAGE_SIZE_MIN,
  QUERY_PARAMETERS_MAX,
  QUERY_VALUE_MAX_BYTES,
  QUERY_VALUES_MAX,
} from "../contract/limits.ts";
import { nearest } from "../lib/nearest.ts";
import type { Principal } from "../model/principal.ts";
import type { SortKey } from "../model/view.ts";
import { mayQueryBy } from "./masked_columns.ts";
import type { Parameter } from "./parameters.ts";
import type {
  Filter,
  GetQuery,
  ListQuery,
  NamedScope,
  QueryRefusal,
  QueryResult,
  Search,
  WriteQuery,
} from "./query.ts";
import type { QueryPlan } from "./query_plan.ts";
import { readFilterValue } from "./query_values.ts";

export interface QueryRequest {
  readonly parameters: URLSearchParams;
  readonly principal: Principal;
}

/** Of a list or a view. */
export function readListQuery(plan: QueryPlan, request: QueryRequest): QueryResult<ListQuery> {
  const reading = readParameters(plan, request);
  if (reading.kind === "refused") return reading;
  const { limit, offset, columns, withTotal, search, scope, filters } = reading.draft;
  const sort = effectiveSort(plan, reading.draft, request.principal);
  return {
    kind: "query",
    query: { limit, offset, sort, filters, columns, withTotal, search, scope },
  };
}

/** Of a single read. */
export function readGetQuery(plan: QueryPlan, request: QueryRequest): QueryResult<GetQuery> {
  const reading = readParameters(plan, request);
  if (reading.kind === "refused") return reading;
  const { columns, scope } = reading.draft;
  return { kind: "query", query: { columns, scope } };
}

/** Of a write. */
export function readWriteQuery(plan: QueryPlan, request: QueryRequest): QueryResult<WriteQuery> {
  const reading = readParameters(plan, request);
  if (reading.kind === "refused") return reading;
  return { kind: "query", query: { scope: reading.draft.scope } };
}

/** Filled in parameter by parameter. */
interface Draft {
  limit: number;
  offset: number;
  /** As the client wrote them; null: not at all. */
  sort: { readonly keys: readonly SortKey[]; readonly isMulti: boolean } | null;
  order: "asc" | "desc" | null;
  columns: readonly string[];
  withTotal: boolean;
  search: Search | null;
  scope: NamedScope | null;
  readonly filters: Filter[];
}

type Reading = { readonly kind: "read"; readonly draft: Draft } | QueryRefusal;

function readParameters(plan: QueryPlan, request: QueryRequest): Reading {
  const draft: Draft = {
    limit: PAGE_SIZE_DEFAULT,
    offset: 0,
    sort: null,
    order: null,
    columns: plan.columns,
    withTotal: false,
    search: null,
    scope: null,
    filters: [],
  };
  const seen = new Set<string>();
  for (const [name, text] of request.parameters) {
    if (seen.has(name)) return refused(name, `Parameter "${shown(name)}" is given more than once`);
    seen.add(name);
    if (seen.size > QUERY_PARAMETERS_MAX) {
      return refused(name, `More than ${QUERY_PARAMETERS_MAX} parameters are given`);
    }
    const parameter = plan.parameters.get(name);
    if (!parameter) return unknownParameter(name, plan);
    const refusal = tooLong(name, text) ?? readParameter(parameter, text, { plan, request, draft });
    if (refusal) return refusal;
  }
  return { kind: "read", draft };
}

interface ReadingContext {
  readonly plan: QueryPlan;
  readonly request: QueryRequest;
  readonly draft: Draft;
}

function readParameter(
  { name, use }: Parameter,
  text: string,
  context: ReadingContext,
): QueryRefusal | null {
  const { draft } = context;
  switch (use.kind) {
    case "limit":
      if (!/^-?\d+$/.test(text)) return expected(name, "a whole number from 1 to 100");
      draft.limit = Math.min(PAGE_SIZE_MAX, Math.max(PAGE_SIZE_MIN, Number(text)));
      return null;
    case "offset":
      if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) {
        return expected(name, "a whole number from 0");
      }
      draft.offset = Number(text);
      return null;
    case "order":
      if (text !== "asc" && text !== "desc") return expected(name, "asc or desc");
      draft.order = text;
      return null;
    case "total":
      if (text !== "true" && text !== "false") return expected(name, "true or false");
      draft.withTotal = text === "true";
      return null;
    case "sort":
      return readSort(text, use.columns, context);
    case "fields":
      return readFields(text, use, draft);
    case "search":
      return readSearch(text, use.columns, context);
    case "scope":
      return readScope(text, use.column, draft);
    case "filter":
      return readFilter({ name, text, use }, context);
  }
}

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
      return refused("sort", `Cannot sort by "${shown(column)}"${suggestion(column, sortable)}`);
    }
    if (!mayQueryBy(column, plan.resource, request.principal)) return masked("sort", column);
    if (keys.some((key) => key.column === column)) {
      return refused("sort", `Parameter "sort" names "${column}" more than once`);
    }
    keys.push({ column, descending });
  }
  draft.sort = { keys, isMulti: text.includes(",") || text.startsWith("-") };
  return null;
}

/**
 * `order` turns a single plain `sort` field or, alone, the default sort (definitions 7). A default sort by a column that
 * is masked for the caller is no refusal, but it must not tell the order of hidden values either: such keys are left out.
 */
function effectiveSort(plan: QueryPlan, draft: Draft, principal: Principal): readonly SortKey[] {
  const { sort, order } = draft;
  if (sort) {
    return order === null || sort.isMulti ? sort.keys : turnedTo(order, sort.keys);
  }
  const keys = plan.defaultSort.filter((key) => mayQueryBy(key.column, plan.resource, principal));
  return order === null ? keys : turnedTo(order, keys);
}

/** The first key gets the direction; the others turn with it, so that the whole order is itself or its reverse. */
function turnedTo(order: "asc" | "desc", keys: readonly SortKey[]): readonly SortKey[] {
  const [first] = keys;
  if (!first || first.descending === (order === "desc")) return keys;
  return keys.map(({ column, descending }) => ({ column, descending: !descending }));
}

function readFields(
  text: string,
  use: { readonly columns: readonly string[]; readonly strict: boolean },
  draft: Draft,
): QueryRefusal | null {
  const names = new Set(text.split(","));
  const known = use.columns.filter((column) => names.has(column));
  if (use.strict && known.length < names.size) {
    const unknown = [...names].find((name) => !known.includes(name)) ?? "";
    return refused(
      "fields",
      `Unknown field "${shown(unknown)}"${suggestion(unknown, use.columns)}`,
    );
  }
  if (known.length > 0) draft.columns = known;
  return null;
}

function readSearch(
  text: string,
  searchable: readonly string[],
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  if (text.includes("\0")) return expected("search", "text without NUL characters");
  if (text === "") return null;
  const columns = searchable.filter((column) =>
    mayQueryBy(column, plan.resource, request.principal)
  );
  draft.search = { columns, text };
  return null;
}

function readScope(text: string, column: string, draft: Draft): QueryRefusal | null {
  if (text === "" || text.includes("\0")) return expected("organizationId", "an organization's id");
  draft.scope = { organizationId: text };
  draft.filters.push({ column, operator: "eq", values: [text] });
  return null;
}

function readFilter(
  filter: {
    readonly name: string;
    readonly text: string;
    readonly use: Extract<Parameter["use"], { kind: "filter" }>;
  },
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  const { name, text, use: { column, operator, value: kind } } = filter;
  if (!mayQueryBy(column, plan.resource, request.principal)) return masked(name, column);
  if (operator === "like") {
    if (text.includes("\0")) return expected(name, "text without NUL characters");
    draft.filters.push({ column, operator, values: [text] });
    return null;
  }
  const values: (string | number)[] = [];
  for (const item of operator === "in" ? text.split(",") : [text]) {
    const reading = readFilterValue(item, kind);
    if (reading.kind === "mismatch") return expected(name, reading.expected);
    values.push(reading.value);
  }
  draft.filters.push({ column, operator, values });
  const count = draft.filters.reduce((sum, { values }) => sum + values.length, 0);
  return count <= QUERY_VALUES_MAX
    ? null
    : refused(name, `More than ${QUERY_VALUES_MAX} values are given`);
}

function unknownParameter(name: string, plan: QueryPlan): QueryRefusal {
  const column = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const operators = operatorsOn(column, plan);
  if (operators.length > 0) {
    const operator = shown(name.slice(column.length + 1));
    return refused(
      name,
      `Unknown operator "${operator}" on "${column}"; it takes ${operators.join(", ")}`,
    );
  }
  const known = [...plan.parameters.keys()];
  return refused(name, `Unknown parameter "${shown(name)}"${suggestion(name, known)}`);
}

function operatorsOn(column: string, plan: QueryPlan): readonly string[] {
  return [...plan.parameters.values()].flatMap(({ use }) =>
    use.kind === "filter" && use.column === column && use.operator !== "eq" ? [use.operator] : []
  );
}

/** The same for everyone who may not ask: it says nothing about any value. */
function masked(parameter: string, column: string): QueryRefusal {
  return refused(parameter, `Column "${column}" is masked for this caller and cannot be asked by`);
}

function tooLong(name: string, text: string): QueryRefusal | null {
  // A UTF-16 unit is at most three bytes of UTF-8, so most texts need no encoding to be measured.
  if (text.length * 3 <= QUERY_VALUE_MAX_BYTES) return null;
  return new TextEncoder().encode(text).length <= QUERY_VALUE_MAX_BYTES
    ? null
    : refused(name, `Parameter "${name}" is longer than ${QUERY_VALUE_MAX_BYTES} bytes`);
}

function expected(parameter: string, form: string): QueryRefusal {
  return refused(parameter, `Parameter "${parameter}" needs ${form}`);
}

function suggestion(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === null ? "" : `; did you mean "${near}"?`;
}

/** Names come from the caller; a message quotes only so much of one. */
function shown(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}

function refused(parameter: string, message: string): QueryRefusal {
  return { kind: "refused", parameter: shown(parameter), message };
}
