/**
 * Reads query strings (contract 4.3, definitions 7). Every parameter is known, given once and well-formed, or the whole request
 * is refused with 400 `VALIDATION_INVALID_INPUT`. Nothing is dropped, except unknown `fields` in v1.
 */
import type { Principal, SortKey } from "../model/mod.ts";
import { mayQueryBy, sightOf } from "./column_sight.ts";
import type * as query from "./query.ts";
import type { QueryDraft } from "./query_draft.ts";
import type { QueryRequest } from "./read_parameters.ts";
import { parameterRefusal, readParameters, together } from "./read_parameters.ts";
import { recordColumns } from "./tables.ts";

/** Reads the query of a list or a view. */
export function readListQuery(
  plan: query.QueryPlan,
  request: QueryRequest,
): query.QueryResult<query.ListQuery> {
  const reading = readParameters(plan, request);
  if (reading.kind === "refused") return reading;
  const { draft } = reading;
  const {
    limit,
    offset,
    cursor,
    columns,
    withTotal,
    search,
    scope,
    filters,
    where,
    deleted,
    near,
  } = draft;
  // A page has one beginning and one order.
  const byRank = search?.isFullText === true && draft.sort === null && draft.order === null &&
    near === null;
  const placed = cursor === null || offset === null ? null : together(cursor.parameter, "offset");
  const unplaced = near === null ? null : nearRefusal(draft, near.parameter);
  const refusal = placed ?? unplaced ?? groupRefusal(plan, request.principal) ??
    aggregationRefusal(plan, request.principal);
  if (refusal) return refusal;
  return {
    kind: "query",
    query: {
      limit,
      offset: offset ?? 0,
      cursor,
      sort: byRank ? [] : effectiveSort(plan, draft, request.principal),
      byRank,
      filters,
      where,
      columns,
      withTotal,
      search,
      include: embedsOf(draft, plan),
      scope,
      deleted,
      near,
    },
  };
}

/** Refuses parameters beside `near`, which returns the first records of its own order. */
function nearRefusal(
  { cursor, sort, order, offset }: QueryDraft,
  parameter: string,
): query.QueryRefusal | null {
  const other = cursor?.parameter ??
    (sort ? "sort" : order ? "order" : offset === null ? null : "offset");
  return other === null ? null : together(parameter, other);
}

/** Reads the query of a single read. */
export function readGetQuery(
  plan: query.QueryPlan,
  request: QueryRequest,
): query.QueryResult<query.GetQuery> {
  const reading = readParameters(plan, request);
  if (reading.kind === "refused") return reading;
  const { columns, scope } = reading.draft;
  return { kind: "query", query: { columns, include: embedsOf(reading.draft, plan), scope } };
}

/** Reads the query of a write. */
export function readWriteQuery(
  plan: query.QueryPlan,
  request: QueryRequest,
): query.QueryResult<query.WriteQuery> {
  const reading = readParameters(plan, request);
  if (reading.kind === "refused") return reading;
  return { kind: "query", query: { scope: reading.draft.scope } };
}

/** Refuses groups by a masked column. Groups show the values of all rows, so a caller gets no exception for own rows. */
function groupRefusal(plan: query.QueryPlan, principal: Principal): query.QueryRefusal | null {
  const hidden = plan.groupBy?.find((key) =>
    sightOf(plan.resource, key.column, principal).kind !== "plain"
  );
  if (!hidden) return null;
  return parameterRefusal(
    `groupBy.${hidden.column}`,
    `Column "${hidden.column}" is masked for this caller and cannot be grouped by`,
  );
}

/**
 * Refuses aggregations of a masked column. They use every row, so a caller gets no exception for own rows; a minimum or a sum
 * of one row is its value.
 */
function aggregationRefusal(
  plan: query.QueryPlan,
  principal: Principal,
): query.QueryRefusal | null {
  const hidden = plan.aggregations.find(({ column }) =>
    column !== null && sightOf(plan.resource, column, principal).kind !== "plain"
  );
  if (!hidden) return null;
  return parameterRefusal(
    `aggregations.${hidden.name}`,
    `Column "${hidden.column}" is masked for this caller and cannot be aggregated`,
  );
}

/**
 * Returns the sort that applies. `order` sets the direction of a single plain `sort` field or, alone, of the default sort
 * (definitions 7). Keys of the default sort that are masked for the caller are left out, so that the order reveals no hidden
 * values.
 */
function effectiveSort(
  plan: query.QueryPlan,
  draft: QueryDraft,
  principal: Principal,
): readonly SortKey[] {
  const { sort, order } = draft;
  if (sort) {
    return order === null || sort.isMulti ? sort.keys : turnedTo(order, sort.keys);
  }
  const keys = plan.defaultSort.filter((key) => mayQueryBy(key.column, plan.resource, principal));
  return order === null ? keys : turnedTo(order, keys);
}

/** Returns keys whose first has this direction. The others change with it, so that the whole order is unchanged or reversed. */
function turnedTo(order: "asc" | "desc", keys: readonly SortKey[]): readonly SortKey[] {
  const [first] = keys;
  if (!first || first.descending === (order === "desc")) return keys;
  return keys.map(({ column, descending }) => ({ column, descending: !descending }));
}

/** Returns the included keys; null: `include` was not sent. */
function embedsOf(
  { include, embeddedFields }: QueryDraft,
  { embeddables }: query.QueryPlan,
): readonly query.Embed[] | null {
  if (include === null) return null;
  return embeddables.filter(({ name }) => include.includes(name))
    .map(({ name, table }) => ({
      column: name,
      fields: embeddedFields.get(name) ?? recordColumns(table).map(({ name }) => name),
    }));
}
