/**
 * Compares texts without case in any script (contract 4.3, `ilike`), by Unicode's simple case folding: `ſ` equals `s`, and `ß`
 * does not equal `ss`. SQLite folds only ASCII, so the pattern lists all forms of a letter.
 */
import type { SqlValue } from "../ports.ts";
import { allOf, type Fragment, fragment, NO_ROW } from "./sql.ts";

/** Returns SQL for a substring. Wildcards in it are literal. */
export function containsFoldedSql(cell: string, value: SqlValue): Fragment {
  if (value === null) return NO_ROW;
  const known = new Map<string, Forms>();
  const forms = [...String(value)].map((letter) => {
    const forms = known.get(letter) ?? [letter, ...othersOf(letter)] as const;
    known.set(letter, forms);
    return forms;
  });
  // LIKE is much faster than GLOB, and exact if every letter has exactly its two ASCII forms.
  const like = forms.map((one) => isAsciiPair(one) ? one[0].replace(/[\\%_]/, "\\$&") : "_");
  const near = fragment(`${cell} LIKE ? ESCAPE '\\'`, `%${like.join("")}%`);
  if (forms.every(isAsciiPair)) return near;
  return allOf([
    near,
    fragment(
      `${cell} GLOB ?`,
      `*${
        forms.map((forms) =>
          forms.length > 1 || /[*?[]/.test(forms[0]) ? `[${forms.join("")}]` : forms[0]
        ).join("")
      }*`,
    ),
  ]);
}

type Forms = readonly [letter: string, ...others: string[]];

/**
 * Letters that fold to another letter and are neither its upper nor its lower case. A test searches all characters for more.
 */
const STRAYS =
  "\u017f\u01c5\u01c8\u01cb\u01f2\u212a\u212b\u2126\u1e9e\u1e9b\ufb05\ufb06\u00b5\u0345\u0390\u03b0" +
  "\u03c2\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f4\u03f5\u1fbe\u1fd3\u1fe3\u1fbc\u1fcc\u1ffc\u1c80" +
  "\u1c81\u1c82\u1c83\u1c84\u1c85\u1c86\u1c87\u1c88\u1f88\u1f89\u1f8a\u1f8b\u1f8c\u1f8d\u1f8e\u1f8f" +
  "\u1f98\u1f99\u1f9a\u1f9b\u1f9c\u1f9d\u1f9e\u1f9f\u1fa8\u1fa9\u1faa\u1fab\u1fac\u1fad\u1fae\u1faf";

/** Returns other characters that fold to the same one. */
function othersOf(letter: string): readonly string[] {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  const near = [lower, upper, lower.toUpperCase(), upper.toLowerCase()];
  const point = letter.codePointAt(0) ?? 0;
  // ECMAScript compares by simple case folding under `iu`.
  const same = new RegExp(`^\\u{${point.toString(16)}}$`, "iu");
  return [...new Set([...near, ...STRAYS])].filter((one) => one !== letter && same.test(one));
}

function isAsciiPair([letter, ...others]: Forms): boolean {
  return others.length === 0 || others.length === 1 && /^[a-z]$/i.test(letter);
}
