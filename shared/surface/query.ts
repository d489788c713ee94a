/** The query string of a request, typed and checked (contract 4.3). */
import type { FilterOperator, StoredValue } from "../column_types/mod.ts";
import type { AggregationModel, GroupKeyModel, ProjectModel, ResourceModel } from "../model/mod.ts";
import type { SortKey, TableModel } from "../model/mod.ts";
import { embeddablesOf } from "./embeddables.ts";
import type { Operation } from "./operations.ts";
import { outputColumns, parametersOf } from "./parameters.ts";
import { Near, type Parameter } from "./parameter.ts";
import { tableOf } from "./tables.ts";
import type { Relation } from "./relations.ts";
import type { Where } from "./where.ts";

export type { StoredValue };

/** A typed filter, its values already coerced to the column's stored form; one value, several for `in` and `nin`. */
export interface Filter {
  readonly column: string;
  readonly operator: FilterOperator;
  /** For `like` the text to find, with its wildcards not yet escaped. */
  readonly values: readonly Exclude<StoredValue, null>[];
}

export interface Search {
  /** Those that the caller may search; empty: no row matches. */
  readonly columns: readonly string[];
  readonly text: string;
  /** Looked up in the resource's index. */
  readonly isFullText: boolean;
}

/**
 * The organization that the caller named with `organizationId`: the scope of a PUBLIC request, and for everyone else a
 * claim that must equal the active organization (definitions 7, "firewall codes").
 */
export interface NamedScope {
  readonly organizationId: string;
}

/** A cursor as the client sent it: still sealed. */
export interface SealedCursor {
  /** `after` for `starting_after`, `before` for `ending_before`. */
  readonly direction: "after" | "before";
  readonly parameter: string;
  readonly text: string;
}

/** A foreign key whose targets are to be answered along with the records. */
export interface Embed {
  readonly column: string;
  /** Of the target, in its table's order; never empty. */
  readonly fields: readonly string[];
}

/** Query of a list or a view. */
export interface ListQuery {
  /** 1 to 100. */
  readonly limit: number;
  readonly offset: number;
  /** Null: the page is where `offset` says. */
  readonly cursor: SealedCursor | null;
  /** Without the closing primary key. */
  readonly sort: readonly SortKey[];
  /** The best matches of a full-text search first; `sort` is empty then. */
  readonly byRank: boolean;
  /** AND-ed; includes the named scope. */
  readonly filters: readonly Filter[];
  /** Null: none is sent. */
  readonly where: Where | null;
  /** API names in table or view order; never empty. */
  readonly columns: readonly string[];
  readonly withTotal: boolean;
  readonly search: Search | null;
  /** Null: `include` was not sent. */
  readonly include: readonly Embed[] | null;
  readonly scope: NamedScope | null;
  readonly deleted: DeletedRows | null;
  /** Null: the records come in their sort. */
  readonly near: Near | null;
}

/** Soft-deleted rows alone, or beside the live ones. */
export type DeletedRows = "only" | "with";

/** Query of a single read. */
export interface GetQuery {
  readonly columns: readonly string[];
  readonly include: readonly Embed[] | null;
  readonly scope: NamedScope | null;
}

/** Query of a write. */
export interface WriteQuery {
  readonly scope: NamedScope | null;
}

/** 400 `VALIDATION_INVALID_INPUT`, naming the parameter. */
export interface QueryRefusal {
  readonly kind: "refused";
  readonly parameter: string;
  readonly message: string;
}

export type QueryResult<Query> = { readonly kind: "query"; readonly query: Query } | QueryRefusal;

/** Facts about an operation that a reader of query strings needs, put together once per operation. */
export interface QueryPlan {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  /** By name. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** In output order. */
  readonly columns: readonly string[];
  readonly defaultSort: readonly SortKey[];
  /** Foreign keys that `include` may name. */
  readonly embeddables: readonly Relation[];
  /** Of the view. */
  readonly aggregations: readonly AggregationModel[];
  /** Of a view whose rows are groups; null: they are records. */
  readonly groupBy: readonly GroupKeyModel[] | null;
}

export function queryPlanOf(operation: Operation, project: ProjectModel): QueryPlan {
  const { resource, view } = operation;
  const table = tableOf(resource, project);
  return {
    resource,
    table,
    parameters: new Map(
      parametersOf(operation, project).map((parameter) => [parameter.name, parameter]),
    ),
    columns: outputColumns(operation, table),
    defaultSort: view && view.defaultSort.length > 0 ? view.defaultSort : resource.defaultSort,
    embeddables: embeddablesOf(operation, project),
    aggregations: view?.aggregations ?? [],
    groupBy: view?.groupBy ?? null,
  };
}
