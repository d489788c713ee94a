/** A table as SQLite knows it: what migrations are diffed over. SQL names throughout. */
import type { ColumnType } from "../column_types/mod.ts";
import type { MadeValue } from "./table.ts";

/** libSQL's own: so many 32-bit floats. */
export type VectorSqlType = `F32_BLOB(${number})`;

export interface SqlColumn {
  readonly name: string;
  readonly type: "text" | "integer" | "real" | "blob" | VectorSqlType;
  readonly notNull: boolean;
  readonly primaryKey: boolean;
  readonly autoIncrement: boolean;
  /** SQL text of the default, already encoded; null: none. */
  readonly default: string | null;
  readonly references: {
    readonly table: string;
    readonly column: string;
    readonly onDelete: "cascade" | "set null" | "restrict" | "no action";
  } | null;
  /** Digits of a decimal, which is stored without its point; absent: another type. */
  readonly decimal?: { readonly precision: number; readonly scale: number } | undefined;
  /** True for JSON text; left out where that is unknown. */
  readonly json?: boolean | undefined;
  /** Type of its values; absent: a table of the service, or a snapshot that does not say it. */
  readonly of?: ColumnType | undefined;
  /** Made by the service for each row that it inserts; absent: it is not. */
  readonly made?: SqlMade | undefined;
  /** SQL of its value over the other columns of its row, which the database computes; absent: it is stored. */
  readonly generated?: string | undefined;
}

export type SqlMade =
  | Exclude<MadeValue, { readonly kind: "sequence" }>
  /** `organization`: the column that its rows are counted by; null: all together. */
  | (Omit<Extract<MadeValue, { readonly kind: "sequence" }>, "per"> & {
    readonly organization: string | null;
  });

export interface SqlIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** SQL text of a partial index's condition; null: every row. */
  readonly where: string | null;
}

export interface SqlTable {
  readonly name: string;
  readonly columns: readonly SqlColumn[];
  readonly indexes: readonly SqlIndex[];
  /** Its full-text index; absent: none. */
  readonly search?: SqlSearch | undefined;
  /** Totals of rows that refer to its rows, by column in order; absent: none. */
  readonly rollups?: readonly SqlRollup[] | undefined;
}

/** A total that triggers keep, on the rows that it counts and on its own. */
export interface SqlRollup {
  readonly column: string;
  /** Of the rows that refer to it. */
  readonly table: string;
  readonly foreignKey: string;
  /** The column that it refers to. */
  readonly key: string;
  readonly fn: "count" | "sum" | "min" | "max";
  /** SQL of what one row adds, whose name stands between the parts; null: rows are counted. */
  readonly source: readonly string[] | null;
  /** SQL that is true for a row that counts, whose name stands between the parts. */
  readonly counts: readonly string[];
  /** Greatest magnitude, in digits; null: any. */
  readonly limit: string | null;
}

/** A full-text index over texts of a table, kept by triggers. */
export interface SqlSearch {
  readonly key: string;
  readonly columns: readonly string[];
  /** The column that says whose a row is; absent: the index numbers rows as they come. */
  readonly tenant?: string | undefined;
}

/** A nullable text column; a table says what differs. */
export function textColumn(name: string): SqlColumn {
  return {
    name,
    type: "text",
    notNull: false,
    primaryKey: false,
    autoIncrement: false,
    default: null,
    references: null,
  };
}

/**
 * A column whose rows a migration judges before it changes anything: a line of its SQL, which the runner reads. SQL names as
 * they are before the migration.
 */
export interface RowCheck {
  readonly table: string;
  /** Its primary key. */
  readonly key: string;
  readonly column: string;
  /** Rows without a value are refused. */
  readonly isRequired: boolean;
  /** No message shows its values. */
  readonly isMasked: boolean;
  /** The old type and the new one; null: any value will do. */
  readonly types: {
    readonly from: ColumnType;
    readonly to: ColumnType;
    /** Digits behind the point and times of day may be lost. */
    readonly isLossy: boolean;
  } | null;
}

/** Start of each line of a migration that holds a `RowCheck`, as JSON. */
export const ROW_CHECK_MARK = "-- check:";
