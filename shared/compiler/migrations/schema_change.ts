/**
 * The changes that turn one database schema into the next, as data: SQL is written from them, refusals are read off them.
 */
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
  | {
    readonly kind: "rebuildTable";
    readonly table: SqlTable;
    readonly copied: readonly Copy[];
    readonly filled: readonly Fill[];
  }
  /** Rows that were kept as deleted leave before what hides them does; `keys` lead from table to table down to a parent's row. */
  | { readonly kind: "purgeDeleted"; readonly rows: DeletedRows }
  | { readonly kind: "dropTable"; readonly table: string }
  | { readonly kind: "createIndex"; readonly table: string; readonly index: SqlIndex };

/** A table's rows that are marked as deleted; with a parent, those that refer to such rows of it. */
export interface DeletedRows {
  readonly table: string;
  readonly marker: string;
  readonly parent:
    | { readonly column: string; readonly key: string; readonly rows: DeletedRows }
    | null;
}

/** One column that a rebuild carries over. */
export interface Copy {
  readonly column: SqlColumn;
  /** Plain text becomes JSON text or the other way round. */
  readonly json: "encode" | "decode" | null;
  /** The stored values are of another type. */
  readonly cast: boolean;
  /** Rows may hold NULL where the new column refuses it and has a default. */
  readonly fillNulls: boolean;
}

/** A new column with the value that rows get which exist. */
export interface Fill {
  readonly column: SqlColumn;
  readonly from: Backfill;
}

/** The source of a new scope column's value for existing rows. SQL names. */
export type Backfill =
  /** The row that a foreign key names has it in `value`. */
  | {
    readonly kind: "parent";
    readonly foreignKey: string;
    readonly table: string;
    readonly key: string;
    readonly value: string;
  }
  | { readonly kind: "literal"; readonly value: string }
  /** They go. */
  | { readonly kind: "delete" };

/** A change that needs the author's consent to be migrated. SQL names. */
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
  /** The column that marks deleted rows is gone. */
  | { readonly kind: "deletedRowsDropped"; readonly table: string; readonly column: string }
  /** A rename hint names what would be lost, or what has come, and fits nothing. */
  | { readonly kind: "hintUnused"; readonly table: string; readonly column: string | null }
  /** A rename hint whose old name is still defined. */
  | { readonly kind: "renameUnclear"; readonly table: string; readonly column: string | null }
  | { readonly kind: "needsDefault"; readonly table: string; readonly column: string }
  /** A scope column whose rows belong to nobody yet. */
  | { readonly kind: "needsBackfill"; readonly table: string; readonly column: string }
  | {
    readonly kind: "typeChanged";
    readonly table: string;
    readonly column: string;
    readonly from: string;
    readonly to: string;
  };

/** A loss of data that the author has allowed. */
export type SchemaLoss =
  | Exclude<
    SchemaProblem,
    { readonly kind: "needsDefault" | "needsBackfill" | "hintUnused" | "renameUnclear" }
  >
  /** A backfill that says so. */
  | { readonly kind: "rowsDeleted"; readonly table: string };

/** The author's word: SQL names. */
export interface SchemaHints {
  /** Old table → new table. */
  readonly tables: ReadonlyMap<string, string>;
  /** New table → old column → new column. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** New table → scope column → its value in rows that exist; null: unknown. */
  readonly backfills: ReadonlyMap<string, ReadonlyMap<string, Backfill | null>>;
  readonly allowDestructive: boolean;
}

export interface SchemaDiff {
  /** In the order in which they must run. */
  readonly changes: readonly SchemaChange[];
  readonly problems: readonly SchemaProblem[];
  /** The losses that the author has allowed. */
  readonly losses: readonly SchemaLoss[];
}
