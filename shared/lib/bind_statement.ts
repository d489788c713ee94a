/**
 * Parses a statement that changes rows as SQLite does ("lang_insert", "lang_update", "lang_delete", "lang_select",
 * "lang_expr"), and resolves its columns. Errors that the database would report are reported at the author's source.
 */
import {
  ExpressionBinder,
  newScope,
  ONE,
  ROWID,
  type Scope,
  type Selected,
  type Source,
} from "./sql_expressions.ts";
import { JOINS, words } from "./sql_reader.ts";

/** Columns by table, both in lower case. */
export type KnownColumns = ReadonlyMap<string, readonly string[]>;

interface Binding {
  /** Columns of the written table that get a value, in lower case. */
  readonly written: readonly string[];
  /** True when existing rows are changed. */
  readonly isUpdate: boolean;
}

/**
 * Parses and binds a statement. Its comments are removed, and its tables and functions were checked. Throws `MisreadSqlError`.
 */
export function bindStatement(sql: string, tables: KnownColumns): Binding {
  return new StatementBinder(sql, tables).statement();
}

const COMPOUNDS = words("union intersect except");
const EACH = "key value type atom id parent fullkey path json root".split(" ");

class StatementBinder extends ExpressionBinder {
  /** Common table expressions in scope, the nearest last. */
  #common: (readonly [name: string, source: Source])[] = [];

  constructor(sql: string, readonly tables: KnownColumns) {
    super(sql);
  }

  statement(): Binding {
    this.#with(null);
    const isUpdate = this.is("update");
    const written = isUpdate ? this.#update() : this.is("delete") ? this.#delete() : this.#insert();
    if (this.token) this.fail();
    for (const check of this.checks) check();
    return { written, isUpdate };
  }

  #update(): readonly string[] {
    this.take("update");
    if (this.may("or")) this.next();
    const scope = this.#target();
    this.take("set");
    const written = this.#assignments(scope, scope);
    const [target] = scope.sources;
    const returned = { ...newScope(null), sources: target ? [target] : [] };
    if (this.may("from")) this.#sources(scope);
    this.#tail(scope, returned);
    return written;
  }

  #delete(): readonly string[] {
    this.take("delete");
    this.take("from");
    this.#tail(this.#target());
    return [];
  }

  #insert(): readonly string[] {
    if (!this.may("replace")) {
      this.take("insert");
      if (this.may("or")) this.next();
    }
    this.take("into");
    const target = this.#target();
    const listed = this.is("(") && !this.isSelect(1) ? this.#columnNames(target) : null;
    const columns = listed ?? target.sources[0]?.columns() ?? null;
    if (listed === null && this.may("default")) {
      this.take("values");
    } else {
      const token = this.token;
      const { width } = this.select(null);
      this.same(
        width,
        () => columns?.length ?? null,
        token,
        "gives the INSERT another number of values than it has columns",
      );
    }
    while (this.may("on")) this.#upsert(target);
    if (this.may("returning")) this.#results(target);
    return listed ?? target.sources[0]?.columns() ?? [];
  }

  #upsert(target: Scope): void {
    this.take("conflict");
    const [table] = target.sources;
    const scope: Scope = {
      ...target,
      sources: table ? [table, { ...table, name: "excluded" }] : [],
      merged: new Set(table?.columns() ?? []),
    };
    if (this.may("(")) {
      this.listed(() => this.#ordering(target));
      this.take(")");
      if (this.may("where")) this.expression(target);
    }
    this.take("do");
    if (this.may("nothing")) return;
    this.take("update");
    this.take("set");
    this.#assignments(target, scope);
    if (this.may("where")) this.expression(scope);
  }

  /** Parses the written table with its alias. */
  #target(): Scope {
    const scope: Scope = { ...newScope(null), isOneRow: true };
    const name = this.name();
    scope.sources.push(this.sourceOf(name, this.may("as") ? this.name() : name));
    this.#indexedBy();
    return scope;
  }

  #assignments(target: Scope, scope: Scope): readonly string[] {
    return this.listed(() => {
      const token = this.token;
      const names = this.is("(") ? this.#columnNames(target) : [this.#columnName(target)];
      if (!this.may("==")) this.take("=");
      this.same(
        this.expression(scope),
        () => names.length,
        token,
        "gets another number of values",
      );
      return names;
    }).flat();
  }

  #columnNames(target: Scope): readonly string[] {
    this.take("(");
    const names = this.listed(() => this.#columnName(target));
    this.take(")");
    return names;
  }

  #columnName(target: Scope): string {
    const token = this.token;
    const name = this.name();
    const columns = target.sources[0]?.columns();
    if (columns && !columns.includes(name) && !ROWID.has(name)) {
      this.unknown(token, target.sources[0]?.name ?? null);
    }
    return name;
  }

  #tail(scope: Scope, returned = scope): void {
    if (this.may("where")) this.expression(scope);
    if (this.may("returning")) this.#results(returned);
  }

  #with(scope: Scope | null): void {
    if (!this.may("with")) return;
    this.may("recursive");
    this.listed(() => {
      const name = this.name();
      let listed: readonly string[] | null = null;
      if (this.may("(")) {
        listed = this.listed(() => this.name());
        this.take(")");
      }
      this.take("as");
      this.may("not");
      this.may("materialized");
      this.take("(");
      let names: Selected["names"] = () => null;
      let isAsked = false;
      // The table may also be one of its own sources.
      const columns = () => {
        if (listed !== null || isAsked) return listed;
        isAsked = true;
        const found = names();
        isAsked = false;
        return found;
      };
      this.#common.push([name, { name, isTable: false, columns }]);
      const token = this.token;
      const selected = this.select(scope);
      names = selected.names;
      const { length = null } = listed ?? {};
      this.same(
        selected.width,
        () => length,
        token,
        `gives "${name}" another number of columns than it names`,
      );
      this.take(")");
    });
  }

  /** Parses a query within the scope around it. */
  protected override select(parent: Scope | null): Selected {
    const common = [...this.#common];
    this.#with(parent);
    const first = this.#core(parent);
    while (COMPOUNDS.has(this.word)) {
      const token = this.next();
      if (token.value === "union") this.may("all");
      const other = this.#core(parent);
      this.same(other.width, first.width, token, "joins queries of different numbers of columns");
    }
    this.order(first.scope);
    this.#common = common;
    return first;
  }

  #core(parent: Scope | null): Selected & { readonly scope: Scope } {
    const scope = newScope(parent);
    if (this.may("values")) {
      const rows = this.listed(() => {
        const token = this.take("(");
        const values = this.listed(() => this.single(scope));
        this.take(")");
        return { token, count: values.length };
      });
      const [{ count } = { count: 0 }] = rows;
      const other = rows.find((row) => row.count !== count);
      if (other) this.refuse(other.token, "begins a row of another number of values");
      return { width: () => count, names: () => null, scope };
    }
    this.take("select");
    if (!this.may("distinct")) this.may("all");
    const results = this.#results(scope);
    if (this.may("from")) this.#sources(scope);
    if (this.may("where")) this.expression(scope);
    if (this.may("group")) {
      this.take("by");
      this.listed(() => this.single(scope));
    }
    if (this.may("having")) this.expression(scope);
    if (this.may("window")) {
      this.listed(() => {
        this.name();
        this.take("as");
        this.window(scope);
      });
    }
    return { ...results, scope };
  }

  #results(scope: Scope): Selected {
    const parts = this.listed((): Selected => {
      if (this.may("*")) return starred(() => scope.merged.size > 0 ? null : scope.sources);
      if (this.peek(1)?.text === "." && this.peek(2)?.text === "*") {
        const token = this.token;
        const name = this.name();
        this.at += 2;
        this.checks.push(() => {
          if (!scope.sources.some((source) => source.name === name)) {
            this.refuse(token, "is no table of this query");
          }
        });
        return starred(() => scope.sources.filter((source) => source.name === name));
      }
      const begin = this.at;
      this.single(scope);
      const last = this.tokens[this.at - 1];
      const isColumn = this.at - begin === 1 ||
        (this.at - begin === 3 && this.tokens[begin + 1]?.text === ".");
      const alias = this.alias();
      if (alias !== null) scope.aliases.add(alias);
      return { width: ONE, names: () => [alias ?? (isColumn ? last?.value : undefined) ?? ""] };
    });
    return {
      width: () => sumOf(parts.map(({ width }) => width())),
      names: () => {
        const names = parts.map((part) => part.names());
        return names.some((own) => own === null) ? null : names.flatMap((own) => own ?? []);
      },
    };
  }

  #sources(scope: Scope): void {
    this.#source(scope);
    for (;;) {
      const isNatural = this.is("natural");
      let isJoin = this.may(",");
      while (JOINS.has(this.word)) {
        isJoin = true;
        this.next();
      }
      if (this.tokens[this.at - 1]?.text !== ",") {
        if (isJoin) this.take("join");
        else if (!this.may("join")) return;
      }
      const before = [...scope.sources];
      this.#source(scope);
      if (isNatural) {
        const joined = scope.sources.slice(before.length);
        this.checks.unshift(() =>
          joined.flatMap(({ columns }) => columns() ?? []).forEach((name) => scope.merged.add(name))
        );
      }
      if (this.may("on")) this.expression(scope);
      if (this.may("using")) {
        this.take("(");
        for (const name of this.listed(() => this.name())) scope.merged.add(name);
        this.take(")");
      }
    }
  }

  #source(scope: Scope): void {
    if (this.is("(")) {
      const isSelect = this.isSelect(1);
      this.take("(");
      if (!isSelect) {
        this.#sources(scope);
        this.take(")");
        return;
      }
      const { names } = this.select(scope.parent);
      this.take(")");
      scope.sources.push({ name: this.alias(), columns: names, isTable: false });
      return;
    }
    const name = this.name();
    if (this.may("(")) {
      // The arguments may refer to columns of the sources before it.
      if (!this.is(")")) this.listed(() => this.single(scope));
      this.take(")");
    }
    scope.sources.push(this.sourceOf(name, this.alias() ?? name));
    this.#indexedBy();
  }

  protected override sourceOf(name: string, alias: string): Source {
    const common = this.#common.findLast(([known]) => known === name)?.[1];
    if (common) return { ...common, name: alias };
    const columns = this.tables.get(name);
    const isEach = !columns && name.startsWith("json_");
    return {
      name: alias,
      isTable: columns !== undefined,
      columns: () => columns ?? (isEach ? EACH : null),
    };
  }

  #indexedBy(): void {
    if (this.may("indexed")) {
      this.take("by");
      this.name();
    } else if (this.is("not") && this.peek(1)?.value === "indexed") {
      this.at += 2;
    }
  }

  protected override order(scope: Scope): void {
    if (this.may("order")) {
      this.take("by");
      this.listed(() => this.#ordering(scope));
    }
    if (this.may("limit")) {
      this.single(scope);
      if (this.may("offset") || this.may(",")) this.single(scope);
    }
  }

  #ordering(scope: Scope): void {
    this.single(scope);
    if (!this.may("asc")) this.may("desc");
    if (this.may("nulls") && !this.may("first")) this.take("last");
  }
}

/** Returns the columns of `*`; null: unknown, because two sources share columns. */
function starred(sources: () => readonly Source[] | null): Selected {
  const names = () => {
    const own = sources()?.map(({ columns }) => columns()) ?? [null];
    return own.some((columns) => columns === null) ? null : own.flatMap((columns) => columns ?? []);
  };
  return { names, width: () => names()?.length ?? null };
}

function sumOf(widths: readonly (number | null)[]): number | null {
  return widths.reduce<number | null>(
    (sum, width) => sum === null || width === null ? null : sum + width,
    0,
  );
}
