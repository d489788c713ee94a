/** Measures the depth of brackets without a parser: parsers overflow first. */
import { positionAt } from "../../diagnostics/lines.ts";

/** Far above what a person writes, far below what a parser or a recursive reader survives. */
export const NESTING_MAX = 200;

/**
 * Comments, strings and template text in one alternative each, then the brackets. What is never closed ends with its
 * line or with the text, so that no position is scanned twice.
 */
const TOKEN =
  /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[^]|[^`\\])*`?|[([{]|[)\]}]/g;

/** Place at which the text first nests deeper than `limit`, or null. */
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
