/** Selects the rows of a page before any record is built, so that skipped rows cost nothing. */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import { matchingSql } from "./filter_sql.ts";
import { beyondSql, type OrderKey, orderKeys, orderSql, reversed } from "./keyset.ts";
import { ROW } from "./projection.ts";
import { allOf, type Fragment, fragment } from "./sql.ts";
import type { PageQuery } from "./types.ts";

export interface PageRows {
  /** Of the answer. */
  readonly keys: readonly OrderKey[];
  /** Every row that the caller may see and asks for, wherever the page is. */
  readonly matching: Fragment;
  /** A `SELECT` of the rows' columns; binds the number of rows and those to skip last. */
  readonly select: Fragment;
}

export function pageRows(query: PageQuery): PageRows {
  const { firewall, sort, from } = query;
  const keys = orderKeys(sort, firewall.table);
  const matching = matchingSql(query, ROW);
  // What comes right before a place is what follows it in the reversed order.
  const taken = from?.direction === "before" ? reversed(keys) : keys;
  const parts = from === null
    ? [matching]
    : beyondSql(taken, from.values, ROW).map((range) => allOf([matching, range]));
  return { keys, matching, select: ordered(query, { parts, keys: taken }) };
}

/** Several parts are merged in order: each one comes out of its index in order already. */
function ordered(
  { firewall: { table } }: PageQuery,
  { parts, keys }: { readonly parts: readonly Fragment[]; readonly keys: readonly OrderKey[] },
): Fragment {
  const selects = parts.map(({ sql }) =>
    `SELECT ${ROW}.* FROM ${sqlIdentifier(table.sqlName)} AS ${ROW} WHERE ${sql}`
  );
  const order = parts.length === 1 ? orderSql(keys, ROW) : keys
    .map(({ column, descending }) =>
      `${sqlIdentifier(column.sqlName)} ${descending ? "DESC" : "ASC"}`
    )
    .join(", ");
  return fragment(
    `${selects.join(" UNION ALL ")} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...parts.flatMap(({ args }) => args),
  );
}
