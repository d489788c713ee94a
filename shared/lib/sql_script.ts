/** Cuts a script of several SQL statements, which may hold comments. */

/** Texts that hide a semicolon, and a semicolon itself; an opening without its end runs to the end of the text. */
const PIECE =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|;/g;

/** One statement of a script. */
export interface ScriptStatement {
  /** Without comments before, in and after it, each of which is one space for each of its characters; without a semicolon. */
  readonly sql: string;
  /** Of its first character, as JavaScript counts. */
  readonly start: number;
}

/** The statements in order; what is only space and comments is none. */
export function statementsIn(script: string): readonly ScriptStatement[] {
  const ends: number[] = [];
  const blank = script.replace(PIECE, (piece, at: number) => {
    if (piece === ";") ends.push(at);
    // Lines stay, so that places in the statement are places in the script.
    return /^(?:--|\/\*)/.test(piece) ? piece.replace(/[^\n]/g, " ") : piece;
  });
  return [...ends, script.length].flatMap((end, index) => {
    const begin = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1;
    const text = blank.slice(begin, end);
    const sql = text.trim();
    return sql === "" ? [] : [{ sql, start: begin + text.indexOf(sql) }];
  });
}
