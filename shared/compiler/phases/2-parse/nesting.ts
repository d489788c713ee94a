/** Measures the depth of brackets without a parser, because parsers overflow first. */
import { positionAt } from "../../diagnostics/lines.ts";

/**
 * Limit of the depth of brackets. It is far above what a person writes and far below what a parser or recursive reader can
 * process.
 */
export const NESTING_MAX = 200;

/**
 * Matches comments, strings and template text, then brackets. An unclosed one ends with its line or the text, so that no
 * position is scanned twice.
 */
const TOKEN =
  /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[^]|[^`\\])*`?|[([{]|[)\]}]/g;

/** Returns the place at which the text first nests deeper than `limit`; null: it does not. */
export function tooDeep(text: string, limit = NESTING_MAX): ReturnType<typeof positionAt> | null {
  if (text.length <= limit) return null;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "(" || token === "[" || token === "{") {
      if (++depth > limit) return positionAt(text, index);
    } else if (token === ")" || token === "]" || token === "}") depth = Math.max(0, depth - 1);
  }
  return null;
}
