/** A table as its author uses it, with its columns by name for references in other definitions (definitions 1, 3). */
import { SYSTEM_FIELDS, type SystemField } from "../contract/mod.ts";
import type { TABLE_OPTIONS } from "../definition_language/columns.ts";
import type { Written } from "../definition_language/shape.ts";
import type { ColumnBuilder, DeclaredColumn } from "./column.ts";
import type { ProjectTables } from "./register.ts";

/** The columns of a definition by their API names. */
export type Columns = { readonly [name: string]: ColumnBuilder<unknown> };

type ValueOf<Column> = Column extends ColumnBuilder<infer Value> ? Value : never;

/** Columns that a table has without declaring them. */
export type ImpliedColumn = "id" | SystemField;

/** `jobs.id`, `jobs.title`, `jobs.createdAt`. */
export type Table<Own extends Columns> =
  & { readonly [Name in keyof Own]: DeclaredColumn<ValueOf<Own[Name]>> }
  & { readonly [Name in Exclude<ImpliedColumn, keyof Own>]: DeclaredColumn<string> };

/** A declared table, with its row type once the project's declarations are generated. */
export type TableOf<Name extends string, Own extends Columns> = Name extends keyof ProjectTables
  ? ProjectTables[Name]
  : Table<Own>;

/** A table in drizzle's notation, recognized by the row type that it carries. */
export interface DrizzleTable {
  readonly $inferSelect: object;
}

/** Column names that a table's configuration may use, system columns included. */
export type ColumnNameOf<Of> =
  | ImpliedColumn
  | (Of extends DrizzleTable ? keyof Of["$inferSelect"] & string : keyof Of & string);

/** Options of a table without routes. */
export interface TableOptions extends Written<typeof TABLE_OPTIONS> {}

/** Makes a table as plain data: one reference per column, the id first and the system columns last. */
export function tableOf<Name extends string, Own extends Columns>(
  name: Name,
  columns: Own,
): TableOf<Name, Own>;
export function tableOf(name: string, columns: Columns): unknown {
  const names = new Set(["id", ...Object.keys(columns), ...SYSTEM_FIELDS]);
  const references = [...names].map((column): [string, DeclaredColumn] => [
    column,
    Object.freeze({ kind: "column", table: name, column }),
  ]);
  return Object.freeze(Object.fromEntries(references));
}
