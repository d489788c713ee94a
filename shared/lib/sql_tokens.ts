/**
 * The tokens of one SQL statement, split exactly as SQLite splits them (its documentation, "lang_keywords", "lang_expr"). Texts
 * that could hide something from a reader of tokens, and a second statement, are refused.
 */

type TokenKind = "word" | "name" | "string" | "number" | "parameter" | "symbol";

export interface Token {
  readonly kind: TokenKind;
  /** The token as written. */
  readonly text: string;
  /** The token in lower case. Names and strings have no quotes. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** Number of parentheses around it. Both parentheses of a pair count as outside. */
  readonly depth: number;
}

/** Rules that are tried in order at each index. A text that none of them matches is refused. */
const RULES: Readonly<Record<TokenKind | "space" | "refused", RegExp>> = {
  space: /[ \t\n\f\r]+/,
  refused: /--|\/\*|;|\?[0-9]|[:@$#][A-Za-z0-9_$:(]*|[xX]'/,
  parameter: /\?/,
  name: /"(?:[^"\0]|"")*"|`(?:[^`\0]|``)*`|\[[^\]\0]*\]/,
  string: /'(?:[^'\0]|'')*'/,
  number: /0[xX][0-9A-Fa-f]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/,
  word: /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/,
  symbol: /->>|->|\|\||<<|>>|<=|>=|<>|==|!=|[-+*/%&|~<>=(),.]/,
};

const KINDS: readonly TokenKind[] = ["word", "symbol", "name", "parameter", "string", "number"];
const TOKEN = new RegExp(
  Object.entries(RULES).map(([kind, { source }]) => `(?<${kind}>${source})`).join("|"),
  "gy",
);

const SHOWN_MAX = 30;

export function tokensOf(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  let end = 0;
  for (const match of sql.matchAll(TOKEN)) {
    const [text] = match;
    end = match.index + text.length;
    if (match.groups?.space !== undefined) continue;
    if (text === ")") depth -= 1;
    if (depth < 0) refuseConstruct(`")"`, "closes a parenthesis that the same SQL does not open");
    const kind = KINDS.find((kind) => match.groups?.[kind] !== undefined) ?? refuseConstruct(
      JSON.stringify(match[0]),
      "is refused in SQL: it may hold no comments, no second statement, no blobs and no numbered or named parameters",
    );
    tokens.push({ kind, text, value: valueOf(kind, text), start: match.index, end, depth });
    if (text === "(") depth += 1;
  }
  if (end < sql.length) {
    refuseConstruct(JSON.stringify(sql.slice(end, end + SHOWN_MAX)), "is no SQL");
  }
  if (depth > 0) refuseConstruct(`"("`, "opens a parenthesis that the same SQL does not close");
  return tokens;
}

function valueOf(kind: TokenKind, text: string): string {
  if (kind !== "name" && kind !== "string") return text.toLowerCase();
  const quote = text.charAt(0);
  const inner = text.slice(1, -1);
  return (quote === "[" ? inner : inner.replaceAll(quote + quote, quote)).toLowerCase();
}

/** True for this unquoted word, unless it is a column's name behind a dot. */
export function isKeyword(tokens: readonly Token[], at: number, word: string): boolean {
  const token = tokens[at];
  return token?.kind === "word" && token.value === word && tokens[at - 1]?.text !== ".";
}

/** True for a token that may name a table or a column. SQLite reads a string as a name where it expects one. */
export function isName(token: Token | undefined): token is Token {
  return token?.kind === "word" || token?.kind === "name" || token?.kind === "string";
}

/** A refusal of SQL. It names the construct, and no values of rows. */
export class RefusedSqlError extends Error {
  override readonly name: string = "RefusedSqlError";
  constructor(
    /** The construct as it was written. */
    readonly construct: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${construct} ${reason}`, options);
  }
}

export function refuseConstruct(construct: string, reason: string): never {
  throw new RefusedSqlError(construct, reason);
}
