/** The prose of the sources: a doc comment says first what its symbol is or does (docs/architecture.md). */
import { assert } from "@std/assert";
import { type SourceFile, sourcesBelow } from "./source_tree.ts";

const FOLDERS = [
  "cli/adopt",
  "cli",
  "library/client",
  "container",
  "edge",
  "library/platform",
  "playground",
  "proof",
  "shared",
  "library/testing",
];
const DOC_COMMENT = /\/\*\*([^]*?)\*\//g;
const QUESTION_WORD = /^(?:What|Whatever|Where|Whether|Which|Who|Whoever|Whom|Whose)\b/;

/** A share of all doc comments. */
const RIDDLES_MAX = 0.01;

interface Comment {
  /** Path and line. */
  readonly place: string;
  readonly text: string;
}

Deno.test("doc comments open with their subject, not with a question word", () => {
  const comments = sourcesBelow(...FOLDERS).flatMap(commentsOf);
  const riddles = comments.filter(({ text }) => QUESTION_WORD.test(text));
  assert(
    riddles.length <= RIDDLES_MAX * comments.length,
    `${riddles.length} of ${comments.length} doc comments open with a question word, ` +
      `more than ${RIDDLES_MAX * 100} %. Start them with what the symbol is or does, as in ` +
      '"Lock-out times per sign-in bucket" or "Returns the masked record":\n' +
      riddles.map(({ place, text }) => `  ${place}: ${text}`).join("\n"),
  );
});

function commentsOf({ path, text }: SourceFile): readonly Comment[] {
  return [...text.matchAll(DOC_COMMENT)].map(({ 1: inside = "", index }) => ({
    place: `${path}:${text.slice(0, index).split("\n").length}`,
    text: inside.replaceAll(/^\s*\* ?/gm, "").trim().split("\n")[0] ?? "",
  }));
}
