/**
 * Full-text search (contract 4.3, docs/decisions/reads.md): finds rows by an index of words, and ranks them by the row's own
 * texts. In an index with tenants only the caller's rows are read.
 */
import { columnNamed } from "../../surface/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { type ColumnModel, columnPredicates, type TableModel } from "../../model/mod.ts";
import * as surface from "../../surface/mod.ts";
import { comparisonOf } from "./comparisons.ts";
import { cellSql } from "./conditions.ts";
import { ROW } from "./projection.ts";
import { wordCheck } from "./search_checks.ts";
import { type SearchTerm, searchTerms, termExpression, termsExpression } from "./search_terms.ts";
import { allOf, type Fragment, fragment, NO_ROW } from "./sql.ts";
import type { Firewall, PageQuery } from "./types.ts";

type Search = NonNullable<PageQuery["search"]>;
type Indexed = Search & { readonly index: NonNullable<Search["index"]> };

/** The rank as a column. Its name has a space, which an author's cannot have. */
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

/** Returns SQL for rows in which every searched word is the beginning of an indexed one. */
export function foundSql(search: Indexed, firewall: Firewall): Fragment {
  const { table } = firewall;
  const lookUp = lookUpOf(search, firewall);
  if (lookUp === null) return NO_ROW;
  const key = cellSql(columnNamed(table.primaryKey, table), ROW);
  return fragment(
    `${key} IN (SELECT k.id FROM ${lookUp.source} WHERE ${lookUp.found.sql})`,
    ...lookUp.found.args,
  );
}

/** Returns a statement's source: the wanted rows among those found, with their rank. */
export function rankedSource(search: Indexed, firewall: Firewall, wanted: Fragment): Fragment {
  const { table } = firewall;
  const lookUp = lookUpOf(search, firewall);
  const rank = sqlIdentifier(RANK.sqlName);
  const key = cellSql(columnNamed(table.primaryKey, table), ROW);
  const { source, found, marked } = lookUp ?? nothingIn(table);
  // The limit keeps the index's functions within the index's own query.
  return fragment(
    `(SELECT ${ROW}.*, f.${rank} FROM (SELECT k.id, ${
      rankSql(search, table, marked)
    } AS ${rank} FROM ${source} WHERE ${found.sql} LIMIT -1) AS f ` +
      `CROSS JOIN ${sqlIdentifier(table.sqlName)} AS ${ROW} ON ${key} = f.id ` +
      `WHERE ${wanted.sql}) AS ${ROW}`,
    ...found.args,
    ...wanted.args,
  );
}

/** A query of the index. */
interface LookUp {
  /** The index, and the ids of its rows as `k`. */
  readonly source: string;
  readonly found: Fragment;
  /** Number of a text's hits that do not come from words. */
  readonly marked: number;
}

/** Makes the look-up; null: the text has no words, so no row is found. */
function lookUpOf(search: Indexed, firewall: Firewall): LookUp | null {
  const { index: { tenant: column }, text } = search;
  if (column !== undefined && surface.hasTenantMark(text)) return null;
  const tenant = columnPredicates(firewall.predicates).find((predicate) =>
    predicate.column === column && predicate.operator === "equals" &&
    predicate.operand.kind === "context"
  );
  if (tenant === undefined) return lookUpInAll(search, firewall.table);
  const comparison = comparisonOf(tenant, firewall);
  return comparison.kind === "equals"
    ? lookUpInTenant(search, firewall.table, comparison.value)
    : null;
}

/** Makes the look-up for callers who may see several tenants, and for an index without tenants. */
function lookUpInAll({ columns, index, text }: Indexed, table: TableModel): LookUp | null {
  const names = surface.indexedColumns(index, table);
  const asked = index.columns.flatMap(({ column }, at) =>
    columns.includes(column) ? names[at] ?? [] : []
  );
  const expression = surface.matchExpression(text, asked);
  if (expression === null) return null;
  const { index: indexName, keys } = namesOf(table);
  return {
    source: `${indexName} JOIN ${keys} AS k ON k.n = ${indexName}.rowid`,
    found: fragment(`${indexName} MATCH ?`, expression),
    marked: 0,
  };
}

/** Makes the look-up within one tenant. It reads neither rows nor index entries of others. */
function lookUpInTenant(
  { columns, index: { columns: indexed }, text }: Indexed,
  table: TableModel,
  tenant: Fragment["args"][number],
): LookUp | null {
  const terms = searchTerms(text);
  const isMarked = terms.length > 1 || terms.some(({ words }) => words.length > 1);
  const asked = indexed.flatMap(({ column }, at) =>
    columns.includes(column)
      ? [{ at, name: sqlIdentifier(columnNamed(column, table).sqlName) }]
      : []
  );
  if (terms.length === 0 || asked.length === 0) return null;
  const { index, keys, tenants } = namesOf(table);
  const matches = (cursor: string, expression: string) =>
    fragment(
      `${cursor}.${index} MATCH replace(?, char(1), ${surface.tenantMarkSql("o.n")})`,
      expression,
    );
  const isPart = asked.length < indexed.length;
  const check = (term: SearchTerm, cursor: string) =>
    wordCheck(term, { index, cursor, columns: asked, isPart });
  // Several words in one part are marked word by word.
  const isMarkedApart = terms.length === 1 ||
    !isPart && terms.every(({ words }) => words.length === 1);
  const checks = terms.flatMap((term) => {
    if (isMarkedApart) return check(term, index) ?? [];
    const checked = check(term, "w");
    if (checked === null) return [];
    const { sql, args } = allOf([matches("w", termExpression(term)), checked]);
    return fragment(
      `EXISTS (SELECT 1 FROM ${index} AS w WHERE w.rowid = ${index}.rowid AND ${sql})`,
      ...args,
    );
  });
  return {
    source: `${tenants} AS o CROSS JOIN ${index} CROSS JOIN ${keys} AS k ON k.n = ${index}.rowid`,
    found: allOf([
      fragment("o.tenant = ?", tenant),
      matches(index, termsExpression(terms)),
      fragment(surface.tenantRowsSql(`${index}.rowid`, "o.n")),
      ...checks,
    ]),
    marked: isMarked ? 1 : 0,
  };
}

/** Makes a look-up that finds nothing. */
function nothingIn(table: TableModel): LookUp {
  const { index, keys } = namesOf(table);
  return {
    source: `${index} JOIN ${keys} AS k ON k.n = ${index}.rowid`,
    found: fragment(`${index} MATCH ?`, '""'),
    marked: 0,
  };
}

/**
 * Returns SQL of the rank: matched words by the weights of their columns. Further matches, and matches in longer texts, count
 * less. `bm25` is not used, because it depends on all tenants' rows.
 */
function rankSql(
  { index: { columns, tenant }, columns: searched }: Indexed,
  table: TableModel,
  marked: number,
): string {
  const { index } = namesOf(table);
  const parts = columns.flatMap(({ column, weight }, at) => {
    if (!searched.includes(column)) return [];
    const cell = cellSql(columnNamed(column, table), index);
    const hits = `(length(highlight(${index}, ${at}, char(2), '')) - length(${cell}) - ${marked})`;
    // The text of a tenant starts with the tenant's mark and a space.
    const length = tenant === undefined
      ? `length(${cell})`
      : `(length(${cell}) - instr(${cell}, ' '))`;
    return [`coalesce(${weight} * ${hits} / (${hits} + 1.0 + ${length} / 500.0), 0)`];
  });
  return `CAST(1000000 * (${parts.join(" + ")}) AS integer)`;
}

function namesOf({ sqlName }: TableModel) {
  const { index, keys, tenants } = surface.searchTablesOf(sqlName);
  return {
    index: sqlIdentifier(index),
    keys: sqlIdentifier(keys),
    tenants: sqlIdentifier(tenants),
  };
}
