/** A table as its author uses it: its columns by name, as other definitions refer to them (definitions 1, 3). */
import { SYSTEM_FIELDS, type SystemField } from "../contract/fields.ts";
import type { TABLE_OPTIONS } from "../definition_language/columns.ts";
import type { Written } from "../definition_language/shape.ts";
import type { ColumnBuilder, ColumnReference } from "./column.ts";

/** The columns of a definition by their API names. */
export type Columns = { readonly [name: string]: ColumnBuilder<unknown> };

type ValueOf<Column> = Column extends ColumnBuilder<infer Value> ? Value : never;

/** Columns that a table has without declaring them. */
export type ImpliedColumn = "id" | SystemField;

/** `jobs.id`, `jobs.title`, `jobs.createdAt`. */
export type Table<Own extends Columns> =
  & { readonly [Name in keyof Own]: ColumnReference<ValueOf<Own[Name]>> }
  & { readonly [Name in Exclude<ImpliedColumn, keyof Own>]: ColumnReference<string> };

/** A table in the notation of drizzle, recognised by the row type that it carries. */
export interface DrizzleTable {
  readonly $inferSelect: object;
}

/** The names that a configuration of the table may use, system columns included. */
export type ColumnNameOf<Of> =
  | ImpliedColumn
  | (Of extends DrizzleTable ? keyof Of["$inferSelect"] & string : keyof Of & string);

/** Options of a table without routes. */
export interface TableOptions extends Written<typeof TABLE_OPTIONS> {}

/** Plain data: one reference per column, the id first and the system columns last. */
export function tableOf<Own extends Columns>(name: string, columns: Own): Table<Own>;
export function tableOf(name: string, columns: Columns): Readonly<Record<string, ColumnReference>> {
  const names = new Set(["id", ...Object.keys(columns), ...SYSTEM_FIELDS]);
  const references = [...names].map((column): [string, ColumnReference] => [
    column,
    Object.freeze({ kind: "column", table: name, column }),
  ]);
  return Object.freeze(Object.fromEntries(references));
}
