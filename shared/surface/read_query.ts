/**
 * Reads query strings (contract 4.3, definitions 7): every parameter is known, given once and well-formed, or the whole
 * request is refused with 400 `VALIDATION_INVALID_INPUT`. Nothing is ever dropped, but for unknown `fields` in v1.
 */
import { PAGE_SIZE_MAX, PAGE_SIZE_MIN, QUERY_PARAMETERS_MAX } from "../contract/limits.ts";
import type { Principal } from "../model/principal.ts";
import { sightOf } from "./column_sight.ts";
import type { Parameter } from "./parameters.ts";
import type { GetQuery, ListQuery, QueryRefusal, QueryResult, WriteQuery } from "./query.ts";
import {
  emptyDraft,
  type QueryDraft,
  type QueryRequest,
  type ReadingContext,
} from "./query_draft.ts";
import type { QueryPlan } from "./query_plan.ts";
import { clipped, formRefusal, parameterRefusal, suggestion, tooLong } from "./query_refusals.ts";
import {
  embedRefusal,
  embedsOf,
  readEmbeddedFields,
  readFields,
  readInclude,
} from "./read_fields.ts";
import { readFilter, readScope, readSearch } from "./read_filter.ts";
import { effectiveSort, readSort } from "./read_sort.ts";

/** Reads the query of a list or a view. */
export function readListQuery(plan: QueryPlan, request: QueryRequest): QueryResult<ListQuery> {
  const reading = readParameters(plan, request);
  if (reading.kind === "refused") return reading;
  const { draft } = reading;
  const refusal = cursorRefusal(draft) ?? aggregationRefusal(plan, request.principal);
  if (refusal) return refusal;
  const { limit, offset, cursor, columns, withTotal, search, scope, filters } = draft;
  return {
    kind: "query",
    query: {
      limit,
      offset: offset ?? 0,
      cursor,
      sort: effectiveSort(plan, draft, request.principal),
      filters,
      columns,
      withTotal,
      search,
      include: embedsOf(draft, plan),
      scope,
    },
  };
}

/** Reads the query of a single read. */
export function readGetQuery(plan: QueryPlan, request: QueryRequest): QueryResult<GetQuery> {
  const reading = readParameters(plan, request);
  if (reading.kind === "refused") return reading;
  const { columns, scope } = reading.draft;
  return { kind: "query", query: { columns, include: embedsOf(reading.draft, plan), scope } };
}

/** Reads the query of a write. */
export function readWriteQuery(plan: QueryPlan, request: QueryRequest): QueryResult<WriteQuery> {
  const reading = readParameters(plan, request);
  if (reading.kind === "refused") return reading;
  return { kind: "query", query: { scope: reading.draft.scope } };
}

type Reading = { readonly kind: "read"; readonly draft: QueryDraft } | QueryRefusal;

function readParameters(plan: QueryPlan, request: QueryRequest): Reading {
  const draft = emptyDraft(plan);
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
    case "scope":
      return readScope(text, use.column, draft);
    case "filter":
      return readFilter({ name, text, use }, context);
  }
}

/** A page begins in one place. */
function cursorRefusal({ cursor, offset }: QueryDraft): QueryRefusal | null {
  return cursor === null || offset === null ? null : together(cursor.parameter, "offset");
}

function together(parameter: string, other: string): QueryRefusal {
  return parameterRefusal(
    parameter,
    `Parameters "${parameter}" and "${other}" cannot be given together`,
  );
}

/** Over every row, so the owner of some has no say; a minimum or a sum of one row is the value itself. */
function aggregationRefusal(plan: QueryPlan, principal: Principal): QueryRefusal | null {
  const hidden = plan.aggregations.find(({ column }) =>
    column !== null && sightOf(plan.resource, column, principal).kind !== "plain"
  );
  if (!hidden) return null;
  return parameterRefusal(
    `aggregations.${hidden.name}`,
    `Column "${hidden.column}" is masked for this caller and cannot be aggregated`,
  );
}

function unknownParameter(name: string, plan: QueryPlan): QueryRefusal {
  const column = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const operators = operatorsOn(column, plan);
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

function operatorsOn(column: string, plan: QueryPlan): readonly string[] {
  return [...plan.parameters.values()].flatMap(({ use }) =>
    use.kind === "filter" && use.column === column && use.operator !== "eq" ? [use.operator] : []
  );
}
