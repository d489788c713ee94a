/** Reads the actions of ALTER TABLE, one after the other. */
import { Cursor, splitAt } from "./cursor.ts";
import { type ColumnItem, type Item, readColumn, readItem } from "./items.ts";
import type { Dialect, Token } from "./tokens.ts";
import { type WrittenType, writtenType } from "./types.ts";

export type Alteration =
  | { readonly kind: "add"; readonly item: Item }
  | { readonly kind: "dropColumn" | "dropConstraint"; readonly name: string }
  | { readonly kind: "dropKey" }
  | { readonly kind: "renameColumn"; readonly from: string; readonly to: string }
  | { readonly kind: "renameTable"; readonly to: string }
  /** MySQL's MODIFY and CHANGE, which define the column again. */
  | { readonly kind: "redefine"; readonly name: string; readonly column: ColumnItem }
  | { readonly kind: "required"; readonly name: string; readonly isRequired: boolean }
  | { readonly kind: "default"; readonly name: string; readonly fallback: readonly Token[] | null }
  | { readonly kind: "type"; readonly name: string; readonly type: WrittenType }
  | { readonly kind: "counted"; readonly name: string }
  | { readonly kind: "partition"; readonly table: string }
  /** Row level security: rows are closed until a policy opens them, as in quickback. */
  | { readonly kind: "closed" }
  | { readonly kind: "other"; readonly reason: string };

export function readAlterations(
  cursor: Cursor,
  dialect: Dialect,
): { readonly does: readonly Alteration[]; readonly faults: number } {
  const does: Alteration[] = [];
  let faults = 0;
  for (const part of splitAt(cursor.tokens.slice(cursor.at), ",")) {
    const read = readOne(new Cursor(part), dialect);
    faults += read.length === 0 ? 1 : 0;
    does.push(
      ...(read.length === 0 ? [{ kind: "other", reason: "no dialect reads it" } as const] : read),
    );
  }
  return { does, faults };
}

/** Reads one action; empty: it cannot be read. */
function readOne(cursor: Cursor, dialect: Dialect): readonly Alteration[] {
  if (cursor.accept("with", "check") || cursor.accept("with", "nocheck")) {
    // T-SQL says here whether existing rows are checked.
  }
  if (cursor.accept("add")) return readAdd(cursor, dialect);
  if (cursor.accept("drop")) return readDrop(cursor);
  if (cursor.accept("rename")) return readRename(cursor);
  if (cursor.accept("modify") || cursor.accept("change")) {
    const isChange = cursor.peek(-1)?.value === "change";
    cursor.accept("column");
    const name = isChange ? cursor.name() : null;
    const { item } = readColumn(cursor, dialect);
    if (item?.kind !== "column") return [];
    return [{ kind: "redefine", name: name ?? item.name, column: item }];
  }
  if (cursor.accept("alter")) {
    cursor.accept("column");
    const name = cursor.name();
    return name === null ? [] : readColumnChange(cursor, name);
  }
  if (cursor.accept("attach", "partition")) {
    const table = cursor.path()?.join(".");
    return table ? [{ kind: "partition", table }] : [];
  }
  if (cursor.isWord("enable", "force")) {
    const isRows = cursor.tokens.some(({ value }) => value === "security");
    return [isRows ? { kind: "closed" } : { kind: "other", reason: NO_MEANING }];
  }
  return [{ kind: "other", reason: NO_MEANING }];
}

const NO_MEANING = "owners, storage and settings of tables have no meaning here";

function readAdd(cursor: Cursor, dialect: Dialect): readonly Alteration[] {
  const isColumn = cursor.accept("column");
  cursor.acceptExists();
  const list = cursor.parens();
  if (list !== null) {
    return splitAt(list, ",").flatMap((part) => added(part, dialect));
  }
  const rest = cursor.tokens.slice(cursor.at);
  if (!isColumn) return added(rest, dialect);
  const { item } = readColumn(new Cursor(rest), dialect);
  return item === null ? [] : [{ kind: "add", item }];
}

function added(tokens: readonly Token[], dialect: Dialect): readonly Alteration[] {
  // After ADD, KEY and INDEX begin no column in any dialect.
  const [first] = tokens;
  const isIndex = first?.kind === "word" &&
    ["key", "index", "fulltext", "spatial"].includes(first.value);
  const { item } = readItem(tokens, isIndex ? "mysql" : dialect);
  return item === null ? [] : [{ kind: "add", item }];
}

function readDrop(cursor: Cursor): readonly Alteration[] {
  if (cursor.accept("primary", "key")) return [{ kind: "dropKey" }];
  const isConstraint =
    ["constraint", "index", "key", "check"].some((word) => cursor.accept(word)) ||
    cursor.accept("foreign", "key");
  if (!isConstraint) cursor.accept("column");
  cursor.acceptExists();
  const name = cursor.name();
  if (name === null) return [];
  return [{ kind: isConstraint ? "dropConstraint" : "dropColumn", name }];
}

function readRename(cursor: Cursor): readonly Alteration[] {
  if (cursor.accept("to") || cursor.accept("as")) {
    const to = cursor.name();
    return to === null ? [] : [{ kind: "renameTable", to }];
  }
  if (["constraint", "index", "key"].some((word) => cursor.accept(word))) {
    return [{ kind: "other", reason: "names of constraints have no meaning here" }];
  }
  cursor.accept("column");
  const from = cursor.name();
  cursor.accept("to");
  const to = cursor.name();
  return from === null || to === null ? [] : [{ kind: "renameColumn", from, to }];
}

function readColumnChange(cursor: Cursor, name: string): readonly Alteration[] {
  if (cursor.accept("set", "not", "null")) return [{ kind: "required", name, isRequired: true }];
  if (cursor.accept("drop", "not", "null")) return [{ kind: "required", name, isRequired: false }];
  if (cursor.accept("set", "default")) {
    return [{ kind: "default", name, fallback: cursor.until(() => false) }];
  }
  if (cursor.accept("drop", "default")) return [{ kind: "default", name, fallback: null }];
  if (cursor.accept("set", "data", "type") || cursor.accept("type")) {
    const isEnd = ({ kind, value }: Token) =>
      kind === "word" && ["using", "collate"].includes(value);
    return [{ kind: "type", name, type: writtenType(cursor.until(isEnd)) }];
  }
  if (cursor.accept("add", "generated")) return [{ kind: "counted", name }];
  return [{ kind: "other", reason: "how a column is kept has no meaning here" }];
}
