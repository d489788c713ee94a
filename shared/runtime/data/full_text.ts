/**
 * Full-text search (contract 4.3, docs/decisions/reads.md): rows by the words in an index, and in order of a rank that is
 * made of nothing but the row's own texts.
 */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { ColumnModel, TableModel } from "../../model/mod.ts";
import { indexedColumns, matchExpression, searchTablesOf } from "../../surface/mod.ts";
import { columnOf } from "./catalog.ts";
import { cellSql } from "./conditions.ts";
import { ROW } from "./projection.ts";
import { type Fragment, fragment, NO_ROW } from "./sql.ts";
import type { PageQuery } from "./types.ts";

type Search = NonNullable<PageQuery["search"]>;
type Indexed = Search & { readonly index: NonNullable<Search["index"]> };

/** The rank as a column of the rows; no author's column has a space in its name. */
export const RANK: ColumnModel = {
  name: "search rank",
  sqlName: "search rank",
  type: { kind: "int" },
  nullable: false,
  default: null,
  manager: "system",
  references: null,
  searchable: false,
};

/** The rows in whose columns every word begins one. */
export function foundSql(search: Indexed, table: TableModel): Fragment {
  const expression = expressionOf(search, table);
  if (expression === null) return NO_ROW;
  const { index, keys } = namesOf(table);
  const key = cellSql(columnOf(table, table.primaryKey), ROW);
  return fragment(
    `${key} IN (SELECT k.id FROM ${index} JOIN ${keys} AS k ON k.n = ${index}.rowid ` +
      `WHERE ${index} MATCH ?)`,
    expression,
  );
}

/** A statement's source: the wanted rows among those that are found, each with its rank. */
export function rankedSource(search: Indexed, table: TableModel, wanted: Fragment): Fragment {
  const expression = expressionOf(search, table);
  const { index, keys } = namesOf(table);
  const rank = sqlIdentifier(RANK.sqlName);
  const key = cellSql(columnOf(table, table.primaryKey), ROW);
  // The limit keeps the index's own functions within the query of the index.
  return fragment(
    `(SELECT ${ROW}.*, f.${rank} FROM (SELECT k.id, ${
      rankSql(search, table)
    } AS ${rank} FROM ${index} ` +
      `JOIN ${keys} AS k ON k.n = ${index}.rowid WHERE ${index} MATCH ? LIMIT -1) AS f ` +
      `CROSS JOIN ${sqlIdentifier(table.sqlName)} AS ${ROW} ON ${key} = f.id ` +
      `WHERE ${wanted.sql}) AS ${ROW}`,
    // Of no words, which no row has.
    expression ?? '""',
    ...wanted.args,
  );
}

/**
 * Matched words by their columns' weights, each further one and each one of a longer text counting less. `bm25` would count how
 * rare a word is among the rows of all tenants.
 */
function rankSql({ index: { columns }, columns: searched }: Indexed, table: TableModel): string {
  const { index } = namesOf(table);
  const parts = columns.flatMap(({ column, weight }, at) => {
    if (!searched.includes(column)) return [];
    const cell = cellSql(columnOf(table, column), index);
    const hits = `(length(highlight(${index}, ${at}, char(2), '')) - length(${cell}))`;
    return [`coalesce(${weight} * ${hits} / (${hits} + 1.0 + length(${cell}) / 500.0), 0)`];
  });
  return `CAST(1000000 * (${parts.join(" + ")}) AS integer)`;
}

function expressionOf({ columns, index, text }: Indexed, table: TableModel): string | null {
  const names = indexedColumns(index, table);
  const asked = index.columns.flatMap(({ column }, at) =>
    columns.includes(column) ? names[at] ?? [] : []
  );
  return matchExpression(text, asked);
}

function namesOf({ sqlName }: TableModel) {
  const { index, keys } = searchTablesOf(sqlName);
  return { index: sqlIdentifier(index), keys: sqlIdentifier(keys) };
}
