/** Reads one page of records (contract 2.5, 4.3): its rows, one more to know whether there are others, and what goes with them. */
import type { Reader, SqlValue, Statement } from "../ports.ts";
import type { Catalog } from "./catalog.ts";
import { cellSql } from "./condition_sql.ts";
import { includedStatement } from "./included_rows.ts";
import { orderSql } from "./keyset.ts";
import { type PageRows, pageRows } from "./page_rows.ts";
import { type ProjectionShape, projectionSql, ROW } from "./projection.ts";
import { recordText } from "./record_plan.ts";
import { resultAt, runTogether } from "./run_together.ts";
import { fragment } from "./sql.ts";
import { readSummary, summaryStatement } from "./summary.ts";
import type { Page, PageQuery } from "./types.ts";

/** The page, its numbers over all matching rows and its embedded targets, in one round trip and on one snapshot. */
export async function selectPage(
  catalog: Catalog,
  reader: Reader,
  query: PageQuery,
): Promise<Page> {
  const rows = pageRows(query);
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
