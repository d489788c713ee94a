/** Reads one page of records (contract 2.5, 4.3): its rows, one more to detect further ones, and what is embedded. */
import { columnNamed } from "../../surface/mod.ts";
import type { FilterOperator } from "../../column_types/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { Condition } from "../../model/mod.ts";
import type { Reader, SqlValue, Statement } from "../ports.ts";
import type { Catalog } from "./catalog.ts";
import { cellSql, equalsSql, inSql, notEqualsSql, notInSql, visibleSql } from "./conditions.ts";
import { containsFoldedSql } from "./folded_text.ts";
import { foundSql, RANK, rankedSource } from "./full_text.ts";
import { includedStatement, resultAt, runTogether } from "./select_record.ts";
import { beyondSql, type OrderKey, orderKeys, orderSql, reversed } from "./keyset.ts";
import { BESIDE_KEYS, namesRows, projectionSql, ROW } from "./projection.ts";
import { packedSelect, unpackedRows } from "./packed_rows.ts";
import { comparableSql, DISTANCE_CELL, nearestSelect, withDistance } from "./nearest_rows.ts";
import { mergedRelations } from "./merged_relations.ts";
import { cellOf, recordText } from "./record_plan.ts";
import { rowFilterSql } from "./row_filter_sql.ts";
import { allOf, anyOf, EVERY_ROW, type Fragment, fragment, NO_ROW } from "./sql.ts";
import { readSummary, summaryStatement } from "./summary.ts";
import type { Page, PageQuery, Place } from "./types.ts";
import { boundedBy, type TableSizes } from "./unbounded.ts";

/** Condition for all rows that the caller may see and asks for. */
export function matchingSql(
  { firewall, rule, filters, where, search, near = null }:
    & Pick<PageQuery, "firewall" | "rule" | "filters" | "where" | "search">
    & Partial<Pick<PageQuery, "near">>,
): Fragment {
  const cell = (name: string) => cellSql(columnNamed(name, firewall.table), ROW);
  const isListOfKeys = (asked: { readonly column: string; readonly operator: string }) =>
    asked.operator === "in" && namesRows(firewall.table, columnNamed(asked.column, firewall.table));
  const isNamed = filters.some(isListOfKeys) || requiredBy(where).some(isListOfKeys);
  // Firewall and rule come first, then the caller's conditions (contract 4.3).
  return allOf([
    visibleSql(rule, {
      firewall,
      alias: isNamed ? BESIDE_KEYS : ROW,
      reading: isNamed ? "row" : "rows",
    }),
    ...filters.map(({ column, operator, values }) => FILTERS[operator](cell(column), values)),
    ...(where === null ? [] : [rowFilterSql(mergedRelations(where), { firewall, alias: ROW })]),
    ...(search === null
      ? []
      : search.index
      ? [foundSql({ ...search, index: search.index }, firewall)]
      : [anyOf(search.columns.map((name) => containsFoldedSql(cell(name), search.text)))]),
    ...(near === null ? [] : [fragment(comparableSql(near))]),
  ]);
}

/** Conditions that every row of a `where` meets. */
function requiredBy(where: PageQuery["where"]): readonly Condition[] {
  if (where?.kind === "conditions") return where.conditions;
  return where?.kind === "all" ? where.of.flatMap(requiredBy) : [];
}

/** Reads the page, its aggregations and its embedded targets in one round trip and on one snapshot. */
export function preparePage(
  catalog: Catalog,
  sizes: TableSizes,
  query: PageQuery,
): (reader: Reader) => Promise<Page> {
  const { firewall, sort, from } = query;
  const matching = matchingSql(query);
  const ranked = query.byRank && query.search?.index
    ? { ...query.search, index: query.search.index }
    : null;
  const keys = ranked === null
    ? orderKeys(sort, firewall.table)
    : [{ column: RANK, descending: true }, ...orderKeys([], firewall.table)];
  // The rows before a position follow it in the reversed order.
  const taken = from?.direction === "before" ? reversed(keys) : keys;
  // Rows that the ranked source found need no second search.
  const source = ranked === null
    ? fragment(`${sqlIdentifier(firewall.table.sqlName)} AS ${ROW}`)
    : rankedSource(ranked, firewall, matchingSql({ ...query, search: null }));
  const ranges = from === null ? null : beyondSql(taken, from.values, ROW);
  // No index is in order of ranks.
  const parts = ranked !== null
    ? [ranges === null ? EVERY_ROW : anyOf(ranges)]
    : ranges === null
    ? [matching]
    : ranges.map((range) => allOf([matching, range]));
  // Rows are selected before records are built, so skipped rows cost nothing.
  const select = query.near === null
    ? orderedSelect(source, parts, taken)
    : nearestSelect(firewall.table, query.near, matching);
  const { statement, read } = pageStatement(catalog, query, keys, select);
  const summary = query.withTotal || query.aggregations.length > 0
    ? [summaryStatement(query, matching)]
    : [];
  const holders = {
    firewall: query.firewall,
    rows: fragment(select.sql, ...select.args, query.limit, query.offset),
  };
  const embedded = query.embeddings.map((one) => includedStatement(catalog, one, holders));
  const statements = [statement, ...summary, ...embedded.map((one) => one.statement)];
  const bounded = boundedBy(sizes, firewall, query);
  return async (reader) => {
    const [page, ...others] = await runTogether(reader, await bounded(reader, statements));
    const counted = summary.length > 0 ? readSummary(query, others.shift()?.rows[0] ?? []) : null;
    return {
      ...read(page?.rows[0] ?? []),
      total: query.withTotal ? counted?.total ?? 0 : null,
      aggregates: counted?.aggregates ?? [],
      included: embedded.map((one, at) => one.read(resultAt(others, at))),
    };
  };
}

type PageRecords = Pick<Page, "records" | "hasMore" | "first" | "last">;

/**
 * Returns SQL of all rows of the page in one: their records, and the position of each. `select` binds the number of rows and
 * those to skip last.
 */
function pageStatement(
  catalog: Catalog,
  { firewall, projection, limit, offset, from, near }: PageQuery,
  keys: readonly OrderKey[],
  select: Fragment,
): { readonly statement: Statement; read(packed: readonly SqlValue[]): PageRecords } {
  const { shape, selectArgs, joinArgs } = projectionSql(catalog, projection, firewall);
  // The nearest rows have only one page.
  const isInRecord = near === null &&
    keys.every(({ column }) => shape.plan.texts.has(column.name));
  const places = near !== null
    ? [DISTANCE_CELL]
    : isInRecord
    ? []
    : keys.map(({ column }) => cellOf(column, cellSql(column, ROW)));
  const cells = [...shape.plan.cells, ...places];
  const sql = catalog.text(
    `page ${shape.key} ${select.sql} ${places.map((cell) => cell.sql)}`,
    () => `SELECT ${packedSelect(cells)} FROM (${select.sql}) AS ${ROW}${shape.joins}`,
  );
  const args = [...selectArgs, ...select.args, limit + 1, offset, ...joinArgs];
  return {
    statement: { sql, args, isSingle: true },
    read(packed) {
      const taken = unpackedRows(cells, packed);
      const isBackward = from?.direction === "before";
      const rows = isBackward ? taken.toReversed() : taken;
      const hasMore = rows.length > limit;
      // The extra row is the farthest from the cursor: the last one, or the first one before a cursor.
      const shown = !hasMore ? rows : isBackward ? rows.slice(1) : rows.slice(0, limit);
      const records = shown.map((row) => recordText(shape.plan, row));
      if (near !== null) {
        const measured = records.map((record, at) => withDistance(record, shown[at]?.at(-1)));
        return { records: measured, hasMore, first: null, last: null };
      }
      const placeAt = (at: number) => {
        const record = records.at(at);
        if (record === undefined) return null;
        return isInRecord ? placeIn(record, keys) : shown.at(at)?.slice(-places.length) ?? null;
      };
      const isFirst = from === null && offset === 0;
      return {
        records,
        hasMore,
        first: isFirst ? null : placeAt(0),
        last: hasMore || isBackward ? placeAt(-1) : null,
      };
    },
  };
}

/** Returns the position of a record that shows its sort keys unmasked. */
function placeIn(record: string, keys: readonly OrderKey[]): Place {
  const members: Readonly<Record<string, unknown>> = JSON.parse(record);
  return keys.map(({ column: { name } }) => {
    const value = members[name];
    if (value === null || typeof value === "string") return value;
    throw new TypeError(`A column of texts holds a ${typeof value}`);
  });
}

/** Several parts are merged in order, since each comes from its index in order. */
function orderedSelect(
  source: Fragment,
  parts: readonly Fragment[],
  keys: readonly OrderKey[],
): Fragment {
  const selects = parts.map(({ sql }) => `SELECT ${ROW}.* FROM ${source.sql} WHERE ${sql}`);
  const order = parts.length === 1 ? orderSql(keys, ROW) : keys
    .map(({ column, descending }) =>
      `${sqlIdentifier(column.sqlName)} ${descending ? "DESC" : "ASC"}`
    )
    .join(", ");
  return fragment(
    `${selects.join(" UNION ALL ")} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...parts.flatMap(({ args }) => [...source.args, ...args]),
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
  ilike: (cell, [value = null]) => containsFoldedSql(cell, value),
  in: inSql,
  nin: notInSql,
  null: (cell, [value]) => fragment(`${cell} IS ${value === 1 ? "" : "NOT "}NULL`),
};

function ordered(symbol: string): FilterSql {
  return (cell, [value = null]) => value === null ? NO_ROW : fragment(`${cell} ${symbol} ?`, value);
}

/** Matches a substring without ASCII case; `%`, `_` and `\` are literal. */
function containsSql(cell: string, value: SqlValue): Fragment {
  if (value === null) return NO_ROW;
  const pattern = `%${String(value).replace(/[\\%_]/g, "\\$&")}%`;
  return fragment(`${cell} LIKE ? ESCAPE '\\'`, pattern);
}
