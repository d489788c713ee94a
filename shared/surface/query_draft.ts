/** Represents a query string while it is read. */
import type { SortKey } from "../model/mod.ts";
import type { DeletedRows, Filter, NamedScope, SealedCursor, Search } from "./query.ts";
import type { Near } from "./parameter.ts";
import type { Where } from "./where.ts";

/** Partial result of reading a query string. */
export interface QueryDraft {
  limit: number;
  /** Value of `offset`; null: not given. */
  offset: number | null;
  cursor: SealedCursor | null;
  /** Sort keys as the client wrote them; null: not given. */
  sort: { readonly keys: readonly SortKey[]; readonly isMulti: boolean } | null;
  order: "asc" | "desc" | null;
  columns: readonly string[];
  withTotal: boolean;
  search: Search | null;
  scope: NamedScope | null;
  readonly filters: Filter[];
  where: Where | null;
  /** Value of `deleted`; null: live rows only. */
  deleted: DeletedRows | null;
  near: Near | null;
  /** Foreign keys of `include` in allow-list order. */
  include: readonly string[] | null;
  /** Columns of included records, by foreign key. */
  readonly embeddedFields: Map<string, readonly string[]>;
}
