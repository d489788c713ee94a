/** How deep a text nests brackets, found without a parser: parsers overflow first (traps, "about 1,000 nested arrays"). */

/** Far above what a person writes, far below what a parser or a recursive reader survives. */
export const NESTING_MAX = 200;

export interface TextPosition {
  /** 1-based, as in a `Place`. */
  readonly line: number;
  readonly column: number;
}

/** Comments, strings and template text in one alternative each, then the brackets. */
const TOKEN =
  /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[^]|[^`\\])*`|[([{]|[)\]}]/g;

/** Where the text first nests deeper than `limit`, or null. */
export function tooDeep(text: string, limit = NESTING_MAX): TextPosition | null {
  if (text.length <= limit) return null;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "(" || token === "[" || token === "{") {
      if (++depth > limit) return positionAt(text, index);
    } else if (token === ")" || token === "]" || token === "}") depth = Math.max(0, depth - 1);
  }
  return null;
}

function positionAt(text: string, index: number): TextPosition {
  const before = text.slice(0, index);
  return { line: before.split("\n").length, column: index - before.lastIndexOf("\n") };
}
