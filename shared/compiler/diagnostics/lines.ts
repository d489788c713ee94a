/** Splits text into lines as ECMAScript defines them, for the parser's places and for the frames around them alike. */

/** Returns the lines without their ends. There is at least one. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

/** Returns the 1-based line and column of an offset. */
export function positionAt(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  const lines = linesOf(text.slice(0, offset));
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
