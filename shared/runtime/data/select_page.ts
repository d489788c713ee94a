/** Reads one page of records (contract 2.5, 4.3): its rows, one more to know whether there are others, and what goes with them. */
import type { FilterOperator } from "../../column_types/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { Reader, SqlValue, Statement } from "../ports.ts";
import { type Catalog, columnOf } from "./catalog.ts";
import { cellSql, equalsSql, firewallSql, inSql, notEqualsSql, ruleSql } from "./conditions.ts";
import { includedStatement, resultAt, runTogether } from "./select_record.ts";
import { beyondSql, type OrderKey, orderKeys, orderSql, reversed } from "./keyset.ts";
import { type ProjectionShape, projectionSql, ROW } from "./projection.ts";
import { recordText } from "./record_plan.ts";
import { allOf, anyOf, type Fragment, fragment, NO_ROW } from "./sql.ts";
import { readSummary, summaryStatement } from "./summary.ts";
import type { Page, PageQuery } from "./types.ts";

/** The page, its numbers over all matching rows and its embedded targets, in one round trip and on one snapshot. */
export async function selectPage(
  catalog: Catalog,
  reader: Reader,
  query: PageQuery,
): Promise<Page> {
  const { firewall, rule, filters, search, sort, from } = query;
  const cell = (name: string) => cellSql(columnOf(firewall.table, name), ROW);
  // Firewall and rule first, then what the caller asks (contract 4.3).
  const matching = allOf([
    firewallSql(firewall, ROW),
    ...(rule === null ? [] : [ruleSql(rule, { firewall, alias: ROW })]),
    ...filters.map(({ column, operator, values }) => FILTERS[operator](cell(column), values)),
    ...(search === null
      ? []
      : [anyOf(search.columns.map((name) => containsSql(cell(name), search.text)))]),
  ]);
  const keys = orderKeys(sort, firewall.table);
  // What comes right before a place is what follows it in the reversed order.
  const taken = from?.direction === "before" ? reversed(keys) : keys;
  const parts = from === null
    ? [matching]
    : beyondSql(taken, from.values, ROW).map((range) => allOf([matching, range]));
  // The rows are selected before any record is built, so that skipped rows cost nothing.
  const rows = { keys, matching, select: orderedSelect(query, { parts, keys: taken }) };
  const { shape, statement } = pageStatement(catalog, query, rows);
  const summary = query.withTotal || query.aggregations.length > 0
    ? [summaryStatement(query, rows.matching)]
    : [];
  const holders = {
    firewall: query.firewall,
    rows: fragment(rows.select.sql, ...rows.select.args, query.limit, query.offset),
  };
  const embedded = query.embeddings.map((one) => includedStatement(catalog, one, holders));
  const statements = [statement, ...summary, ...embedded.map((one) => one.statement)];
  const [page, ...others] = await runTogether(reader, statements);
  const counted = summary.length > 0 ? readSummary(query, others.shift()?.rows[0] ?? []) : null;
  return {
    ...pageOf(query, { shape, rows: page?.rows ?? [], width: rows.keys.length }),
    total: query.withTotal ? counted?.total ?? 0 : null,
    aggregates: counted?.aggregates ?? [],
    included: embedded.map((one, at) => one.read(resultAt(others, at))),
  };
}

interface ReadRows {
  readonly shape: ProjectionShape;
  readonly rows: readonly (readonly SqlValue[])[];
  /** Cells at the end of each row that say its place. */
  readonly width: number;
}

/** The probe is the row farthest from where the page was taken: the last one, or the first one before a cursor. */
function pageOf(
  { limit, from }: PageQuery,
  { shape, rows, width }: ReadRows,
): Pick<Page, "records" | "hasMore" | "first" | "last"> {
  const hasMore = rows.length > limit;
  const shown = hasMore
    ? from?.direction === "before" ? rows.slice(1) : rows.slice(0, limit)
    : rows;
  const placeOf = (row: readonly SqlValue[] | undefined) => row ? row.slice(-width) : null;
  return {
    records: shown.map((row) => recordText(shape.plan, row)),
    hasMore,
    first: placeOf(shown[0]),
    last: placeOf(shown.at(-1)),
  };
}

/** The outer order repeats the inner one, because SQL promises no order without. */
function pageStatement(
  catalog: Catalog,
  { firewall, projection, limit, offset }: PageQuery,
  { keys, select }: PageRows,
): { readonly shape: ProjectionShape; readonly statement: Statement } {
  const { shape, selectArgs, joinArgs } = projectionSql(catalog, projection, firewall);
  const order = orderSql(keys, ROW);
  const sql = catalog.text(`page ${shape.key} ${select.sql} ${order}`, () => {
    const place = keys.map(({ column }) => cellSql(column, ROW)).join(", ");
    return `SELECT ${shape.plan.select}, ${place} FROM (${select.sql}) AS ${ROW}${shape.joins} ` +
      `ORDER BY ${order}`;
  });
  const args = [...selectArgs, ...select.args, limit + 1, offset, ...joinArgs];
  return { shape, statement: { sql, args } };
}

interface PageRows {
  /** Of the answer. */
  readonly keys: readonly OrderKey[];
  /** Every row that the caller may see and asks for, wherever the page is. */
  readonly matching: Fragment;
  /** A `SELECT` of the rows' columns; binds the number of rows and those to skip last. */
  readonly select: Fragment;
}

/** Several parts are merged in order: each one comes out of its index in order already. */
function orderedSelect(
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

type FilterSql = (cell: string, values: readonly SqlValue[]) => Fragment;

const FILTERS: Readonly<Record<FilterOperator, FilterSql>> = {
  eq: (cell, [value = null]) => equalsSql(cell, value),
  ne: (cell, [value = null]) => notEqualsSql(cell, value),
  gt: ordered(">"),
  gte: ordered(">="),
  lt: ordered("<"),
  lte: ordered("<="),
  like: (cell, [value = null]) => containsSql(cell, value),
  in: inSql,
  null: (cell, [value]) => fragment(`${cell} IS ${value === 1 ? "" : "NOT "}NULL`),
};

function ordered(symbol: string): FilterSql {
  return (cell, [value = null]) => value === null ? NO_ROW : fragment(`${cell} ${symbol} ?`, value);
}

/** A substring, whatever its case in ASCII; `%`, `_` and `\` stand for themselves. */
function containsSql(cell: string, value: SqlValue): Fragment {
  if (value === null) return NO_ROW;
  const pattern = `%${String(value).replace(/[\\%_]/g, "\\$&")}%`;
  return fragment(`${cell} LIKE ? ESCAPE '\\'`, pattern);
}
