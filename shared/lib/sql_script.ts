/** Splits a script into its SQL statements. The script may contain comments. */

/** Matches texts that may hide a semicolon, and a semicolon itself. A text without its end extends to the end of the script. */
const PIECE =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|;/g;

/** One statement of a script. */
export interface ScriptStatement {
  /** The statement without its semicolon. Every character of a comment is replaced by a space. */
  readonly sql: string;
  /** Index of its first character in the script. */
  readonly start: number;
}

/** Returns the statements in order. A part of only spaces and comments is left out. */
export function statementsIn(script: string): readonly ScriptStatement[] {
  const ends: number[] = [];
  const blank = script.replace(PIECE, (piece, at: number) => {
    if (piece === ";") ends.push(at);
    // Line breaks stay, so that lines in the statement match lines in the script.
    return /^(?:--|\/\*)/.test(piece) ? piece.replace(/[^\n]/g, " ") : piece;
  });
  return [...ends, script.length].flatMap((end, index) => {
    const begin = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1;
    const text = blank.slice(begin, end);
    const sql = text.trim();
    return sql === "" ? [] : [{ sql, start: begin + text.indexOf(sql) }];
  });
}
