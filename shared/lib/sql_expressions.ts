/** Parses the expressions of an SQL statement as SQLite does ("lang_expr"), and resolves their columns. */
import { argumentsRefusal, isAggregate } from "./sql_function_arguments.ts";
import { RESERVED, SqlReader, words } from "./sql_reader.ts";
import type { Token } from "./sql_tokens.ts";

/** Returns the number of columns; null: unknown. It is called after the whole statement was read. */
export type Width = () => number | null;

export interface Source {
  readonly name: string | null;
  /** Null: unknown. */
  readonly columns: () => readonly string[] | null;
  readonly isTable: boolean;
}

export interface Scope {
  readonly sources: Source[];
  /** Names of result columns, which conditions and orders may use. */
  readonly aliases: Set<string>;
  /** Columns that two sources share as one. */
  readonly merged: Set<string>;
  readonly parent: Scope | null;
  /** True for the row being written, without other sources. */
  readonly isOneRow?: true;
}

export interface Selected {
  readonly width: Width;
  readonly names: () => readonly string[] | null;
}

const SAME = words("= == <> != < <= > >=");
const BINARY = words("& | << >> + - * / % || -> ->>");
const MATCHES = words("like glob match regexp");
export const ROWID = words("rowid oid _rowid_");
export const ONE: Width = () => 1;

const CONSTANTS = words("true false current_date current_time current_timestamp");

export abstract class ExpressionBinder extends SqlReader {
  /** Checks to run after the whole statement was read, because sources follow the expressions that use them. */
  protected readonly checks: (() => void)[] = [];

  /** Parses a query in parentheses within the scope around it. */
  protected abstract select(parent: Scope | null): Selected;
  /** Parses ORDER BY and LIMIT, if present. */
  protected abstract order(scope: Scope): void;
  protected abstract sourceOf(name: string, alias: string): Source;

  /** Parses an expression of one column. */
  protected single(scope: Scope): void {
    const token = this.token;
    this.same(this.expression(scope), ONE, token, "has another number of columns than one");
  }

  protected expression(scope: Scope): Width {
    const width = this.#negated(scope);
    if (!this.is("and") && !this.is("or")) return width;
    while (this.may("and") || this.may("or")) this.#negated(scope);
    return ONE;
  }

  #negated(scope: Scope): Width {
    if (!this.is("not")) return this.#comparison(scope);
    this.next();
    this.#negated(scope);
    return ONE;
  }

  #comparison(scope: Scope): Width {
    let left = this.#operand(scope);
    for (;;) {
      const token = this.token;
      const isNot = this.is("not") &&
        ["in", "between", "null", ...MATCHES].includes(this.peek(1)?.value ?? "");
      if (isNot) this.next();
      const compared = (other: Width) =>
        this.same(other, left, token, "compares different numbers of columns");
      if (SAME.has(this.symbol)) {
        this.next();
        compared(this.#operand(scope));
      } else if (!isNot && this.may("is")) {
        this.may("not");
        if (this.may("distinct")) this.take("from");
        compared(this.#operand(scope));
      } else if (this.may("in")) {
        this.#listOrQuery(scope, compared);
      } else if (this.may("between")) {
        compared(this.#operand(scope));
        this.take("and");
        compared(this.#operand(scope));
      } else if (MATCHES.has(this.word)) {
        this.next();
        this.#operand(scope);
        if (this.may("escape")) this.#operand(scope);
      } else if (!(isNot ? this.may("null") : this.may("isnull") || this.may("notnull"))) {
        return left;
      }
      left = ONE;
    }
  }

  #listOrQuery(scope: Scope, compared: (width: Width) => void): void {
    if (!this.may("(")) {
      const source = this.sourceOf(this.name(), "");
      compared(() => source.columns()?.length ?? null);
      return;
    }
    if (this.isSelect(0)) compared(this.select(scope).width);
    else if (!this.is(")")) this.listed(() => compared(this.expression(scope)));
    this.take(")");
  }

  #operand(scope: Scope): Width {
    const token = this.token;
    const width = this.#unary(scope);
    if (!BINARY.has(this.symbol)) return width;
    this.same(width, ONE, token, "has another number of columns than one");
    while (BINARY.has(this.symbol)) {
      const operator = this.next();
      this.same(
        this.#unary(scope),
        ONE,
        operator,
        "has another number of columns than one beside it",
      );
    }
    return ONE;
  }

  #unary(scope: Scope): Width {
    if (["-", "+", "~"].includes(this.symbol)) {
      this.next();
      return this.#unary(scope);
    }
    if (this.is("not") && this.peek(1)?.value !== "exists") return this.#negated(scope);
    const width = this.#primary(scope);
    while (this.may("collate")) this.name();
    return width;
  }

  #primary(scope: Scope): Width {
    const token = this.token ?? this.fail();
    if (token.kind === "number" || token.kind === "string") {
      this.next();
      return ONE;
    }
    if (token.text === "(") return this.#parenthesis(scope);
    if (token.kind === "word") {
      if (this.may("not")) return this.#exists(scope);
      if (token.value === "exists") return this.#exists(scope);
      if (token.value === "case") return this.#case(scope);
      if (token.value === "null") {
        this.next();
        return ONE;
      }
      if (token.value === "cast" && this.peek(1)?.text === "(") return this.#cast(scope);
    }
    if (this.peek(1)?.text === "(" && !RESERVED.has(token.kind === "word" ? token.value : "")) {
      return this.#call(scope);
    }
    return this.#column(scope);
  }

  #parenthesis(scope: Scope): Width {
    this.take("(");
    if (this.isSelect(0)) {
      const { width } = this.select(scope);
      this.take(")");
      return width;
    }
    const parts = this.listed(() => this.expression(scope));
    this.take(")");
    const [only = ONE, ...others] = parts;
    return others.length === 0 ? only : () => parts.length;
  }

  #exists(scope: Scope): Width {
    this.take("exists");
    this.take("(");
    this.select(scope);
    this.take(")");
    return ONE;
  }

  #case(scope: Scope): Width {
    this.take("case");
    if (!this.is("when")) this.single(scope);
    do {
      this.take("when");
      this.single(scope);
      this.take("then");
      this.single(scope);
    } while (this.is("when"));
    if (this.may("else")) this.single(scope);
    this.take("end");
    return ONE;
  }

  #cast(scope: Scope): Width {
    this.at += 2;
    this.single(scope);
    this.take("as");
    while (this.token?.kind === "word" || this.token?.kind === "name") this.next();
    if (this.may("(")) {
      this.listed(() => this.single(scope));
      this.take(")");
    }
    this.take(")");
    return ONE;
  }

  #call(scope: Scope): Width {
    const token = this.token;
    const name = token?.value.toLowerCase() ?? "";
    this.at += 2;
    let count = 0;
    if (!this.may("*") && !this.is(")")) {
      this.may("distinct");
      count = this.listed(() => this.single(scope)).length;
      this.order(scope);
    }
    this.take(")");
    const refusal = argumentsRefusal(name, count);
    if (refusal !== null) this.refuse(token, refusal);
    if (scope.isOneRow && (isAggregate(name, count) || this.is("over"))) {
      this.refuse(
        token,
        "reads several rows, and stands where there is one: write a query in parentheses",
      );
    }
    if (this.is("filter") && this.peek(1)?.text === "(") {
      this.at += 2;
      this.take("where");
      this.expression(scope);
      this.take(")");
    }
    if (this.may("over")) {
      if (this.is("(")) this.window(scope);
      else this.name();
    }
    return ONE;
  }

  protected window(scope: Scope): void {
    this.take("(");
    const frames = ["partition", "order", "rows", "range", "groups"];
    if (!this.is(")") && !frames.includes(this.word)) this.name();
    if (this.may("partition")) {
      this.take("by");
      this.listed(() => this.single(scope));
    }
    this.order(scope);
    if (frames.slice(2).includes(this.word)) this.#frame(scope);
    this.take(")");
  }

  #frame(scope: Scope): void {
    this.next();
    const isBetween = this.may("between");
    this.#bound(scope);
    if (isBetween) {
      this.take("and");
      this.#bound(scope);
    }
    if (!this.may("exclude")) return;
    if (this.may("no")) this.take("others");
    else if (this.may("current")) this.take("row");
    else if (!this.may("group")) this.take("ties");
  }

  #bound(scope: Scope): void {
    if (this.may("current")) {
      this.take("row");
      return;
    }
    if (!this.may("unbounded")) this.#operand(scope);
    if (!this.may("preceding")) this.take("following");
  }

  #column(scope: Scope): Width {
    const token = this.token;
    const first = this.name();
    const table = this.may(".") ? first : null;
    const place = table === null ? token : this.token;
    const column = table === null ? first : this.name();
    if (this.is(".")) this.fail();
    this.checks.push(() => this.#resolve(scope, { table, column, token: place }));
    return ONE;
  }

  #resolve(
    from: Scope,
    { table, column, token }: {
      readonly table: string | null;
      readonly column: string;
      readonly token: Token | undefined;
    },
  ): void {
    for (let scope: Scope | null = from; scope !== null; scope = scope.parent) {
      const named = scope.sources.filter(({ name }) => table === null || name === table);
      const found = named.filter((source) => {
        const columns = source.columns();
        return columns === null || columns.includes(column) ||
          (source.isTable && ROWID.has(column));
      });
      if (
        found.length > 1 && table === null && !scope.merged.has(column) &&
        found.every(({ columns }) => columns())
      ) {
        this.refuse(
          token,
          "is a column of several tables here: write the table's name and a point before it",
        );
      }
      if (found.length > 0 || (table === null && scope.aliases.has(column))) return;
      if (table !== null && named.length > 0) this.unknown(token, table);
    }
    if (table === null && (CONSTANTS.has(column) && token?.kind === "word")) return;
    this.unknown(token, table);
  }

  protected unknown(token: Token | undefined, table: string | null): never {
    const quoted = token?.text.startsWith('"') ? ": texts stand in single quotes" : "";
    this.refuse(
      token,
      table === null ? `is no column here${quoted}` : `is no column of "${table}"`,
    );
  }

  protected same(width: Width, wanted: Width, token: Token | undefined, reason: string): void {
    this.checks.push(() => {
      const [is, must] = [width(), wanted()];
      if (is !== null && must !== null && is !== must) {
        this.refuse(token, `${reason}: ${is} instead of ${must}`);
      }
    });
  }
}

export function newScope(parent: Scope | null): Scope {
  return { sources: [], aliases: new Set(), merged: new Set(), parent };
}
