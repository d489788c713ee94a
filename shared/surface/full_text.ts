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
  readonly triggers: Readonly<Record<"insert" | "update" | "delete", string>>;
}

export function searchTablesOf(sqlName: string): SearchTables {
  const index = `${sqlName}_search`;
  return {
    index,
    keys: `${index}_keys`,
    triggers: { insert: `${index}_insert`, update: `${index}_update`, delete: `${index}_delete` },
  };
}

/** Beginnings that FTS5 gives to tables of its own for an index. */
const SHADOWS = ["", "_keys", "_data", "_idx", "_content", "_docsize", "_config"];

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
