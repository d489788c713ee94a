/** Partial result of reading a query string, filled in parameter by parameter. */
import { PAGE_SIZE_DEFAULT } from "../contract/limits.ts";
import type { Principal } from "../model/principal.ts";
import type { SortKey } from "../model/view.ts";
import type { Filter, NamedScope, SealedCursor, Search } from "./query.ts";
import type { QueryPlan } from "./query_plan.ts";

export interface QueryRequest {
  readonly parameters: URLSearchParams;
  readonly principal: Principal;
}

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

export interface ReadingContext {
  readonly plan: QueryPlan;
  readonly request: QueryRequest;
  readonly draft: QueryDraft;
}

export function emptyDraft({ columns }: QueryPlan): QueryDraft {
  return {
    limit: PAGE_SIZE_DEFAULT,
    offset: null,
    cursor: null,
    sort: null,
    order: null,
    columns,
    withTotal: false,
    search: null,
    scope: null,
    filters: [],
    include: null,
    embeddedFields: new Map(),
  };
}
