/** Position in a list of tokens, with the small readers that all statements share. */
import type { Token } from "./tokens.ts";

export class Cursor {
  readonly tokens: readonly Token[];
  at = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  peek(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead];
  }

  take(): Token | undefined {
    return this.tokens[this.at++];
  }

  isWord(...words: readonly string[]): boolean {
    const token = this.peek();
    return token?.kind === "word" && words.includes(token.value);
  }

  isSign(sign: string): boolean {
    const token = this.peek();
    return token?.kind === "sign" && token.value === sign;
  }

  /** Takes these words if all of them come next. */
  accept(...words: readonly string[]): boolean {
    const isNext = words.every((word, ahead) => {
      const token = this.peek(ahead);
      return token?.kind === "word" && token.value === word;
    });
    if (isNext) this.at += words.length;
    return isNext;
  }

  acceptSign(sign: string): boolean {
    const isNext = this.isSign(sign);
    if (isNext) this.at++;
    return isNext;
  }

  acceptExists(): void {
    this.accept("if", "not", "exists");
    this.accept("if", "exists");
  }

  /** Takes a name and drops its schema; null: there is none. */
  name(): string | null {
    return this.path()?.at(-1) ?? null;
  }

  /** Takes `public.orders` as its parts; null: no name comes next. Unquoted names keep their case. */
  path(): readonly string[] | null {
    const parts: string[] = [];
    do {
      const token = this.peek();
      if (token?.kind !== "word" && token?.kind !== "name" && token?.kind !== "text") break;
      parts.push(token.kind === "word" ? token.raw : token.value);
      this.at++;
    } while (this.acceptSign("."));
    return parts.length === 0 ? null : parts;
  }

  /** Takes the tokens between a parenthesis and its closing one; null: none comes next. */
  parens(): readonly Token[] | null {
    if (!this.isSign("(")) return null;
    const from = ++this.at;
    for (let depth = 1; this.at < this.tokens.length; this.at++) {
      if (this.isSign("(")) depth++;
      else if (this.isSign(")")) depth--;
      if (depth === 0) return this.tokens.slice(from, this.at++);
    }
    return this.tokens.slice(from);
  }

  /** Takes tokens until one outside of parentheses satisfies `isEnd`. */
  until(isEnd: (token: Token) => boolean): readonly Token[] {
    const from = this.at;
    for (let depth = 0; this.at < this.tokens.length; this.at++) {
      const token = this.tokens[this.at];
      if (!token || (depth === 0 && isEnd(token))) break;
      if (token.kind === "sign" && (token.value === "(" || token.value === "[")) depth++;
      if (token.kind === "sign" && (token.value === ")" || token.value === "]")) depth--;
    }
    return this.tokens.slice(from, this.at);
  }
}

/** Splits the tokens at this sign outside of parentheses. */
export function splitAt(tokens: readonly Token[], sign: string): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    const value = token.kind === "sign" ? token.value : "";
    if (value === "(" || value === "[") depth++;
    if (value === ")" || value === "]") depth--;
    if (value === sign && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

/** Writes tokens as text again, for a parser of expressions. */
export function sqlText(tokens: readonly Token[]): string {
  return tokens.map(({ raw }) => raw).join(" ").replace(/ ?(\.|::) ?/g, "$1");
}

/** Reads the names in `(a, b(10) DESC)`; `obstacle`: one of them is not a column. */
export function columnList(
  tokens: readonly Token[],
): { readonly columns: readonly string[]; readonly obstacle: string | null } {
  const columns: string[] = [];
  let obstacle: string | null = null;
  for (const part of splitAt(tokens, ",")) {
    const cursor = new Cursor(part);
    const name = cursor.isSign("(") ? null : cursor.name();
    const isCall = cursor.isSign("(") && cursor.peek(1)?.kind !== "number";
    if (name === null || isCall) obstacle = "it is over an expression";
    else columns.push(name);
  }
  return { columns, obstacle };
}
