/** Splits SQL into tokens. The dialects differ in this step before any word is interpreted. */

export type Dialect = "postgresql" | "mysql" | "sqlite";

export const DIALECTS: readonly Dialect[] = ["postgresql", "mysql", "sqlite"];

export interface Token {
  /**
   * `word`: an unquoted one, with its lower-case form as `value`; `name`: a quoted one; `text`: a literal; `sign`: anything
   * else.
   */
  readonly kind: "word" | "name" | "text" | "number" | "sign";
  readonly value: string;
  /** Token as written. */
  readonly raw: string;
  readonly line: number;
}

/** Returns the tokens. Comments are left out, except the content of MySQL's executable comments (`/*!40101 … *\/`). */
export function tokensOf(sql: string, dialect: Dialect): readonly Token[] {
  const found: Token[] = [];
  let line = 1;
  for (let at = 0; at < sql.length;) {
    const { raw, token } = nextPart(sql, at, dialect);
    if (token) found.push({ ...token, raw, line });
    for (let next = raw.indexOf("\n"); next >= 0; next = raw.indexOf("\n", next + 1)) line++;
    at += raw.length;
  }
  return found;
}

interface Part {
  readonly raw: string;
  readonly token: Pick<Token, "kind" | "value"> | null;
}

const BLANK = /\s+/y;
const DASHES = /--[^\n]*/y;
const HASH = /#[^\n]*/y;
const MYSQL_OPENS = /\/\*!\d*/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/yu;
const NUMBER = /\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+/y;
const TEXT = /'(?:[^']|'')*'/y;
const ESCAPED_TEXT = /'(?:[^'\\]|''|\\[\s\S])*'/y;
const POSTGRES_ESCAPED = /[eE]'(?:[^'\\]|''|\\[\s\S])*'/y;
const BIT_TEXT = /[bBxXnN]'(?:[^']|'')*'/y;
const DOLLARS = /\$(\w*)\$[\s\S]*?\$\1\$/y;
const DOUBLE_QUOTED = /"(?:[^"]|"")*"/y;
const BACKTICKS = /`(?:[^`]|``)*`/y;
const BRACKETS = /\[[^\]\n]+\]/y;
const SIGN = /::|<=|>=|<>|!=|\|\||->>?|&&|[\s\S]/y;

function nextPart(sql: string, at: number, dialect: Dialect): Part {
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(sql)?.[0];
  };
  const ignored = match(BLANK) ?? match(DASHES) ??
    (dialect === "mysql" ? match(HASH) ?? match(MYSQL_OPENS) : undefined) ??
    commentAt(sql, at, dialect);
  if (ignored !== undefined) return { raw: ignored, token: null };
  const text = dialect === "mysql"
    ? match(ESCAPED_TEXT)
    : match(TEXT) ?? (dialect === "postgresql" ? match(POSTGRES_ESCAPED) : undefined);
  if (text !== undefined) {
    return { raw: text, token: { kind: "text", value: textOf(text, dialect) } };
  }
  const bits = match(BIT_TEXT);
  if (bits !== undefined) return { raw: bits, token: { kind: "text", value: bits.slice(2, -1) } };
  const body = dialect === "postgresql" ? match(DOLLARS) : undefined;
  if (body !== undefined) return { raw: body, token: { kind: "text", value: body } };
  const quoted = match(DOUBLE_QUOTED) ?? match(BACKTICKS) ??
    (dialect === "sqlite" ? match(BRACKETS) : undefined);
  if (quoted !== undefined) return { raw: quoted, token: { kind: "name", value: nameOf(quoted) } };
  const word = match(WORD);
  if (word !== undefined) return { raw: word, token: { kind: "word", value: word.toLowerCase() } };
  const number = match(NUMBER);
  if (number !== undefined) return { raw: number, token: { kind: "number", value: number } };
  const sign = match(SIGN) ?? "";
  // True for the `*` and `/` that end an executable comment of MySQL.
  const isClosing = dialect === "mysql" &&
    (sql.startsWith("*/", at) || sql.startsWith("*/", at - 1));
  return { raw: sign, token: isClosing ? null : { kind: "sign", value: sign } };
}

/** Returns the end of a comment. PostgreSQL nests comments. An unclosed one ends with the file. */
function commentAt(sql: string, at: number, dialect: Dialect): string | undefined {
  if (!sql.startsWith("/*", at)) return undefined;
  if (dialect !== "postgresql") {
    const end = sql.indexOf("*/", at + 2);
    return sql.slice(at, end < 0 ? undefined : end + 2);
  }
  let depth = 0;
  for (let here = at; here < sql.length; here++) {
    if (sql.startsWith("/*", here)) depth++;
    else if (sql.startsWith("*/", here)) depth--;
    else continue;
    here++;
    if (depth === 0) return sql.slice(at, here + 1);
  }
  return sql.slice(at);
}

function textOf(raw: string, dialect: Dialect): string {
  const isEscaped = dialect === "mysql" || /^e/i.test(raw);
  const inner = raw.slice(raw.indexOf("'") + 1, -1).replaceAll("''", "'");
  if (!isEscaped) return inner;
  return inner.replace(/\\([\s\S])/g, (_all, sign: string) => ESCAPES[sign] ?? sign);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

function nameOf(raw: string): string {
  const inner = raw.slice(1, -1);
  return raw.startsWith('"')
    ? inner.replaceAll('""', '"')
    : raw.startsWith("`")
    ? inner.replaceAll("``", "`")
    : inner;
}
