/** Full-text search (contract 4.3, docs/decisions/reads.md): its words, and the tables that keep its index. */
import type { ResourceModel, TableModel } from "../model/mod.ts";

/** Words of one search: each is looked up by itself. */
export const SEARCH_WORDS_MAX = 32;

/** At most that many words, parted by white space. */
export const SEARCH_PATTERN =
  `^[^\\S\\x00]*(?:[^\\s\\x00]+(?:[^\\S\\x00]+|$)){0,${SEARCH_WORDS_MAX}}$`;

/** Names in SQL, beside the table's own. */
export interface SearchTables {
  /** Of FTS5, with the texts. */
  readonly index: string;
  /** Ids by the index's row numbers: those of a table with keys of text change when it is vacuumed. */
  readonly keys: string;
  /** Numbers of tenants, where the index has any. */
  readonly tenants: string;
  readonly triggers: Readonly<Record<"insert" | "update" | "move" | "delete", string>>;
}

export function searchTablesOf(sqlName: string): SearchTables {
  const index = `${sqlName}_search`;
  return {
    index,
    keys: `${index}_keys`,
    tenants: `${index}_tenants`,
    triggers: {
      insert: `${index}_insert`,
      update: `${index}_update`,
      move: `${index}_move`,
      delete: `${index}_delete`,
    },
  };
}

/** Names of the triggers that keep an index; only one with tenants has rows that move. */
export function searchTriggersOf(
  sqlName: string,
  search: { readonly tenant?: string | undefined },
): readonly string[] {
  const { insert, update, move, delete: removal } = searchTablesOf(sqlName).triggers;
  return search.tenant === undefined ? [insert, update, removal] : [insert, update, move, removal];
}

/** Beginnings of words that have an index of their own; a longer one is looked up by its first letters, and then checked. */
export const SEARCH_PREFIX_LETTERS = 8;

/** A tenant's rows have the numbers from `tenant << 32` on; 0 is the number of nobody's rows. */
const TENANT_SHIFT = 32;
export const TENANT_ROWS = 2 ** TENANT_SHIFT;
/** Two private characters count so far. */
export const TENANTS_MAX = 1_000_000_000;

/** SQL of a tenant's first row number, and of the tenant of a row number. */
export const firstRowSql = (tenant: string) => `(${tenant} << ${TENANT_SHIFT})`;
export const tenantOfRowSql = (row: string) => `(${row} >> ${TENANT_SHIFT})`;

/** SQL that is true for the row numbers of the tenant with that number. */
export function tenantRowsSql(row: string, tenant: string): string {
  const first = firstRowSql(tenant);
  return `${row} BETWEEN ${first} AND ${first} + ${TENANT_ROWS - 1}`;
}

/**
 * SQL of the word that begins each text of a tenant in the index: FTS5 looks for rows with several words from the first row
 * that has this one, which is the tenant's.
 */
export function tenantMarkSql(tenant: string): string {
  return `char(${MARK_LOW} + (${tenant} & 32767)) || ` +
    `CASE WHEN ${tenant} > 32767 THEN char(${MARK_HIGH} + (${tenant} >> 15)) ELSE '' END`;
}

const MARK_LOW = 0xf0000;
const MARK_HIGH = 0xf8000;

/** True for a text with a character that marks tenants in an index: no row is found by it. */
export function hasTenantMark(text: string): boolean {
  return /[\u{f0000}-\u{fffff}]/u.test(text);
}

/** Beginnings that FTS5 gives to tables of its own for an index. */
const SHADOWS = ["", "_keys", "_tenants", "_data", "_idx", "_content", "_docsize", "_config"];

/** Every table that an index needs, by SQL names in lower case. */
export function takenNames(sqlName: string): readonly string[] {
  const { index } = searchTablesOf(sqlName);
  return SHADOWS.map((end) => `${index}${end}`.toLowerCase());
}

/** Characters of which FTS5 makes words; any other parts them. */
const WORD = /[\p{L}\p{N}\p{Co}]/u;

/** The words of a search, each once; null: too many. */
export function searchWords(text: string): readonly string[] | null {
  const words = [...new Set(text.split(/\s+/u).filter((word) => word !== ""))];
  return words.length > SEARCH_WORDS_MAX ? null : words.filter((word) => WORD.test(word));
}

/** The query in FTS5's language: rows in whose columns each word begins one; null: no row has no words. */
export function matchExpression(text: string, columns: readonly string[]): string | null {
  const words = searchWords(text) ?? [];
  if (words.length === 0 || columns.length === 0) return null;
  const terms = words.map((word) => `${quoted(word)}*`).join(" AND ");
  return `{${columns.map(quoted).join(" ")}} : (${terms})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** SQL names of the columns in a table's index, in its order. */
export function indexedColumns(
  search: NonNullable<ResourceModel["search"]>,
  table: TableModel,
): readonly string[] {
  return search.columns.map(({ column: name }) => {
    const column = table.columns.find((one) => one.name === name);
    if (!column) throw new Error(`Column '${name}' is not in table '${table.name}' of the model`);
    return column.sqlName;
  });
}
