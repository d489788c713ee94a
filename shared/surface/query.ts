/** Defines the query string of a request after it is parsed and checked (contract 4.3). */
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

/** A typed filter. Its values are in the column's stored form: one value, or several for `in` and `nin`. */
export interface Filter {
  readonly column: string;
  readonly operator: FilterOperator;
  /** Values of the filter; for `like` the text to find, with its wildcards not yet escaped. */
  readonly values: readonly Exclude<StoredValue, null>[];
}

export interface Search {
  /** Columns that the caller may search; empty: no row matches. */
  readonly columns: readonly string[];
  readonly text: string;
  /** True if the resource's index is searched. */
  readonly isFullText: boolean;
}

/**
 * The organization that the caller named with `organizationId`. It scopes a PUBLIC request; for every other caller it must
 * equal the active organization (definitions 7, "firewall codes").
 */
export interface NamedScope {
  readonly organizationId: string;
}

/** A cursor as the client sent it, still sealed. */
export interface SealedCursor {
  /** Direction of the page: `after` for `starting_after`, `before` for `ending_before`. */
  readonly direction: "after" | "before";
  readonly parameter: string;
  readonly text: string;
}

/** A foreign key whose targets the response includes. */
export interface Embed {
  readonly column: string;
  /** Columns of the target, in its table's order; never empty. */
  readonly fields: readonly string[];
}

/** Query of a list or a view. */
export interface ListQuery {
  /** Limit of the page's records, 1 to 100. */
  readonly limit: number;
  readonly offset: number;
  /** Cursor of the page; null: `offset` decides where it begins. */
  readonly cursor: SealedCursor | null;
  /** Sort keys, without the primary key that ends every order. */
  readonly sort: readonly SortKey[];
  /** True if the best matches of a full-text search come first; `sort` is empty then. */
  readonly byRank: boolean;
  /** Filters, joined by AND; they include the named scope. */
  readonly filters: readonly Filter[];
  /** Conditions of `where`; null: it was not sent. */
  readonly where: Where | null;
  /** API names in table or view order; never empty. */
  readonly columns: readonly string[];
  readonly withTotal: boolean;
  readonly search: Search | null;
  /** Included foreign keys; null: `include` was not sent. */
  readonly include: readonly Embed[] | null;
  readonly scope: NamedScope | null;
  readonly deleted: DeletedRows | null;
  /** Point of the distances; null: the records are ordered by `sort`. */
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

/** A refusal 400 `VALIDATION_INVALID_INPUT`, which names the parameter. */
export interface QueryRefusal {
  readonly kind: "refused";
  readonly parameter: string;
  readonly message: string;
}

export type QueryResult<Query> = { readonly kind: "query"; readonly query: Query } | QueryRefusal;

/** Facts about an operation that a reader of query strings needs, computed once per operation. */
export interface QueryPlan {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  /** Parameters by name. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** Columns in output order. */
  readonly columns: readonly string[];
  readonly defaultSort: readonly SortKey[];
  /** Foreign keys that `include` may name. */
  readonly embeddables: readonly Relation[];
  /** Aggregations of the view. */
  readonly aggregations: readonly AggregationModel[];
  /** Group keys of a view whose rows are groups; null: its rows are records. */
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
