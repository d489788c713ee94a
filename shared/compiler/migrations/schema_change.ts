/** What turns one database schema into the next, as data: SQL is written from it, refusals are read off it. */
import type { SqlColumn, SqlIndex, SqlTable } from "../../model/sql_table.ts";

export type SchemaChange =
  | { readonly kind: "renameTable"; readonly from: string; readonly to: string }
  | {
    readonly kind: "renameColumn";
    readonly table: string;
    readonly from: string;
    readonly to: string;
  }
  | { readonly kind: "dropIndex"; readonly index: SqlIndex }
  | { readonly kind: "createTable"; readonly table: SqlTable }
  | { readonly kind: "addColumn"; readonly table: string; readonly column: SqlColumn }
  | { readonly kind: "dropColumn"; readonly table: string; readonly column: string }
  /** A new table takes the rows of the old one, then its name: for what SQLite's ALTER TABLE cannot do. */
  | { readonly kind: "rebuildTable"; readonly table: SqlTable; readonly copied: readonly Copy[] }
  | { readonly kind: "dropTable"; readonly table: string }
  | { readonly kind: "createIndex"; readonly table: string; readonly index: SqlIndex };

/** One column that a rebuild carries over. */
export interface Copy {
  readonly column: SqlColumn;
  /** The stored values are of another type. */
  readonly cast: boolean;
  /** Rows may hold NULL where the new column refuses it and has a default. */
  readonly fillNulls: boolean;
}

/** Why a change cannot be migrated without the author's word. SQL names. */
export type SchemaProblem =
  | { readonly kind: "tableDropped"; readonly table: string }
  | { readonly kind: "columnDropped"; readonly table: string; readonly column: string }
  /** Gone and come in one table: a rename or not? */
  | {
    readonly kind: "renameOrDrop";
    readonly table: string;
    readonly gone: string;
    readonly added: readonly string[];
  }
  | { readonly kind: "needsDefault"; readonly table: string; readonly column: string }
  | {
    readonly kind: "typeChanged";
    readonly table: string;
    readonly column: string;
    readonly from: string;
    readonly to: string;
  };

/** What a database loses for good, once the author has allowed it. */
export type SchemaLoss = Exclude<SchemaProblem, { readonly kind: "needsDefault" }>;

/** The author's word: SQL names. */
export interface SchemaHints {
  /** Old table → new table. */
  readonly tables: ReadonlyMap<string, string>;
  /** New table → old column → new column. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly allowDestructive: boolean;
}

export interface SchemaDiff {
  /** In the order in which they must run. */
  readonly changes: readonly SchemaChange[];
  readonly problems: readonly SchemaProblem[];
  /** What was allowed to go. */
  readonly losses: readonly SchemaLoss[];
}
