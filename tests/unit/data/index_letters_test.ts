/** Letters of a full-text index are those that FTS5 itself makes of every character. */
import { assertEquals } from "@std/assert";
import Libsql from "libsql";
import {
  indexedWords,
  letterPattern,
  SEPARATOR_CLASS,
} from "../../../shared/runtime/data/index_letters.ts";

/** Those of the planes that letters are in, and some of the others, which are much alike. */
const CHARACTERS = Array.from({ length: 0x10ffff }, (_, at) => at + 1)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .filter((point) => point < 0x20000 || (point >> 12) === 0xe0 || point % 101 === 0)
  .map((point) => String.fromCodePoint(point));

/** The index's first word of each of these texts. */
function firstWords(texts: readonly string[]): readonly string[] {
  const database = new Libsql(":memory:");
  database.exec(
    "CREATE VIRTUAL TABLE x USING fts5(t, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');" +
      "CREATE VIRTUAL TABLE v USING fts5vocab(x, 'instance')",
  );
  database.prepare("INSERT INTO x (rowid, t) SELECT key, value FROM json_each(?)")
    .run(JSON.stringify(texts));
  const words = texts.map(() => "");
  for (const row of database.prepare("SELECT doc, term FROM v WHERE offset = 0").raw().iterate()) {
    const [doc, term]: unknown[] = Array.isArray(row) ? row : [];
    words[Number(doc)] = String(term);
  }
  database.close();
  return words;
}

Deno.test("indexedWords() parts and folds every character as FTS5 does, within a word and alone", () => {
  for (const around of [["q", "q"], ["", ""]] as const) {
    const texts = CHARACTERS.map((character) => around.join(character));
    const words = firstWords(texts);
    const wrong = texts.filter((text, at) => (indexedWords(text)[0] ?? "") !== words[at]);
    assertEquals(wrong.map((text) => text.codePointAt(around[0].length)?.toString(16)), []);
  }
});

Deno.test("letterPattern() and the class of separators name every character that FTS5 takes for one", () => {
  const database = new Libsql(":memory:");
  const globs = database.prepare("SELECT ? GLOB ?").raw();
  const matches = (text: string, pattern: string) => {
    const [row]: unknown[] = globs.all(text, pattern);
    return Array.isArray(row) && row[0] === 1;
  };
  for (const character of CHARACTERS.filter((_, at) => at < 0x3000 || at % 97 === 0)) {
    const [letter] = indexedWords(character);
    const isAccent = letter === undefined && indexedWords(`q${character}q`).length === 1;
    assertEquals(
      matches(character, letter === undefined ? `[${SEPARATOR_CLASS}]` : letterPattern(letter)),
      !isAccent,
      character.codePointAt(0)?.toString(16),
    );
    assertEquals(matches(character, `[${SEPARATOR_CLASS}]`), letter === undefined && !isAccent);
  }
  database.close();
});
