/**
 * The rows nearest to a vector (contract 4.3). Exactly the caller's matching rows are measured. A vector index has no firewall,
 * so it would count other tenants' rows among the nearest.
 */
import { columnNamed } from "../../surface/mod.ts";
import { VECTOR_METRICS } from "../../column_types/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { DISTANCE_MEMBER } from "../../contract/mod.ts";
import type { TableModel } from "../../model/mod.ts";
import type { SqlValue } from "../ports.ts";
import { cellSql } from "./conditions.ts";
import { ROW } from "./projection.ts";
import { type Fragment, fragment } from "./sql.ts";
import type { PageQuery } from "./types.ts";

type Near = NonNullable<PageQuery["near"]>;

const DISTANCE = sqlIdentifier(DISTANCE_MEMBER);

/** The distance of a row of `nearestSelect`. */
export const DISTANCE_CELL = { form: "number", sql: `${ROW}.${DISTANCE}` } as const;

/**
 * Returns SQL that is true for a vector with the asked dimensions. It is missing before it was made, and differs after a change
 * of dimensions.
 */
export function comparableSql({ vector: { column, type } }: Near): string {
  const cell = `${ROW}.${sqlIdentifier(column.sqlName)}`;
  return `(typeof(${cell}) = 'blob' AND length(${cell}) = ${type.dimensions * 4})`;
}

/** Returns a `SELECT` of the rows' columns and their distance. The number of rows and those to skip are bound last. */
export function nearestSelect(table: TableModel, near: Near, matching: Fragment): Fragment {
  const { column, type } = near.vector;
  const key = cellSql(columnNamed(table.primaryKey, table), ROW);
  const measure = VECTOR_METRICS[type.metric];
  // A vector of another length would fail the statement, in whatever order SQLite evaluates conditions.
  const distance = `CASE WHEN ${comparableSql(near)} THEN ` +
    `${measure}(${ROW}.${sqlIdentifier(column.sqlName)}, unhex(?)) END`;
  return fragment(
    `SELECT ${ROW}.*, ${distance} AS ${DISTANCE} FROM ${sqlIdentifier(table.sqlName)} AS ${ROW} ` +
      `WHERE ${matching.sql} ORDER BY ${DISTANCE} NULLS LAST, ${key} LIMIT ? OFFSET ?`,
    near.digits,
    ...matching.args,
  );
}

/** Returns the record with its distance. */
export function withDistance(record: string, distance: SqlValue | undefined): string {
  return `${record.slice(0, -1)},${JSON.stringify(DISTANCE_MEMBER)}:${Number(distance)}}`;
}
