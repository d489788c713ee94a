/**
 * The tokens of one SQL statement, cut exactly as SQLite cuts them (its documentation, "lang_keywords", "lang_expr").
 * Refused: whatever could hide text from a reader of tokens, or more than one statement.
 */
import { refuseConstruct } from "./scoped_db_error.ts";

export type TokenKind = "word" | "name" | "string" | "number" | "parameter" | "symbol";

export interface Token {
  readonly kind: TokenKind;
  /** As written. */
  readonly text: string;
  /** Lower case; of names and strings without their quotes. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** How many parentheses are open around it; both of a pair count as outside. */
  readonly depth: number;
}

interface Rule {
  readonly kind: TokenKind | "space" | "refused";
  readonly pattern: RegExp;
}

/** Tried in order at each place; what none of them matches is refused. */
const RULES: readonly Rule[] = [
  { kind: "space", pattern: /[ \t\n\f\r]+/y },
  { kind: "refused", pattern: /--|\/\*|;|\?[0-9]|[:@$#][A-Za-z0-9_$:(]*|[xX]'/y },
  { kind: "parameter", pattern: /\?/y },
  { kind: "name", pattern: /"(?:[^"\0]|"")*"|`(?:[^`\0]|``)*`|\[[^\]\0]*\]/y },
  { kind: "string", pattern: /'(?:[^'\0]|'')*'/y },
  {
    kind: "number",
    pattern: /0[xX][0-9A-Fa-f]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y,
  },
  { kind: "word", pattern: /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y },
  { kind: "symbol", pattern: /->>|->|\|\||<<|>>|<=|>=|<>|==|!=|[-+*/%&|~<>=(),.]/y },
];

const SHOWN_MAX = 30;

export function tokensOf(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = 0; at < sql.length;) {
    const { kind, text } = tokenAt(sql, at);
    const end = at + text.length;
    if (text === ")") depth -= 1;
    if (depth < 0) refuseConstruct(`")"`, "closes a parenthesis that the same SQL does not open");
    if (kind !== "space") {
      tokens.push({ kind, text, value: valueOf(kind, text), start: at, end, depth });
    }
    if (text === "(") depth += 1;
    at = end;
  }
  if (depth > 0) refuseConstruct(`"("`, "opens a parenthesis that the same SQL does not close");
  return tokens;
}

function tokenAt(
  sql: string,
  at: number,
): { readonly kind: TokenKind | "space"; readonly text: string } {
  for (const { kind, pattern } of RULES) {
    pattern.lastIndex = at;
    const text = pattern.exec(sql)?.[0];
    if (text === undefined) continue;
    if (kind !== "refused") return { kind, text };
    return refuseConstruct(
      JSON.stringify(text),
      "is refused in SQL: it may hold no comments, no second statement, no blobs and no numbered or named parameters",
    );
  }
  return refuseConstruct(JSON.stringify(sql.slice(at, at + SHOWN_MAX)), "is no SQL");
}

function valueOf(kind: TokenKind, text: string): string {
  if (kind !== "name" && kind !== "string") return text.toLowerCase();
  const quote = text.charAt(0);
  const inner = text.slice(1, -1);
  return (quote === "[" ? inner : inner.replaceAll(quote + quote, quote)).toLowerCase();
}

/** True for this unquoted word, where it is no column of something. */
export function isKeyword(tokens: readonly Token[], at: number, word: string): boolean {
  const token = tokens[at];
  return token?.kind === "word" && token.value === word && tokens[at - 1]?.text !== ".";
}

/** What may stand for a table or a column: SQLite reads strings as names where it expects one. */
export function isName(token: Token | undefined): token is Token {
  return token?.kind === "word" || token?.kind === "name" || token?.kind === "string";
}
