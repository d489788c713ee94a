/** Defines the words of full-text search, and the tables of its index (contract 4.3, docs/decisions/reads.md). */
import type { ResourceModel, TableModel } from "../model/mod.ts";

/** Limit of the words of one search. Each is looked up separately. */
export const SEARCH_WORDS_MAX = 32;

/** Pattern of at most that many words, separated by white space. */
export const SEARCH_PATTERN =
  `^[^\\S\\x00]*(?:[^\\s\\x00]+(?:[^\\S\\x00]+|$)){0,${SEARCH_WORDS_MAX}}$`;

/** Names in SQL, beside the table's own. */
export interface SearchTables {
  /** FTS5 table with the texts. */
  readonly index: string;
  /** Table of ids by the index's row numbers. The row numbers of a table with text keys change when it is vacuumed. */
  readonly keys: string;
  /** Table of the tenants' numbers, if the index has tenants. */
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

/** Returns the names of the triggers that update an index. Only one with tenants has rows that move. */
export function searchTriggersOf(
  sqlName: string,
  search: { readonly tenant?: string | undefined },
): readonly string[] {
  const { insert, update, move, delete: removal } = searchTablesOf(sqlName).triggers;
  return search.tenant === undefined ? [insert, update, removal] : [insert, update, move, removal];
}

/** Limit of the prefixes that the index stores. A longer prefix is looked up by its first letters, and then checked. */
export const SEARCH_PREFIX_LETTERS = 8;

/**
 * Position of the tenant in a row number. A tenant's rows have the numbers from `tenant << 32` on; 0 is for rows without a
 * tenant.
 */
const TENANT_SHIFT = 32;
export const TENANT_ROWS = 2 ** TENANT_SHIFT;
/** Limit of the tenants, which two private characters can count. */
export const TENANTS_MAX = 1_000_000_000;

/** Returns SQL of a tenant's first row number, and of the tenant of a row number. */
export const firstRowSql = (tenant: string) => `(${tenant} << ${TENANT_SHIFT})`;
export const tenantOfRowSql = (row: string) => `(${row} >> ${TENANT_SHIFT})`;

/** Returns SQL that is true for the row numbers of the tenant with that number. */
export function tenantRowsSql(row: string, tenant: string): string {
  const first = firstRowSql(tenant);
  return `${row} BETWEEN ${first} AND ${first} + ${TENANT_ROWS - 1}`;
}

/**
 * Returns SQL of the word that begins each text of a tenant in the index. FTS5 searches for rows with several words from the
 * first row that contains this one, which is the tenant's.
 */
export function tenantMarkSql(tenant: string): string {
  return `char(${MARK_LOW} + (${tenant} & 32767)) || ` +
    `CASE WHEN ${tenant} > 32767 THEN char(${MARK_HIGH} + (${tenant} >> 15)) ELSE '' END`;
}

const MARK_LOW = 0xf0000;
const MARK_HIGH = 0xf8000;

/** True for a text with a character that marks tenants in an index. No row matches it. */
export function hasTenantMark(text: string): boolean {
  return /[\u{f0000}-\u{fffff}]/u.test(text);
}

/** Endings of the names of the tables that FTS5 creates for an index. */
const SHADOWS = ["", "_keys", "_tenants", "_data", "_idx", "_content", "_docsize", "_config"];

/** Returns every table that an index needs, by SQL names in lower case. */
export function takenNames(sqlName: string): readonly string[] {
  const { index } = searchTablesOf(sqlName);
  return SHADOWS.map((end) => `${index}${end}`.toLowerCase());
}

/** Matches characters of which FTS5 makes words; any other separates them. */
const WORD = /[\p{L}\p{N}\p{Co}]/u;

/** Returns the words of a search, each once; null: too many. */
export function searchWords(text: string): readonly string[] | null {
  const words = [...new Set(text.split(/\s+/u).filter((word) => word !== ""))];
  return words.length > SEARCH_WORDS_MAX ? null : words.filter((word) => WORD.test(word));
}

/**
 * Returns the query in FTS5's language. A row matches if each word is a prefix of a word in these columns; null: a search
 * without words matches no row.
 */
export function matchExpression(text: string, columns: readonly string[]): string | null {
  const words = searchWords(text) ?? [];
  if (words.length === 0 || columns.length === 0) return null;
  const terms = words.map((word) => `${quoted(word)}*`).join(" AND ");
  return `{${columns.map(quoted).join(" ")}} : (${terms})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Returns the SQL names of the columns in a table's index, in its order. */
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
