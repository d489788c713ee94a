/** Pages of webhook rows, the newest first (contract 2.5): after so many rows, or from the place of one. */
import type { SqlValue } from "../../ports.ts";
import { type Fragment, fragment } from "../sql.ts";
import type { Page as Records, Place } from "../types.ts";

export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** Null: by offset. */
  readonly from: { readonly direction: "after" | "before"; readonly values: Place } | null;
}

/** Rows of a page; `hasMore`: more follow in the direction taken. */
export interface PageRows<Row> extends Pick<Records, "hasMore" | "first" | "last"> {
  readonly rows: readonly Row[];
}

/** Of columns `created_at` and `id`, one row more than the page has. */
export function pageSql(condition: Fragment, { limit, offset, from }: Page): Fragment {
  const isBackward = from?.direction === "before";
  const order = isBackward ? "ASC" : "DESC";
  const range = from === null
    ? fragment("")
    : fragment(` AND (created_at, id) ${isBackward ? ">" : "<"} (?, ?)`, ...from.values);
  return fragment(
    `WHERE ${condition.sql}${range.sql} ORDER BY created_at ${order}, id ${order} LIMIT ? OFFSET ?`,
    ...condition.args,
    ...range.args,
    limit + 1,
    from === null ? offset : 0,
  );
}

/** The page in the rows that the `SELECT` found. */
export function pageRows<Row extends { readonly createdAt: string; readonly id: string }>(
  found: readonly (readonly SqlValue[])[],
  { limit, from }: Page,
  rowOf: (cells: readonly SqlValue[]) => Row,
): PageRows<Row> {
  const shown = found.slice(0, limit).map(rowOf);
  const rows = from?.direction === "before" ? shown.reverse() : shown;
  const placeOf = (row: Row | undefined) => row ? [row.createdAt, row.id] : null;
  return {
    rows,
    hasMore: found.length > limit,
    first: placeOf(rows[0]),
    last: placeOf(rows.at(-1)),
  };
}
