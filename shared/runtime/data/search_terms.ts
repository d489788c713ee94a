/** Words of a search in an index with tenants, and the FTS5 query that starts at the tenant's first row. */
import { SEARCH_PREFIX_LETTERS, searchWords } from "../../surface/mod.ts";
import { indexedWords } from "./index_letters.ts";

/** The words between two spaces of the search, which must be adjacent. The last one is a prefix. */
export interface SearchTerm {
  readonly words: readonly string[];
  /** True when its last word is longer than the indexed prefixes. Rows found by the first letters are then checked. */
  readonly isLong: boolean;
}

export function searchTerms(text: string): readonly SearchTerm[] {
  return (searchWords(text) ?? []).flatMap((word) => {
    const words = indexedWords(word);
    const last = words.at(-1);
    return last === undefined ? [] : [{ words, isLong: [...last].length > SEARCH_PREFIX_LETTERS }];
  });
}

/** Query for rows with every term. U+0001 is the tenant's mark, which each of its texts contains. */
export function termsExpression(terms: readonly SearchTerm[]): string {
  const [only] = terms;
  if (only && terms.length === 1) return termExpression(only);
  return [MARK, ...terms.map(near)].join(" AND ");
}

/** Query for rows with one term. For several words FTS5 scans from the beginning of the index, so one of them is the mark. */
export function termExpression(term: SearchTerm): string {
  return term.words.length === 1 ? near(term) : `${MARK} AND ${near(term)}`;
}

const MARK = '"\u0001"';
/** Distance that covers any text. */
const ANYWHERE = 1_000_000_000;

function near({ words }: SearchTerm): string {
  const last = [...words.at(-1) ?? ""].slice(0, SEARCH_PREFIX_LETTERS).join("");
  const phrase = `"${[...words.slice(0, -1), last].join(" ")}" *`;
  return words.length === 1 ? phrase : `NEAR(${MARK} ${phrase}, ${ANYWHERE})`;
}
