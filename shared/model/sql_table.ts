/** A table as SQLite knows it. Migrations are computed by comparing these. All names are SQL names. */
import type { ColumnType } from "../column_types/mod.ts";
import type { MadeValue } from "./table.ts";

/** libSQL's own type: this many 32-bit floats. */
export type VectorSqlType = `F32_BLOB(${number})`;

export interface SqlColumn {
  readonly name: string;
  readonly type: "text" | "integer" | "real" | "blob" | VectorSqlType;
  readonly notNull: boolean;
  readonly primaryKey: boolean;
  readonly autoIncrement: boolean;
  /** The default as encoded SQL; null: none. */
  readonly default: string | null;
  readonly references: {
    readonly table: string;
    readonly column: string;
    readonly onDelete: "cascade" | "set null" | "restrict" | "no action";
  } | null;
  /** Digits of a decimal, which is stored without its point. Absent: the column has another type. */
  readonly decimal?: { readonly precision: number; readonly scale: number } | undefined;
  /** True for a text that holds JSON. Absent: unknown. */
  readonly json?: boolean | undefined;
  /** Column type of the values. Absent: a service table, or a snapshot from before it was recorded. */
  readonly of?: ColumnType | undefined;
  /** How the service makes a value for each row that it inserts. Absent: it makes none. */
  readonly made?: SqlMade | undefined;
  /** SQL expression over other columns of the row, computed by the database. Absent: the column is stored. */
  readonly generated?: string | undefined;
}

export type SqlMade =
  | Exclude<MadeValue, { readonly kind: "sequence" }>
  /** `organization`: the column whose value separates the counts; null: all rows are counted together. */
  | (Omit<Extract<MadeValue, { readonly kind: "sequence" }>, "per"> & {
    readonly organization: string | null;
  });

export interface SqlIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** Condition of a partial index as SQL; null: it covers every row. */
  readonly where: string | null;
}

export interface SqlTable {
  readonly name: string;
  readonly columns: readonly SqlColumn[];
  readonly indexes: readonly SqlIndex[];
  /** Full-text index of the table. Absent: there is none. */
  readonly search?: SqlSearch | undefined;
  /** Totals over rows that refer to this table's rows, ordered by column. Absent: there are none. */
  readonly rollups?: readonly SqlRollup[] | undefined;
}

/** A total over child rows. Triggers on both tables keep it. */
export interface SqlRollup {
  readonly column: string;
  /** The child table. */
  readonly table: string;
  readonly foreignKey: string;
  /** The child's foreign key. */
  readonly key: string;
  readonly fn: "count" | "sum" | "min" | "max";
  /** SQL of what one child adds, in parts between which the row's name goes; null: children are counted. */
  readonly source: readonly string[] | null;
  /** SQL that is true for a child that counts, in parts between which the row's name goes. */
  readonly counts: readonly string[];
  /** Largest magnitude, as digits; null: no limit. */
  readonly limit: string | null;
}

/** A full-text index over texts of a table, kept by triggers. */
export interface SqlSearch {
  readonly key: string;
  readonly columns: readonly string[];
  /** The scope column. Absent: the index does not separate tenants. */
  readonly tenant?: string | undefined;
}

/** Makes a nullable text column. The caller overrides what differs. */
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
 * A column whose rows a migration checks before it changes anything. It is one line of the migration's SQL, read by the runner,
 * with the SQL names from before the migration.
 */
export interface RowCheck {
  readonly table: string;
  /** Primary key of the table. */
  readonly key: string;
  readonly column: string;
  /** True when a row without a value fails the check. */
  readonly isRequired: boolean;
  /** True when messages must not show the column's values. */
  readonly isMasked: boolean;
  /** The old and the new type; null: any value passes. */
  readonly types: {
    readonly from: ColumnType;
    readonly to: ColumnType;
    /** True when digits behind the point and times of day may be lost. */
    readonly isLossy: boolean;
  } | null;
}

/** Prefix of each line of a migration that holds a `RowCheck` as JSON. */
export const ROW_CHECK_MARK = "-- check:";
