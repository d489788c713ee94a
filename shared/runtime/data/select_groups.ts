/**
 * Reads one page of a view's groups (definitions 4.5): all rows that the caller may see and asks for are grouped, then paged
 * like records.
 */
import { columnNamed } from "../../surface/mod.ts";
import { storageOf } from "../../column_types/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { AggregationModel, ColumnModel, Period } from "../../model/mod.ts";
import type { Reader, SqlValue, Statement } from "../ports.ts";
import { cellSql } from "./conditions.ts";
import { beyondSql, type OrderKey, orderSql, reversed } from "./keyset.ts";
import { packedSelect, unpackedRows } from "./packed_rows.ts";
import { ROW } from "./projection.ts";
import { jsonTextOf } from "./record_plan.ts";
import { matchingSql } from "./select_page.ts";
import { runTogether } from "./select_record.ts";
import { allOf, anyOf, fragment } from "./sql.ts";
import { aggregateCells, aggregateText, isWhole } from "./summary.ts";
import type { GroupQuery, Page } from "./types.ts";
import { boundedBy, type TableSizes } from "./unbounded.ts";

/** A member of a group: its cells, the cell that it is sorted by, and its JSON text. */
interface Member {
  readonly name: string;
  readonly isKey: boolean;
  readonly cells: readonly string[];
  readonly order: string;
  text(cells: readonly SqlValue[]): string;
}

/** Reads the page and, if requested, the number of groups, in one round trip and on one snapshot. */
export function prepareGroups(
  sizes: TableSizes,
  query: GroupQuery,
): (reader: Reader) => Promise<Page> {
  const { limit, offset, from } = query;
  const members = membersOf(query);
  const { groups, counted } = groupStatements(query, members);
  const keys = orderOf(query, members);
  const taken = from?.direction === "before" ? reversed(keys) : keys;
  const beyond = from === null ? [] : [anyOf(beyondSql(taken, from.values, ROW))];
  const where = allOf(beyond);
  const cells = members.flatMap(({ cells }, at) => cells.map((_, part) => aliasOf(at, part)));
  const packed = [...cells, ...keys.map(({ column }) => column.sqlName)]
    .map((name) => ({ form: "number", sql: `${ROW}.${name}` } as const));
  const page: Statement = {
    sql: `SELECT ${packedSelect(packed)} FROM (SELECT * FROM (${groups.sql}) AS ${ROW} WHERE ` +
      `${where.sql} ORDER BY ${orderSql(taken, ROW)} LIMIT ? OFFSET ?) AS ${ROW}`,
    args: [...groups.args, ...where.args, limit + 1, offset],
    isSingle: true,
  };
  const statements = query.withTotal ? [page, counted] : [page];
  const bounded = boundedBy(sizes, query.firewall, { ...query, isGrouped: true });
  return async (reader) => {
    const [answer, total] = await runTogether(reader, await bounded(reader, statements));
    const found = unpackedRows(packed, answer?.rows[0] ?? []);
    const isBackward = from?.direction === "before";
    const rows = isBackward ? found.toReversed() : found;
    const hasMore = rows.length > limit;
    const shown = !hasMore ? rows : isBackward ? rows.slice(1) : rows.slice(0, limit);
    const placeOf = (row: readonly SqlValue[] | undefined) => row?.slice(cells.length) ?? null;
    return {
      records: shown.map((row) => groupText(members, row)),
      hasMore,
      first: placeOf(shown[0]),
      last: placeOf(shown.at(-1)),
      total: query.withTotal ? Number(total?.rows[0]?.[0] ?? 0) : null,
      aggregates: [],
      included: [],
    };
  };
}

function aliasOf(member: number, part: number): string {
  return `m${member}_${part}`;
}

function orderAlias(member: number): string {
  return `o${member}`;
}

function membersOf({ firewall: { table }, groupBy, aggregations }: GroupQuery): readonly Member[] {
  return [
    ...groupBy.map(({ column: name, by }): Member => {
      const column = columnNamed(name, table);
      const cell = cellSql(column, ROW);
      const sql = by === null ? cell : PERIODS[by](cell);
      return {
        name,
        isKey: true,
        cells: [sql],
        order: sql,
        text: ([value = null]) =>
          by === null ? jsonTextOf(storageOf(column.type, table), value) : JSON.stringify(value),
      };
    }),
    ...aggregations.map((aggregation): Member => {
      const { name, column } = aggregation;
      if (column === null) {
        const cells = ["count(*)"];
        return { name, isKey: false, cells, order: "count(*)", text: ([count]) => String(count) };
      }
      const model = columnNamed(column, table);
      return {
        name,
        isKey: false,
        cells: aggregateCells(aggregation, model),
        order: aggregateOrder(aggregation, model),
        text: (cells) => aggregateText(aggregation, model, cells),
      };
    }),
  ];
}

/** Returns SQL of a period of a date or instant in stored form. A week belongs to the year of its Thursday (ISO 8601). */
const PERIODS: Readonly<Record<Period, (cell: string) => string>> = {
  day: (cell) => `substr(${cell}, 1, 10)`,
  week: (cell) => {
    const thursday = `date(${cell}, '-3 days', 'weekday 4')`;
    return `(strftime('%Y', ${thursday}) || '-W' || ` +
      `printf('%02d', (strftime('%j', ${thursday}) - 1) / 7 + 1))`;
  },
  month: (cell) => `substr(${cell}, 1, 7)`,
};

/** Returns the sort value of a sum in two halves as one number. It is rounded, but the same each time. */
function aggregateOrder(aggregation: AggregationModel, column: ColumnModel): string {
  const [first = "NULL", second, count] = aggregateCells(aggregation, column);
  if (!isWhole(column) || second === undefined) return first;
  const sum = `(${first} * 4294967296.0 + ${second})`;
  return count === undefined ? sum : `(${sum} / ${count})`;
}

/** Returns SQL of the groups with all cells, and of their number. */
function groupStatements(query: GroupQuery, members: readonly Member[]) {
  const matching = matchingSql(query);
  const source = `FROM ${sqlIdentifier(query.firewall.table.sqlName)} AS ${ROW} WHERE ` +
    `${matching.sql} GROUP BY ${
      members.filter(({ isKey }) => isKey).map(({ order }) => order).join(", ")
    }`;
  const cells = members.flatMap(({ cells, order }, at) => [
    ...cells.map((cell, part) => `${cell} AS ${aliasOf(at, part)}`),
    `${order} AS ${orderAlias(at)}`,
  ]);
  return {
    groups: fragment(`SELECT ${cells.join(", ")} ${source}`, ...matching.args),
    counted: {
      sql: `SELECT count(*) FROM (SELECT 1 ${source}) AS ${ROW}`,
      args: matching.args,
      isSingle: true,
    },
  };
}

/** Returns a total order: the sort followed by the grouping keys, in the direction of the key before. */
function orderOf({ sort }: GroupQuery, members: readonly Member[]): readonly OrderKey[] {
  const closing = members.filter(({ name, isKey }) =>
    isKey && !sort.some(({ column }) => column === name)
  );
  const descending = sort.at(-1)?.descending ?? false;
  return [...sort, ...closing.map(({ name: column }) => ({ column, descending }))].map((key) => ({
    // A column of the groups, as an order names it.
    column: {
      name: key.column,
      sqlName: orderAlias(members.findIndex(({ name }) => name === key.column)),
      type: { kind: "real" },
      nullable: true,
      default: null,
      manager: "client",
      references: null,
      searchable: false,
    },
    descending: key.descending,
  }));
}

function groupText(members: readonly Member[], row: readonly SqlValue[]): string {
  let at = 0;
  const texts = members.map(({ name, cells, text }) => {
    const own = row.slice(at, at + cells.length);
    at += cells.length;
    return `${JSON.stringify(name)}:${text(own)}`;
  });
  return `{${texts.join(",")}}`;
}
