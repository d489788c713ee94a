/**
 * Reads one SQL statement as a change to a schema. Nothing is applied here, so that a statement can be read in several
 * dialects.
 */
import { columnList, Cursor, splitAt } from "./cursor.ts";
import { type ColumnItem, type Item, readColumn, readItem } from "./items.ts";
import { type Alteration, readAlterations } from "./read_alter.ts";
import { ROUTINE, ROWS } from "./statements.ts";
import { type Dialect, type Token, tokensOf } from "./tokens.ts";
import { readType } from "./types.ts";

export type Statement =
  | {
    readonly kind: "table";
    readonly path: readonly string[];
    readonly items: readonly (Item | null)[];
    /** Tables whose columns it inherits. */
    readonly parents: readonly string[];
  }
  /** Table that is left out of every draft. */
  | { readonly kind: "leftTable"; readonly path: readonly string[]; readonly reason: string }
  | { readonly kind: "alter"; readonly table: string; readonly does: readonly Alteration[] }
  | {
    readonly kind: "index";
    readonly name: string | null;
    readonly table: string;
    readonly isUnique: boolean;
    readonly columns: readonly string[];
    readonly obstacle: string | null;
    /** Condition on its rows; null: all rows. */
    readonly where: readonly Token[] | null;
  }
  | { readonly kind: "enum"; readonly name: string; readonly values: readonly string[] }
  | { readonly kind: "domain"; readonly name: string; readonly column: ColumnItem }
  | {
    readonly kind: "enumValue";
    readonly name: string;
    readonly value: string;
    /** Value that it replaces. */
    readonly instead: string | null;
  }
  | {
    readonly kind: "drop";
    readonly what: "table" | "index" | "policy";
    readonly names: readonly string[];
    /** Table of a policy, or of an index in MySQL; null: the statement does not name it. */
    readonly on: string | null;
  }
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: "sequence"; readonly name: string; readonly start: number }
  | {
    readonly kind: "comment";
    readonly table: string;
    readonly column: string | null;
    readonly text: string;
  }
  | {
    readonly kind: "policy";
    readonly name: string;
    readonly table: string;
    readonly isAllowing: boolean;
    readonly command: string;
    readonly using: readonly Token[] | null;
    readonly check: readonly Token[] | null;
  }
  | { readonly kind: "view"; readonly name: string }
  /** Statement without an effect on a schema. */
  | { readonly kind: "other"; readonly reason: string };

interface ReadStatement {
  readonly statements: readonly Statement[];
  /** Number of parts that the dialect does not have; the reading with the fewest is chosen. */
  readonly faults: number;
}

export function readStatement(tokens: readonly Token[], dialect: Dialect): ReadStatement {
  const cursor = new Cursor(tokens);
  if (cursor.accept("create")) return readCreate(cursor, dialect);
  if (cursor.accept("alter")) return readAlter(cursor, dialect);
  if (cursor.accept("drop")) return { statements: [readDrop(cursor)], faults: 0 };
  if (cursor.accept("rename", "table")) return { statements: readRenames(cursor), faults: 0 };
  if (cursor.accept("comment", "on")) return { statements: [readComment(cursor)], faults: 0 };
  if (cursor.isWord("do")) return readBlock(cursor, dialect);
  const reason = OTHERS.find(([words]) => cursor.isWord(...words))?.[1];
  const faults = reason === undefined ? UNREADABLE_FAULTS : 0;
  return { statements: [{ kind: "other", reason: reason ?? UNREADABLE }], faults };
}

/** Reads `DO $$ BEGIN …; EXCEPTION WHEN duplicate_object …`: a statement that may have run before. */
function readBlock({ tokens }: Cursor, dialect: Dialect): ReadStatement {
  const text = tokens.find(({ kind }) => kind === "text")?.value ?? "";
  const [, body] =
    /^\$\w*\$\s*BEGIN\b([\s\S]*?);\s*EXCEPTION\s+WHEN\s+duplicate_(?:object|table|column)\b/i.exec(
      text,
    ) ?? [];
  if (body === undefined) return { statements: [{ kind: "other", reason: ONCE }], faults: 0 };
  const read = splitAt(tokensOf(body, dialect), ";").map((part) => readStatement(part, dialect));
  return {
    statements: read.flatMap(({ statements }) => statements),
    faults: read.reduce((sum, { faults }) => sum + faults, 0),
  };
}

const ONCE = "code that runs once cannot be read as a schema";
const NOT_SCHEMA = "it is no part of a schema";
export const UNREADABLE = "no dialect reads it";
const UNREADABLE_FAULTS = 3;
const RIGHTS = "rights of database users have no meaning here: `access` names roles";

const OTHERS: readonly (readonly [readonly string[], string])[] = [
  [["insert", "copy", "update", "delete", "replace", "truncate", "merge"], ROWS],
  [["grant", "revoke"], RIGHTS],
  [["call", "execute"], ONCE],
  [
    [
      "set",
      "select",
      "use",
      "begin",
      "start",
      "commit",
      "end",
      "lock",
      "unlock",
      "pragma",
      "analyze",
    ],
    "a setting of a session is no part of a schema",
  ],
];

function readCreate(cursor: Cursor, dialect: Dialect): ReadStatement {
  cursor.accept("or", "replace");
  const one = (statement: Statement, faults = 0) => ({ statements: [statement], faults });
  for (const word of PREFIXES) {
    while (cursor.accept(word)) {
      cursor.acceptSign("=");
      if (word === "definer") cursor.until(({ value }) => KINDS.has(value));
      if (word === "algorithm") cursor.take();
    }
  }
  const isTemporary = cursor.accept("temporary") || cursor.accept("temp");
  cursor.accept("unlogged");
  const isForeign = cursor.accept("foreign");
  const isVirtual = cursor.accept("virtual");
  if (cursor.accept("table")) {
    cursor.acceptExists();
    const path = cursor.path();
    if (path === null) return one({ kind: "other", reason: UNREADABLE }, UNREADABLE_FAULTS);
    const reason = isTemporary
      ? "a temporary table is no part of a schema"
      : isForeign || isVirtual
      ? "its rows stand elsewhere"
      : null;
    return reason === null
      ? readTable(cursor, path, dialect)
      : one({ kind: "leftTable", path, reason });
  }
  const isUnique = cursor.accept("unique");
  const isSearch = ["fulltext", "spatial"].some((word) => cursor.accept(word));
  for (const word of ["clustered", "nonclustered"]) cursor.accept(word);
  if (cursor.accept("index")) return one(readIndex(cursor, isUnique, isSearch));
  if (cursor.accept("type")) return one(readTypeStatement(cursor));
  if (cursor.accept("domain")) return one(readDomain(cursor, dialect));
  if (cursor.accept("sequence")) return one(readSequence(cursor));
  if (cursor.accept("policy")) return one(readPolicy(cursor));
  if (cursor.accept("materialized", "view") || cursor.accept("view")) {
    cursor.acceptExists();
    return one({ kind: "view", name: cursor.name() ?? "" });
  }
  if (
    cursor.isWord("function", "procedure", "trigger", "event", "aggregate", "constraint", "rule")
  ) {
    return one({ kind: "other", reason: ROUTINE });
  }
  if (cursor.accept("schema")) return readSchema(cursor, dialect);
  if (cursor.isWord("user", "role")) return one({ kind: "other", reason: RIGHTS });
  return one({ kind: "other", reason: "it has no counterpart here" });
}

const PREFIXES = ["algorithm", "definer", "sql", "security", "global", "local", "recursive"];
const KINDS = new Set(["view", "trigger", "function", "procedure", "event", "sql"]);

/** Reads `CREATE SCHEMA s CREATE TABLE t (…)`: the contained statements create things in that schema. */
function readSchema(cursor: Cursor, dialect: Dialect): ReadStatement {
  cursor.acceptExists();
  const schema = cursor.isWord("authorization") ? null : cursor.name();
  const statements: Statement[] = [{ kind: "other", reason: "tables stand in one schema here" }];
  let faults = 0;
  const isCreate = ({ kind, value }: Token) => kind === "word" && value === "create";
  cursor.until(isCreate);
  for (let first = cursor.take(); first; first = cursor.take()) {
    const read = readStatement([first, ...cursor.until(isCreate)], dialect);
    faults += read.faults;
    for (const statement of read.statements) {
      const isTable = statement.kind === "table" && statement.path.length === 1 && schema !== null;
      statements.push(isTable ? { ...statement, path: [schema, ...statement.path] } : statement);
    }
  }
  return { statements, faults };
}

function readTable(cursor: Cursor, path: readonly string[], dialect: Dialect): ReadStatement {
  const left = (reason: string) => ({
    statements: [{ kind: "leftTable", path, reason } as const],
    faults: 0,
  });
  if (cursor.accept("partition", "of")) return left(`its rows are part of "${cursor.name()}"`);
  if (cursor.accept("as") || cursor.isWord("select")) return left("a query makes it");
  if (cursor.accept("like")) {
    const parent = cursor.name();
    return {
      statements: [{ kind: "table", path, items: [], parents: parent ? [parent] : [] }],
      faults: 0,
    };
  }
  if (cursor.accept("of")) return left("a composite type makes it");
  const body = cursor.parens();
  if (body === null) return { ...left(UNREADABLE), faults: UNREADABLE_FAULTS };
  let faults = 0;
  const items = splitAt(body, ",").map((part) => {
    const read = readItem(part, dialect);
    // An unknown type suggests another dialect. The file's own enums and domains also count, but equally in each dialect.
    const isUnknown = read.item?.kind === "column" && !readType(read.item.type, new Map()).isKnown;
    faults += read.faults + (isUnknown ? 0.5 : 0);
    return read.item;
  });
  const parents = cursor.accept("inherits")
    ? splitAt(cursor.parens() ?? [], ",").flatMap((part) => new Cursor(part).name() ?? [])
    : [];
  return { statements: [{ kind: "table", path, items, parents }], faults };
}

function readIndex(cursor: Cursor, isUnique: boolean, isSearch: boolean): Statement {
  cursor.accept("concurrently");
  cursor.acceptExists();
  const name = cursor.isWord("on") ? null : cursor.name();
  if (cursor.accept("using")) cursor.take();
  cursor.accept("on");
  cursor.accept("only");
  const table = cursor.path()?.join(".") ?? "";
  const method = cursor.accept("using") ? cursor.take()?.value ?? "" : "btree";
  const { columns, obstacle } = columnList(cursor.parens() ?? []);
  cursor.until(({ kind, value }) => kind === "word" && value === "where");
  const where = cursor.accept("where") ? cursor.until(() => false) : null;
  const isOrdered = ["btree", "hash"].includes(method) && !isSearch;
  return {
    kind: "index",
    name,
    table,
    isUnique,
    columns,
    obstacle: isOrdered ? obstacle : "it is for words, shapes or parts of a value",
    where,
  };
}

function readTypeStatement(cursor: Cursor): Statement {
  const name = cursor.name() ?? "";
  if (!cursor.accept("as", "enum")) {
    return { kind: "other", reason: "a type of several values has no counterpart here" };
  }
  const values = (cursor.parens() ?? []).flatMap(({ kind, value }) =>
    kind === "text" ? [value] : []
  );
  return { kind: "enum", name, values };
}

function readDomain(cursor: Cursor, dialect: Dialect): Statement {
  const name = cursor.name() ?? "";
  cursor.accept("as");
  const named = { kind: "word", value: name, raw: name, line: 0 } as const;
  const { item } = readColumn(new Cursor([named, ...cursor.tokens.slice(cursor.at)]), dialect);
  return item?.kind === "column"
    ? { kind: "domain", name, column: item }
    : { kind: "other", reason: UNREADABLE };
}

function readSequence(cursor: Cursor): Statement {
  cursor.acceptExists();
  const name = cursor.name() ?? "";
  cursor.until(({ kind, value }) => kind === "word" && value === "start");
  cursor.accept("start");
  cursor.accept("with");
  const start = Number(cursor.peek()?.kind === "number" ? cursor.take()?.value : 1);
  return { kind: "sequence", name, start };
}

function readPolicy(cursor: Cursor): Statement {
  const name = cursor.name() ?? "";
  cursor.accept("on");
  const table = cursor.path()?.join(".") ?? "";
  let [isAllowing, command] = [true, "all"];
  let using: readonly Token[] | null = null;
  let check: readonly Token[] | null = null;
  while (!cursor.isAtEnd) {
    if (cursor.accept("as", "restrictive")) isAllowing = false;
    else if (cursor.accept("for")) command = cursor.take()?.value ?? "all";
    else if (cursor.accept("using")) using = cursor.parens();
    else if (cursor.accept("with", "check")) check = cursor.parens();
    else cursor.take();
  }
  return { kind: "policy", name, table, isAllowing, command, using, check };
}

function readAlter(cursor: Cursor, dialect: Dialect): ReadStatement {
  cursor.accept("foreign");
  if (cursor.accept("table")) {
    cursor.acceptExists();
    cursor.accept("only");
    const table = cursor.path()?.join(".") ?? "";
    cursor.acceptSign("*");
    const { does, faults } = readAlterations(cursor, dialect);
    return { statements: [{ kind: "alter", table, does }], faults };
  }
  if (cursor.accept("type")) return { statements: [readAlterType(cursor)], faults: 0 };
  const reason = cursor.isWord("sequence", "view", "function", "procedure", "index")
    ? "owners and links of other things have no meaning here"
    : NOT_SCHEMA;
  return { statements: [{ kind: "other", reason }], faults: 0 };
}

function readAlterType(cursor: Cursor): Statement {
  const name = cursor.name() ?? "";
  if (cursor.accept("add", "value")) {
    cursor.acceptExists();
    return { kind: "enumValue", name, value: cursor.take()?.value ?? "", instead: null };
  }
  if (cursor.accept("rename", "value")) {
    const instead = cursor.take()?.value ?? "";
    cursor.accept("to");
    return { kind: "enumValue", name, value: cursor.take()?.value ?? "", instead };
  }
  return { kind: "other", reason: "owners and schemas of types have no meaning here" };
}

function readDrop(cursor: Cursor): Statement {
  const what = (["table", "index", "policy"] as const).find((word) => cursor.accept(word));
  if (!what) return { kind: "other", reason: "what it drops has no counterpart here" };
  cursor.accept("concurrently");
  cursor.acceptExists();
  const names = splitAt(cursor.tokens.slice(cursor.at), ",").flatMap((part) =>
    new Cursor(part).path()?.join(".") ?? []
  );
  cursor.until(({ kind, value }) => kind === "word" && value === "on");
  const on = cursor.accept("on") ? cursor.path()?.join(".") ?? null : null;
  return { kind: "drop", what, names, on };
}

function readRenames(cursor: Cursor): readonly Statement[] {
  return splitAt(cursor.tokens.slice(cursor.at), ",").flatMap((part) => {
    const inner = new Cursor(part);
    const from = inner.path()?.join(".");
    const isSaid = inner.accept("to");
    const to = inner.path()?.join(".");
    return isSaid && from && to ? [{ kind: "rename", from, to } as const] : [];
  });
}

function readComment(cursor: Cursor): Statement {
  const isColumn = cursor.accept("column");
  if (!isColumn && !cursor.accept("table")) {
    return { kind: "other", reason: "it describes what has no counterpart here" };
  }
  const path = cursor.path() ?? [];
  cursor.accept("is");
  const text = cursor.peek()?.kind === "text" ? cursor.take()?.value ?? "" : "";
  const column = isColumn ? path.at(-1) ?? null : null;
  return { kind: "comment", table: (isColumn ? path.slice(0, -1) : path).join("."), column, text };
}
