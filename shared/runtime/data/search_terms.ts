/** Words of a search in an index with tenants, and the query in FTS5's language that begins at the tenant's first row. */
import { SEARCH_PREFIX_LETTERS, searchWords } from "../../surface/mod.ts";
import { indexedWords } from "./index_letters.ts";

/** What stands between two spaces: words of the index, side by side, the last of which is a beginning. */
export interface SearchTerm {
  readonly words: readonly string[];
  /** Its last word is longer than the beginnings that the index knows: a row that is found by the first letters is checked. */
  readonly isLong: boolean;
}

export function searchTerms(text: string): readonly SearchTerm[] {
  return (searchWords(text) ?? []).flatMap((word) => {
    const words = indexedWords(word);
    const last = words.at(-1);
    return last === undefined ? [] : [{ words, isLong: [...last].length > SEARCH_PREFIX_LETTERS }];
  });
}

/** Rows with every term. U+0001 stands for the mark of the tenant, which each of its texts has. */
export function termsExpression(terms: readonly SearchTerm[]): string {
  const [only] = terms;
  if (only && terms.length === 1) return termExpression(only);
  return [MARK, ...terms.map(near)].join(" AND ");
}

/**
 * Rows with a term. FTS5 looks for the first row with several words from the beginning of the whole index, so one of them is
 * the mark.
 */
export function termExpression(term: SearchTerm): string {
  return term.words.length === 1 ? near(term) : `${MARK} AND ${near(term)}`;
}

const MARK = '"\u0001"';
/** More words than a text has. */
const ANYWHERE = 1_000_000_000;

function near({ words }: SearchTerm): string {
  const last = [...words.at(-1) ?? ""].slice(0, SEARCH_PREFIX_LETTERS).join("");
  const phrase = `"${[...words.slice(0, -1), last].join(" ")}" *`;
  return words.length === 1 ? phrase : `NEAR(${MARK} ${phrase}, ${ANYWHERE})`;
}
