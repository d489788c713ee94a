/** Aggregations over all matching rows: the total, and a view's own (definitions 4.5). */
import { columnNamed } from "../../surface/mod.ts";
import { exactJsonText } from "../../lib/json.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { decimalText, storageOf } from "../../column_types/mod.ts";
import type { AggregationModel, ColumnModel } from "../../model/mod.ts";
import type { SqlValue, Statement } from "../ports.ts";
import { cellSql } from "./conditions.ts";
import { ROW } from "./projection.ts";
import type { Fragment } from "./sql.ts";
import type { PageQuery } from "./types.ts";
import type { Aggregate } from "../response/record.ts";
import { jsonTextOf } from "./record_plan.ts";

interface Summary {
  readonly total: number;
  readonly aggregates: readonly Aggregate[];
}

export function summaryStatement(
  { firewall: { table }, aggregations }: PageQuery,
  matching: Fragment,
): Statement {
  const cells = aggregations.flatMap((aggregation) => {
    const { column } = aggregation;
    return column === null ? [] : aggregateCells(aggregation, columnNamed(column, table));
  });
  return {
    sql: `SELECT ${["count(*)", ...cells].join(", ")} FROM ${sqlIdentifier(table.sqlName)} AS ` +
      `${ROW} WHERE ${matching.sql}`,
    args: matching.args,
    isSingle: true,
  };
}

/** Returns the select list of a function over a column. Integers are summed in two halves, so that no sum overflows. */
export function aggregateCells({ fn }: AggregationModel, column: ColumnModel): readonly string[] {
  const cell = cellSql(column, ROW);
  switch (fn) {
    case "count":
      return [`count(${cell})`];
    case "min":
    case "max":
      return [`${fn}(${cell})`];
    case "sum":
      return isWhole(column) ? halves(cell) : [`sum(${cell})`];
    case "avg":
      return isWhole(column) ? [...halves(cell), `count(${cell})`] : [`avg(${cell})`];
  }
}

function halves(cell: string): readonly string[] {
  return [`sum(${cell} >> 32)`, `sum(${cell} & 4294967295)`];
}

export function isWhole({ type }: ColumnModel): boolean {
  return storageOf(type).sql === "integer";
}

export function readSummary(
  { firewall: { table }, aggregations }: PageQuery,
  row: readonly SqlValue[],
): Summary {
  const total = Number(row[0] ?? 0);
  let at = 1;
  const aggregates = aggregations.map((aggregation): Aggregate => {
    const { name, column } = aggregation;
    if (column === null) return [name, String(total)];
    const model = columnNamed(column, table);
    const width = aggregateCells(aggregation, model).length;
    const cells = row.slice(at, at + width);
    at += width;
    return [name, aggregateText(aggregation, model, cells)];
  });
  return { total, aggregates };
}

export function aggregateText(
  { fn }: AggregationModel,
  column: ColumnModel,
  cells: readonly SqlValue[],
): string {
  const [first = null, second = null, third = null] = cells;
  switch (fn) {
    case "count":
      return String(first ?? 0);
    case "min":
    case "max":
      return jsonTextOf(storageOf(column.type), first);
    case "sum":
      // All digits are kept, even beyond what JavaScript represents.
      return isWhole(column) ? wholeText(wholeSum(first, second), column) : realText(first);
    case "avg": {
      if (!isWhole(column)) return realText(first);
      const sum = wholeSum(first, second);
      if (sum === null) return "null";
      const count = BigInt(Number(third));
      // The division comes before rounding, since a sum may have more digits than a number.
      return storageOf(column.type).decimal === null
        ? JSON.stringify(Number(sum / count) + Number(sum % count) / Number(count))
        : wholeText(evenMean(sum, count), column);
    }
  }
}

function wholeText(value: bigint | null, { type }: ColumnModel): string {
  const { decimal } = storageOf(type);
  return value === null || decimal === null
    ? String(value)
    : `"${decimalText(value, decimal.scale)}"`;
}

/** Rounds to the last digit, half to even. */
function evenMean(sum: bigint, count: bigint): bigint {
  const down = sum / count;
  const rest = sum % count;
  const twice = 2n * (rest < 0n ? -rest : rest);
  const isUp = twice > count || (twice === count && down % 2n !== 0n);
  return isUp ? down + (sum < 0n ? -1n : 1n) : down;
}

/** Null over no value. */
function wholeSum(high: SqlValue, low: SqlValue): bigint | null {
  if (high === null || low === null) return null;
  return (wholeOf(high) << 32n) + wholeOf(low);
}

function wholeOf(cell: Exclude<SqlValue, null>): bigint {
  if (typeof cell === "bigint") return cell;
  if (typeof cell === "number") return BigInt(cell);
  throw new TypeError("A sum of whole numbers did not come back as one");
}

function realText(cell: SqlValue): string {
  return cell === null ? "null" : exactJsonText(Number(cell));
}
