/** Checks of rows that the index found, which it cannot make itself: that a longer word occurs, and in which columns. */
import { sqlString } from "../../lib/sql_text.ts";
import { letterPattern, SEPARATOR_CLASS, SINGLE_ACCENTS } from "./index_letters.ts";
import type { SearchTerm } from "./search_terms.ts";
import { anyOf, type Fragment, fragment } from "./sql.ts";

/** Null: the index has said it all. */
export function wordCheck(term: SearchTerm, checked: {
  readonly index: string;
  /** Name of the index in the query for one term. */
  readonly cursor: string;
  /** Searched columns with their index position. */
  readonly columns: readonly { readonly at: number; readonly name: string }[];
  /** True when other columns may contain the term. */
  readonly isPart: boolean;
}): Fragment | null {
  if (!term.isLong && !checked.isPart) return null;
  return anyOf(checked.columns.map(({ at, name }) => {
    const cell = `${checked.cursor}.${name}`;
    const shown = (end: string) =>
      `highlight(${checked.cursor}.${checked.index}, ${at}, char(2), ${end})`;
    const isOneWord = term.words.length === 1;
    if (!term.isLong) {
      // With several words the tenant's mark counts as one more.
      return fragment(`length(${shown("''")}) > length(${cell}) + ${isOneWord ? 0 : 1}`);
    }
    return isOneWord
      ? fragment(`${withoutAccents(shown("''"), cell)} ${GLOB}`, `*\u0002${patternOf(term.words)}*`)
      : longTerm(withoutAccents(shown("char(3)"), cell), term);
  }));
}

/** Each found place is a text of its own, whose last word is compared. */
function longTerm(text: string, { words }: SearchTerm): Fragment {
  const places = `replace(json_array(replace(${text}, '\\', ' ')), '\\u0002', '","')`;
  return fragment(
    `EXISTS (SELECT 1 FROM json_each(${places}) AS p ` +
      `WHERE substr(p.value, 1, instr(p.value, char(3)) - 1) ${GLOB})`,
    `${patternOf(words)}*`,
  );
}

/** A pattern that stands alone makes SQLite plan the statement anew each time. */
const GLOB = "GLOB ? || ''";

/** Bytes of a pattern that SQLite takes, in characters of at most three. */
const PATTERN_MAX = 16_000;

/** Most compared letters. Words before them are not compared. */
function patternOf(words: readonly string[]): string {
  let pattern = "";
  for (const word of words.toReversed()) {
    const letters = [...word].map(letterPattern);
    const next = pattern === "" ? "" : `*[${SEPARATOR_CLASS}]${pattern}`;
    let part = "";
    for (const letter of letters) {
      if (part.length + letter.length + next.length > PATTERN_MAX) {
        return pattern === "" ? part : `*[${SEPARATOR_CLASS}]${pattern}`;
      }
      part += letter;
    }
    pattern = part + next;
  }
  return pattern;
}

/** Returns SQL of `text` without combining accents. Few texts have any; `cell` tells whether this one does. */
function withoutAccents(text: string, cell: string): string {
  const count = SINGLE_ACCENTS.length;
  return `(CASE WHEN ${cell} GLOB ${ACCENTED} THEN (WITH RECURSIVE s(at, rest) AS (` +
    `SELECT 1, ${text} UNION ALL SELECT at + 1, replace(rest, substr(${ACCENTS}, at, 1), '') ` +
    `FROM s WHERE at <= ${count}) SELECT rest FROM s WHERE at > ${count}) ELSE ${text} END)`;
}

const ACCENTS = sqlString(SINGLE_ACCENTS.join(""));
const ACCENTED = sqlString(`*[${SINGLE_ACCENTS.at(0)}-${SINGLE_ACCENTS.at(-1)}]*`);
