/** Reads columns and constraints of any dialect, from the parentheses of a CREATE TABLE or after ADD. */
import { columnList, Cursor } from "./cursor.ts";
import type { Dialect, Token } from "./tokens.ts";
import { type WrittenType, writtenType } from "./types.ts";
import type { OnDelete } from "../foreign_schema.ts";

export interface WrittenReference {
  readonly table: string;
  readonly targets: readonly string[] | null;
  readonly onDelete: OnDelete | null;
  readonly question: string | null;
}

export interface ColumnItem {
  readonly kind: "column";
  readonly name: string;
  type: WrittenType;
  isRequired: boolean;
  isPrimary: boolean;
  isUnique: boolean;
  isCounted: boolean;
  fallback: readonly Token[] | null;
  generated: readonly Token[] | null;
  references: WrittenReference | null;
  readonly checks: (readonly Token[])[];
  comment: string | null;
}

export type ConstraintItem =
  | {
    readonly kind: "primary" | "unique" | "index";
    readonly name: string | null;
    readonly columns: readonly string[];
    readonly obstacle: string | null;
  }
  /** Key made of an existing index. */
  | { readonly kind: "using"; readonly of: "primary" | "unique"; readonly index: string }
  | {
    readonly kind: "foreign";
    readonly name: string | null;
    readonly columns: readonly string[];
    readonly references: WrittenReference;
  }
  | { readonly kind: "check"; readonly name: string | null; readonly condition: readonly Token[] }
  | { readonly kind: "exclude" }
  | { readonly kind: "like"; readonly table: string };

export type Item = ColumnItem | ConstraintItem;

/** Item; null: it cannot be read. `faults`: number of words that no dialect has there. */
export interface ReadItem {
  readonly item: Item | null;
  readonly faults: number;
}

export function readItem(tokens: readonly Token[], dialect: Dialect): ReadItem {
  const cursor = new Cursor(tokens);
  const constraint = readConstraint(cursor, dialect);
  if (constraint !== undefined) return { item: constraint, faults: constraint === null ? 1 : 0 };
  cursor.at = 0;
  return readColumn(cursor, dialect);
}

/** Reads a constraint. Undefined: it is not one. Null: it cannot be read. */
function readConstraint(cursor: Cursor, dialect: Dialect): ConstraintItem | null | undefined {
  const isNamed = cursor.isWord("constraint") && !TYPE_WORDS.has(cursor.peek(1)?.value ?? "");
  if (isNamed) cursor.at++;
  const name = isNamed && !cursor.isWord(...CONSTRAINT_WORDS) ? cursor.name() : null;
  if (cursor.accept("primary", "key")) return readKeyed(cursor, "primary", name);
  if (cursor.isWord("unique") && startsUnique(cursor)) {
    cursor.at++;
    if (!cursor.accept("key")) cursor.accept("index");
    cursor.accept("nulls", "not", "distinct");
    return readKeyed(cursor, "unique", name);
  }
  if (cursor.accept("foreign", "key")) {
    cursor.acceptExists();
    if (!cursor.isSign("(")) cursor.name();
    const { columns } = columnList(cursor.parens() ?? []);
    const references = cursor.accept("references") ? readReference(cursor) : null;
    return references === null ? null : { kind: "foreign", name, columns, references };
  }
  if (cursor.isWord("check") && cursor.peek(1)?.value === "(") {
    cursor.at++;
    return { kind: "check", name, condition: cursor.parens() ?? [] };
  }
  if (cursor.isWord("exclude") && ["using", "("].includes(cursor.peek(1)?.value ?? "")) {
    return { kind: "exclude" };
  }
  if (cursor.isWord("like") && !isNamed && dialect !== "sqlite") {
    cursor.at++;
    const table = cursor.name();
    return table === null ? null : { kind: "like", table };
  }
  return isNamed ? null : readIndex(cursor, dialect);
}

const CONSTRAINT_WORDS = ["primary", "unique", "foreign", "check", "exclude"];
/** Words that begin a type: they show that a column is named `constraint`. */
const TYPE_WORDS = new Set(["text", "varchar", "int", "integer", "boolean", "json", "jsonb"]);

/** Reads MySQL's `KEY n (c)` and `FULLTEXT KEY n (c)`; in other dialects those are names of columns. */
function readIndex(cursor: Cursor, dialect: Dialect): ConstraintItem | null | undefined {
  const start = cursor.at;
  const isSearch = cursor.accept("fulltext") || cursor.accept("spatial");
  const isIndex = cursor.accept("key") || cursor.accept("index");
  if (!isSearch && !isIndex || dialect !== "mysql") {
    cursor.at = start;
    return undefined;
  }
  const read = readKeyed(cursor, "index", null);
  return read !== null && isSearch && "obstacle" in read
    ? { ...read, obstacle: "it is for words or shapes: `search` of the resource is for words" }
    : read;
}

/** True for `UNIQUE n (a)` and `UNIQUE (a)`, which are sets. A column named `unique` must be in quotes. */
function startsUnique(cursor: Cursor): boolean {
  return [1, 2, 3, 4].some((ahead) => cursor.peek(ahead)?.value === "(") ||
    cursor.peek(1)?.value === "using";
}

function readKeyed(
  cursor: Cursor,
  kind: "primary" | "unique" | "index",
  constraint: string | null,
): ConstraintItem | null {
  for (const word of ["clustered", "nonclustered"]) cursor.accept(word);
  if (kind !== "index" && cursor.accept("using", "index")) {
    const index = cursor.name();
    return index === null ? null : { kind: "using", of: kind, index };
  }
  const name = cursor.isSign("(") || cursor.isWord("using") ? null : cursor.name();
  if (cursor.accept("using")) cursor.take();
  const list = cursor.parens();
  return list === null ? null : { kind, name: constraint ?? name, ...columnList(list) };
}

/** Reads a reference, from after REFERENCES. */
export function readReference(cursor: Cursor): WrittenReference | null {
  const table = cursor.path();
  if (table === null) return null;
  const list = cursor.parens();
  const targets = list === null ? null : columnList(list).columns;
  let onDelete: OnDelete | null = null;
  let question: string | null = null;
  for (;;) {
    if (cursor.accept("match")) cursor.take();
    else if (cursor.accept("on", "delete")) {
      const rule = readRule(cursor);
      onDelete = RULES.find((known) => known === rule) ?? null;
      if (onDelete === null) question = `\`on delete ${rule}\` is no rule here`;
    } else if (cursor.accept("on", "update")) readRule(cursor);
    else break;
  }
  return { table: table.join("."), targets, onDelete, question };
}

const RULES: readonly OnDelete[] = ["cascade", "set null", "restrict", "no action"];

function readRule(cursor: Cursor): string {
  const first = cursor.take()?.value ?? "";
  const second = first === "set" || first === "no" ? ` ${cursor.take()?.value ?? ""}` : "";
  if (first === "set") cursor.parens();
  return first + second;
}

/** Reads a column's definition, starting with its name. */
export function readColumn(cursor: Cursor, dialect: Dialect): ReadItem {
  const name = cursor.name();
  if (name === null) return { item: null, faults: 1 };
  const type = cursor.isAtEnd || isKeyword(cursor.peek())
    ? { words: "", args: [], isArray: false }
    : writtenType(cursor.until(isKeyword));
  const item: ColumnItem = {
    kind: "column",
    name,
    type,
    isRequired: false,
    isPrimary: false,
    isUnique: false,
    isCounted: false,
    fallback: null,
    generated: null,
    references: null,
    checks: [],
    comment: null,
  };
  let faults = 0;
  while (!cursor.isAtEnd) {
    if (!readFact(cursor, item, dialect)) {
      faults++;
      cursor.take();
    }
  }
  return { item, faults };
}

/** Reads one property of a column; false: none comes next. */
function readFact(cursor: Cursor, item: ColumnItem, dialect: Dialect): boolean {
  if (cursor.accept("constraint")) return cursor.name() !== null;
  if (cursor.accept("not", "null")) {
    item.isRequired = true;
    readConflict(cursor);
    return true;
  }
  if (cursor.accept("null")) return true;
  if (cursor.accept("default")) {
    // `NULL` and `NOT` can also begin a value.
    const first = cursor.take();
    item.fallback = first ? [first, ...cursor.until(isKeyword)] : null;
    return first !== undefined;
  }
  if (cursor.accept("primary", "key") || (dialect === "mysql" && cursor.accept("key"))) {
    item.isPrimary = true;
    for (const word of ["asc", "desc", "clustered", "nonclustered"]) cursor.accept(word);
    readConflict(cursor);
    return true;
  }
  if (cursor.accept("unique")) {
    item.isUnique = true;
    cursor.accept("key");
    readConflict(cursor);
    return true;
  }
  if (cursor.isWord("check") && cursor.peek(1)?.value === "(") {
    cursor.at++;
    item.checks.push(cursor.parens() ?? []);
    cursor.accept("not", "enforced") || cursor.accept("enforced") || cursor.accept("no", "inherit");
    return true;
  }
  if (cursor.accept("references")) {
    item.references = readReference(cursor);
    return item.references !== null;
  }
  return readGenerated(cursor, item) || readOption(cursor, item);
}

function readGenerated(cursor: Cursor, item: ColumnItem): boolean {
  const isSaid = cursor.accept("generated", "always") ||
    cursor.accept("generated", "by", "default");
  if (isSaid) cursor.accept("on", "null");
  if (!cursor.accept("as")) return isSaid;
  if (cursor.accept("identity")) {
    item.isCounted = true;
    cursor.parens();
    return true;
  }
  item.generated = cursor.parens();
  cursor.accept("stored") || cursor.accept("virtual") || cursor.accept("persistent") ||
    cursor.accept("persisted");
  return item.generated !== null;
}

/** Reads an option of storage, which does not change the value. */
function readOption(cursor: Cursor, item: ColumnItem): boolean {
  if (["auto_increment", "autoincrement"].some((word) => cursor.accept(word))) {
    item.isCounted = true;
    return true;
  }
  if (cursor.accept("identity")) {
    item.isCounted = true;
    cursor.parens();
    return true;
  }
  if (cursor.accept("comment")) {
    item.comment = cursor.take()?.value ?? null;
    return true;
  }
  if (cursor.accept("collate") || cursor.accept("charset") || cursor.accept("character", "set")) {
    cursor.acceptSign("=");
    return cursor.path() !== null;
  }
  if (cursor.accept("on", "update")) {
    cursor.take();
    cursor.parens();
    return true;
  }
  if (STORAGE.some((word) => cursor.accept(word))) {
    cursor.acceptSign("=");
    cursor.take();
    return true;
  }
  return PLAIN_WORDS.some((words) => cursor.accept(...words.split(" ")));
}

const STORAGE = ["storage", "compression", "column_format", "encode", "srid", "using"];
const PLAIN_WORDS = [
  ...["not deferrable", "deferrable", "initially deferred", "initially immediate", "not valid"],
  ...["no inherit", "invisible", "visible", "virtual", "stored", "persistent", "binary", "hidden"],
  ...["not enforced", "enforced", "sparse", "rowguidcol", "first", "ascii", "unicode", "signed"],
  ...["nulls not distinct", "distkey", "sortkey"],
];

function readConflict(cursor: Cursor): void {
  if (cursor.accept("on", "conflict")) cursor.take();
}

/** True for words that end a type or a default. */
function isKeyword(token: Token | undefined): boolean {
  return token?.kind === "word" && KEYWORDS.has(token.value);
}

const KEYWORDS = new Set([
  ...["constraint", "not", "null", "default", "primary", "unique", "check", "references"],
  ...["generated", "as", "identity", "auto_increment", "autoincrement", "comment", "collate"],
  ...["charset", "on", "key", "storage", "compression", "column_format", "invisible", "visible"],
  ...["virtual", "stored", "deferrable", "initially", "encode", "after", "using", "srid"],
]);
