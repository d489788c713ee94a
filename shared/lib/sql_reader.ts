/** Reads the tokens of one SQL statement in order. */
import { RefusedSqlError, type Token, tokensOf } from "./sql_tokens.ts";

/** Refusal of SQL at a place in it. */
export class MisreadSqlError extends RefusedSqlError {
  override readonly name = "MisreadSqlError";
  constructor(construct: string, reason: string, readonly start: number) {
    super(construct, reason);
  }
}

/** Makes a set of words from a text. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Words that cannot be a name without quotes. */
export const RESERVED = words(
  "add all alter and as autoincrement between case check collate commit constraint create default deferrable delete " +
    "distinct drop else escape except exists foreign from group having in index insert intersect into is isnull join limit " +
    "not notnull null on or order primary references returning select set table then to transaction union unique update " +
    "using values when where",
);
/** Words that may precede JOIN. */
export const JOINS = words("cross full inner left natural outer right");
const NO_ALIAS = new Set([...RESERVED, ...JOINS, "indexed", "with"]);

export class SqlReader {
  readonly tokens: readonly Token[];
  /** Index of the next token. */
  protected at = 0;

  constructor(readonly sql: string) {
    this.tokens = tokensOf(sql);
  }

  alias(): string | null {
    if (this.may("as")) return this.name();
    const token = this.token;
    const isWord = token?.kind === "word" && !NO_ALIAS.has(token.value) && !this.isWindow();
    return isWord || token?.kind === "name" || token?.kind === "string" ? this.name() : null;
  }

  isWindow(): boolean {
    return this.is("window") && this.peek(2)?.value === "as";
  }

  isSelect(ahead: number): boolean {
    const token = this.peek(ahead);
    return token?.kind === "word" && ["select", "values", "with"].includes(token.value);
  }

  /** Reads several parts separated by commas. */
  listed<Part>(read: () => Part): readonly Part[] {
    const parts = [read()];
    while (this.may(",")) parts.push(read());
    return parts;
  }

  name(): string {
    const token = this.token ?? this.fail();
    const isName = token.kind === "name" || token.kind === "string" ||
      (token.kind === "word" && !RESERVED.has(token.value));
    if (!isName) this.fail();
    this.next();
    return token.value;
  }

  get token(): Token | undefined {
    return this.tokens[this.at];
  }

  peek(ahead: number): Token | undefined {
    return this.tokens[this.at + ahead];
  }

  get word(): string {
    return this.token?.kind === "word" ? this.token.value : "";
  }

  get symbol(): string {
    return this.token?.kind === "symbol" ? this.token.text : "";
  }

  /** True when the next token is this unquoted word or symbol. */
  is(text: string): boolean {
    return this.word === text || this.symbol === text;
  }

  may(text: string): boolean {
    if (!this.is(text)) return false;
    this.at += 1;
    return true;
  }

  take(text: string): Token {
    if (!this.is(text)) this.fail();
    return this.next();
  }

  next(): Token {
    const token = this.token ?? this.fail();
    this.at += 1;
    return token;
  }

  fail(): never {
    const token = this.token;
    if (token) this.refuse(token, "is not expected here");
    throw new MisreadSqlError("The statement", "ends too early", this.sql.length);
  }

  refuse(token: Token | undefined, reason: string): never {
    throw new MisreadSqlError(
      `"${token?.kind === "name" ? token.value : token?.text ?? ""}"`,
      reason,
      token?.start ?? 0,
    );
  }
}
