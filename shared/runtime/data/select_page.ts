/** Reads one page of records (contract 2.5, 4.3): the rows, one more to know whether there are others, and the total. */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import type { Reader, SqlValue, Statement } from "../ports.ts";
import type { Catalog } from "./catalog.ts";
import { matchingSql, orderSql } from "./filter_sql.ts";
import { type ProjectionSql, projectionSql, ROW } from "./projection.ts";
import { type RecordPlan, recordText } from "./record_plan.ts";
import type { Fragment } from "./sql.ts";
import type { Page, PageQuery } from "./types.ts";

/** The page and, when asked for, the number of all matching rows, on one snapshot. */
export async function selectPage(
  catalog: Catalog,
  reader: Reader,
  query: PageQuery,
): Promise<Page> {
  const matching = matchingSql(query, ROW);
  const projection = projectionSql(catalog, query.projection, query.firewall);
  const statement = pageStatement(catalog, query, { matching, projection });
  const { plan } = projection.shape;
  if (!query.withTotal) {
    const { rows } = await reader.run(statement);
    return { ...pageOf(plan, rows, query.limit), total: null };
  }
  const [page, count] = await reader.runAll([statement, countStatement(query, matching)]);
  const total = Number(count?.rows[0]?.[0] ?? 0);
  return { ...pageOf(plan, page?.rows ?? [], query.limit), total };
}

function pageOf(
  plan: RecordPlan,
  rows: readonly (readonly SqlValue[])[],
  limit: number,
): Omit<Page, "total"> {
  const shown = rows.length > limit ? rows.slice(0, limit) : rows;
  return { records: shown.map((row) => recordText(plan, row)), hasMore: rows.length > limit };
}

/**
 * The rows are chosen and ordered before anything is built from them: records of rows that the page skips cost
 * nothing. The outer order repeats the inner one, because SQL promises no order without.
 */
function pageStatement(
  catalog: Catalog,
  { firewall, sort, limit, offset }: PageQuery,
  { matching, projection }: { readonly matching: Fragment; readonly projection: ProjectionSql },
): Statement {
  const { shape, selectArgs, joinArgs } = projection;
  const order = orderSql(sort, { firewall, alias: ROW });
  const sql = catalog.text(`page ${shape.key} ${matching.sql} ${order}`, () => {
    const rows = `SELECT ${ROW}.* FROM ${sqlIdentifier(firewall.table.sqlName)} AS ${ROW} ` +
      `WHERE ${matching.sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
    return `SELECT ${shape.plan.select} FROM (${rows}) AS ${ROW}${shape.joins} ORDER BY ${order}`;
  });
  return { sql, args: [...selectArgs, ...matching.args, limit + 1, offset, ...joinArgs] };
}

function countStatement({ firewall }: PageQuery, matching: Fragment): Statement {
  const table = sqlIdentifier(firewall.table.sqlName);
  return {
    sql: `SELECT count(*) FROM ${table} AS ${ROW} WHERE ${matching.sql}`,
    args: matching.args,
  };
}
