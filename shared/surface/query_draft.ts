/** A query string on the way to its plan. */
import type { SortKey } from "../model/mod.ts";
import type { DeletedRows, Filter, NamedScope, SealedCursor, Search } from "./query.ts";
import type { Near } from "./parameter.ts";
import type { Where } from "./where.ts";

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
  where: Where | null;
  /** Null: live rows alone. */
  deleted: DeletedRows | null;
  near: Near | null;
  /** Foreign keys in allow-list order. */
  include: readonly string[] | null;
  /** By foreign key. */
  readonly embeddedFields: Map<string, readonly string[]>;
}
