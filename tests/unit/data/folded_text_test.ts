/** Every character finds all that Unicode's simple case folding takes for the same, as ECMAScript compares under `iu`. */
import { assertEquals } from "@std/assert";
import { containsFoldedSql } from "../../../shared/runtime/data/folded_text.ts";

const CASED = Array.from({ length: 0x20000 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((letter) => /[\p{CWCM}\p{CWCF}]/u.test(letter));

Deno.test("containsFoldedSql() names every form of every letter", () => {
  const all = CASED.join("");
  for (const letter of CASED) {
    const point = letter.codePointAt(0) ?? 0;
    const same = all.match(new RegExp(`\\u{${point.toString(16)}}`, "giu")) ?? [];
    const pattern = String(containsFoldedSql("c", letter).args.at(-1)).slice(1, -1);
    const forms = [...pattern.replace(/^\[(.+)\]$/, "$1")];
    // LIKE folds ASCII by itself.
    const named = /^[a-z]$/i.test(pattern) ? [letter.toLowerCase(), letter.toUpperCase()] : forms;
    assertEquals([...new Set(named)].sort(), [...new Set([letter, ...same])].sort(), letter);
  }
});
