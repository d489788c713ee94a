/** Tables of an SQL file while its statements are applied, so that later statements can still change them. */
import type { DraftType, ForeignDefault, Policy } from "../foreign_schema.ts";
import type { Clause, Ledger } from "../ledger.ts";
import type { Token } from "./tokens.ts";
import type { WrittenType } from "./types.ts";
import type { WrittenReference } from "./items.ts";

export interface OpenColumn {
  readonly clause: Clause;
  name: string;
  type: WrittenType;
  isRequired: boolean;
  isCounted: boolean;
  length: { readonly clause: Clause } | null;
  fallback: { readonly clause: Clause; readonly tokens: readonly Token[] } | null;
  generated: { readonly clause: Clause; readonly tokens: readonly Token[] } | null;
  comment: { readonly clause: Clause; readonly text: string } | null;
}

/** Constraint or index, with the name by which a later statement refers to it. */
export interface OpenKeyed {
  readonly clause: Clause;
  readonly name: string | null;
  columns: readonly string[];
  obstacle: string | null;
}

export interface OpenRelation {
  readonly clause: Clause;
  readonly name: string | null;
  columns: readonly string[];
  readonly references: WrittenReference;
}

export interface OpenTable {
  readonly clause: Clause;
  path: readonly string[];
  columns: OpenColumn[];
  key: OpenKeyed | null;
  unique: OpenKeyed[];
  indexes: OpenKeyed[];
  relations: OpenRelation[];
  checks: {
    readonly clause: Clause;
    readonly name: string | null;
    readonly tokens: readonly Token[];
  }[];
  policies: (Omit<Policy, "condition"> & { readonly tokens: readonly (readonly Token[])[] })[];
  comment: { readonly clause: Clause; readonly text: string } | null;
}

/** Type with the constraints and defaults that its columns inherit. */
export interface Domain {
  readonly type: DraftType;
  readonly fallback: ForeignDefault | null;
}

/** Names of default schemas. */
const USUAL_SCHEMAS = ["public", "dbo", "main"];

export function keyOfPath(path: readonly string[]): string {
  const parts = path.map((part) => part.toLowerCase());
  return parts.length > 1 && USUAL_SCHEMAS.includes(parts.at(-2) ?? "")
    ? parts.at(-1) ?? ""
    : parts.slice(-2).join(".");
}

/** Finds a table by the name in a statement; SQL names are case-insensitive. */
export function findTable(
  tables: ReadonlyMap<string, OpenTable>,
  name: string,
): OpenTable | undefined {
  const path = name.split(".");
  const found = tables.get(keyOfPath(path));
  if (found || path.length > 1) return found;
  const last = name.toLowerCase();
  return [...tables.values()].find((table) => table.path.at(-1)?.toLowerCase() === last);
}

export function findColumn({ columns }: OpenTable, name: string): OpenColumn | undefined {
  return columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
}

/** Removes a column, and everything that depends on it. */
export function dropColumn(table: OpenTable, name: string, ledger: Ledger): void {
  const column = findColumn(table, name);
  if (!column) return;
  const isOn = ({ columns }: { readonly columns: readonly string[] }) =>
    columns.some((one) => one.toLowerCase() === name.toLowerCase());
  const parts = [column, column.length, column.fallback, column.generated, column.comment];
  const lists = [table.unique, table.indexes, table.relations].flatMap((list) => list.filter(isOn));
  const key = table.key && isOn(table.key) ? [table.key] : [];
  for (const part of [...parts, ...lists, ...key]) if (part) leaveDropped(part.clause, ledger);
  table.columns = table.columns.filter((one) => one !== column);
  table.unique = table.unique.filter((one) => !isOn(one));
  table.indexes = table.indexes.filter((one) => !isOn(one));
  table.relations = table.relations.filter((one) => !isOn(one));
  if (key.length > 0) table.key = null;
}

/** Returns every clause of a table that a later statement drops. */
export function clausesOfOpen(table: OpenTable): readonly Clause[] {
  const columns = table.columns.flatMap((column) => [
    column,
    column.length,
    column.fallback,
    column.generated,
    column.comment,
  ]);
  const lists = [table.unique, table.indexes, table.relations, table.checks, table.policies].flat();
  return [table, table.key, table.comment, ...columns, ...lists].flatMap((part) =>
    part ? [part.clause] : []
  );
}

export function leaveDropped(clause: Clause, ledger: Ledger): void {
  ledger.leaveOut(clause, "a later statement drops it or says it anew");
}

export function renameColumn(table: OpenTable, from: string, to: string): void {
  const column = findColumn(table, from);
  if (!column) return;
  column.name = to;
  const renamed = (names: readonly string[]) =>
    names.map((name) => name.toLowerCase() === from.toLowerCase() ? to : name);
  const lists = [...table.unique, ...table.indexes, ...table.relations];
  for (const part of [...lists, ...(table.key ? [table.key] : [])]) {
    part.columns = renamed(part.columns);
  }
}
