/**
 * Maps better-auth's names to SQL: model `user` lies in `auth_user`, field `emailVerified` in `email_verified`. A name that
 * `AUTH_TABLES` does not list is refused, so that no other text becomes SQL.
 */
import { sqlIdentifier } from "../lib/sql_text.ts";
import { AUTH_TABLES } from "../model/auth_tables.ts";

export interface AuthTable {
  /** Quoted. */
  readonly name: string;
  /** Quoted column by field, in table order. */
  readonly columns: ReadonlyMap<string, string>;
}

const TABLES: ReadonlyMap<string, AuthTable> = new Map(
  AUTH_TABLES.map((table) => [table.name, {
    name: sqlIdentifier(table.name),
    columns: new Map(table.columns.map(({ name }) => [fieldOf(name), sqlIdentifier(name)])),
  }]),
);

/** The table of a model; throws for one that the project does not have. */
export function tableOf(model: string): AuthTable {
  const table = TABLES.get(`auth_${columnName(model)}`);
  if (!table) throw new Error(`Accounts have no table for the model "${model}"`);
  return table;
}

/** The quoted column of a field; throws for an unknown one. */
export function columnOf(table: AuthTable, field: string): string {
  const column = table.columns.get(field);
  if (column === undefined) throw new Error(`${table.name} has no column for "${field}"`);
  return column;
}

/** The quoted columns of every field, as a select list. */
export function selectList(table: AuthTable): string {
  return [...table.columns.values()].join(", ");
}

/** `emailVerified` → `email_verified`. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
