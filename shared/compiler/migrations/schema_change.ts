/**
 * Defines the changes from one database schema to the next as data, and writes their SQL. Other modules find refusals in the
 * changes.
 */
import { createSearch, dropSearch } from "./search_sql.ts";
import { renameSequence, type StartedSequence, startSequence } from "./made_sql.ts";
import { sqlIdentifier as name, sqlString } from "../../lib/sql_text.ts";
import { createRollup, dropRollup } from "./rollup_sql.ts";
import type { RowCheck, SqlColumn, SqlIndex, SqlSearch, SqlTable } from "../../model/mod.ts";
import type { SqlRollup } from "../../model/mod.ts";

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
  /** Rebuilds a table: a new one receives the rows and then the name, for changes that SQLite's ALTER TABLE cannot make. */
  | {
    readonly kind: "rebuildTable";
    readonly table: SqlTable;
    readonly copied: readonly Copy[];
    readonly filled: readonly Fill[];
  }
  /**
   * Deletes soft-deleted rows before the column that hides them is dropped. `keys` lead from table to table to a parent's row.
   */
  | { readonly kind: "purgeDeleted"; readonly rows: DeletedRows }
  | { readonly kind: "dropTable"; readonly table: string }
  | { readonly kind: "createIndex"; readonly table: string; readonly index: SqlIndex }
  /** Gives a value to rows without one. */
  | {
    readonly kind: "fillColumn";
    readonly table: string;
    readonly column: string;
    readonly value: string;
  }
  /** Numbers rows without a number by age. Counters continue after the last. */
  | { readonly kind: "startSequence"; readonly sequence: StartedSequence }
  | { readonly kind: "renameSequence"; readonly from: string; readonly to: string }
  /** Drops a table's triggers before anything else happens to its tables. */
  | { readonly kind: "dropRollup"; readonly table: string; readonly rollup: SqlRollup }
  /** Creates the triggers and counts the existing rows. */
  | { readonly kind: "createRollup"; readonly table: string; readonly rollup: SqlRollup }
  /**
   * Drops an index before anything else happens to its table, which then has no triggers. `table` is the name under which it
   * was made.
   */
  | { readonly kind: "dropSearch"; readonly table: string; readonly search: SqlSearch }
  /** Creates the index over the existing rows. */
  | { readonly kind: "createSearch"; readonly table: string; readonly search: SqlSearch };

/** A table's soft-deleted rows, or its rows that refer to soft-deleted rows of the parent. */
export interface DeletedRows {
  readonly table: string;
  readonly marker: string;
  readonly parent:
    | { readonly column: string; readonly key: string; readonly rows: DeletedRows }
    | null;
}

/** A column that a rebuild copies. */
export interface Copy {
  readonly column: SqlColumn;
  /** SQL of its new value. */
  readonly value: string;
  /** True if rows may contain NULL where the new column refuses it and has a default. */
  readonly fillNulls: boolean;
}

/** A new column with its value in existing rows. */
export interface Fill {
  readonly column: SqlColumn;
  readonly from: Backfill;
}

/** The source of a new scope column's value for existing rows. Names are SQL names. */
export type Backfill =
  /** The row that the foreign key identifies has the value in its column `value`. */
  | {
    readonly kind: "parent";
    readonly foreignKey: string;
    readonly table: string;
    readonly key: string;
    readonly value: string;
  }
  | { readonly kind: "literal"; readonly value: string }
  /** SQL that computes the value from the row. */
  | { readonly kind: "expression"; readonly sql: string }
  /** The rows are deleted. */
  | { readonly kind: "delete" };

/** A change that needs the author's consent to be migrated. Names are SQL names. */
export type SchemaProblem =
  | { readonly kind: "tableDropped"; readonly table: string }
  | { readonly kind: "columnDropped"; readonly table: string; readonly column: string }
  /** One table lost a column and has a new one, which may be a rename. */
  | {
    readonly kind: "renameOrDrop";
    readonly table: string;
    readonly gone: string;
    readonly added: readonly string[];
  }
  /** The column that marks deleted rows was removed. */
  | { readonly kind: "deletedRowsDropped"; readonly table: string; readonly column: string }
  /** A rename hint names a removed or new column, but does not fit. */
  | { readonly kind: "hintUnused"; readonly table: string; readonly column: string | null }
  /** A rename hint whose old name is still defined. */
  | { readonly kind: "renameUnclear"; readonly table: string; readonly column: string | null }
  | { readonly kind: "needsDefault"; readonly table: string; readonly column: string }
  /** A new scope column for which existing rows have no value. */
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
    {
      readonly kind:
        | "needsDefault"
        | "needsBackfill"
        | "hintUnused"
        | "renameUnclear"
        | "typeChanged";
    }
  >
  /** A backfill that deletes rows. */
  | { readonly kind: "rowsDeleted"; readonly table: string }
  /** No value of the old type is a value of the new type. */
  | ValueLoss<"valuesDropped">
  /** The new type drops digits after the point, or times of day. */
  | ValueLoss<"valuesCut">;

interface ValueLoss<Kind extends string> {
  readonly kind: Kind;
  readonly table: string;
  readonly column: string;
  readonly from: string;
  readonly to: string;
}

/** The author's instructions. Names are SQL names. */
export interface SchemaHints {
  /** Maps an old table to the new one. */
  readonly tables: ReadonlyMap<string, string>;
  /** Maps a new table to its columns, old to new. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Values of scope columns in existing rows, by new table and column; null: unknown. */
  readonly backfills: ReadonlyMap<string, ReadonlyMap<string, Backfill | null>>;
  readonly allowDestructive: boolean;
  /** Rings of renames that databases have applied, according to the last snapshot. */
  readonly appliedRings?: readonly string[];
  /** Columns whose rows may stay beyond a length, a bound or a pattern, by new table. */
  readonly accepted?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Columns that are masked for some callers, by new table: no message shows their values. */
  readonly masked?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Notices for the author about a migration that is made. Names are SQL names. */
export interface SchemaNotice {
  /** Kind of the notice. `literalMade`: a text that was stored literally is now a generated default. */
  readonly kind: "converted" | "narrowed" | "literalMade";
  readonly table: string;
  readonly column: string;
  readonly from: string;
  readonly to: string;
  /** Limit that the column's new type adds: `maxLength 50`. */
  readonly limits: readonly string[];
  /** True if the author may accept rows beyond all of these limits. */
  readonly isAcceptable: boolean;
}

export interface SchemaDiff {
  /** Changes in the order in which they must run. */
  readonly changes: readonly SchemaChange[];
  readonly problems: readonly SchemaProblem[];
  /** The losses that the author has allowed. */
  readonly losses: readonly SchemaLoss[];
  /** Checks of the rows before the changes. */
  readonly checks: readonly RowCheck[];
  readonly notices: readonly SchemaNotice[];
  /** Every ring of the rename hints. */
  readonly rings: readonly string[];
}

/** Returns the statements of one change, without closing semicolons. */
export function changeSql(change: SchemaChange): readonly string[] {
  switch (change.kind) {
    case "renameTable":
      return [`ALTER TABLE ${name(change.from)} RENAME TO ${name(change.to)}`];
    case "renameColumn":
      return [
        `ALTER TABLE ${name(change.table)} RENAME COLUMN ${name(change.from)} TO ${
          name(change.to)
        }`,
      ];
    case "dropIndex":
      return [`DROP INDEX ${name(change.index.name)}`];
    case "createTable":
      return [createTable(change.table)];
    case "addColumn":
      return [`ALTER TABLE ${name(change.table)} ADD COLUMN ${columnSql(change.column)}`];
    case "dropColumn":
      return [`ALTER TABLE ${name(change.table)} DROP COLUMN ${name(change.column)}`];
    case "rebuildTable": {
      const { table, copied, filled } = change;
      const temporary = `__new_${table.name}`;
      const columns = [...copied, ...filled].map(({ column }) => name(column.name)).join(", ");
      const values = [
        ...copied.map(({ column, value, fillNulls }) =>
          fillNulls ? `coalesce(${value}, ${column.default})` : value
        ),
        ...filled.map((fill) => filledValue(fill, table)),
      ];
      const copy = `INSERT INTO ${name(temporary)} (${columns}) SELECT ${values.join(", ")} FROM ${
        name(table.name)
      }`;
      return [
        createTable(table, temporary),
        // The counter continues, because an id is never reused, even if its row is gone.
        ...(table.columns.some((column) => column.autoIncrement)
          ? [
            `INSERT INTO sqlite_sequence (name, seq) SELECT ${
              sqlString(`__new_${table.name}`)
            }, seq FROM sqlite_sequence WHERE name = ${sqlString(table.name)}`,
          ]
          : []),
        ...(copied.length === 0 || filled.some(({ from }) => from.kind === "delete") ? [] : [copy]),
        `DROP TABLE ${name(table.name)}`,
        `ALTER TABLE ${name(temporary)} RENAME TO ${name(table.name)}`,
      ];
    }
    case "purgeDeleted":
      return [`DELETE FROM ${name(change.rows.table)} WHERE ${deletedCondition(change.rows)}`];
    case "dropTable":
      return [`DROP TABLE ${name(change.table)}`];
    case "createIndex":
      return [createIndex(change.table, change.index)];
    case "fillColumn": {
      const cell = name(change.column);
      return [`UPDATE ${name(change.table)} SET ${cell} = ${change.value} WHERE ${cell} IS NULL`];
    }
    case "startSequence":
      return startSequence(change.sequence);
    case "renameSequence":
      return renameSequence(change.from, change.to);
    case "dropRollup":
      return dropRollup(change.table, change.rollup);
    case "createRollup":
      return createRollup(change.table, change.rollup);
    case "dropSearch":
      return dropSearch(change.table, change.search);
    case "createSearch":
      return createSearch(change.table, change.search);
  }
}

function createTable(table: SqlTable, tableName = table.name): string {
  const lines = [
    ...table.columns.map(columnSql),
    ...table.columns.flatMap((column) => column.references ? [foreignKeySql(column)] : []),
  ];
  return `CREATE TABLE ${name(tableName)} (\n${lines.map((line) => `  ${line}`).join(",\n")}\n)`;
}

/** Returns a column's SQL. In `ADD COLUMN` it contains the reference; `createTable` writes references as constraints. */
function columnSql(column: SqlColumn, position?: number): string {
  const { references } = column;
  return [
    `${name(column.name)} ${column.type}`,
    ...(column.primaryKey ? ["PRIMARY KEY"] : []),
    ...(column.autoIncrement ? ["AUTOINCREMENT"] : []),
    ...(column.generated === undefined
      ? []
      : [`GENERATED ALWAYS AS (${column.generated}) VIRTUAL`]),
    ...(column.notNull ? ["NOT NULL"] : []),
    ...(column.default === null ? [] : [`DEFAULT ${column.default}`]),
    ...(position === undefined && references ? [referenceSql(references)] : []),
  ].join(" ");
}

function foreignKeySql(column: SqlColumn): string {
  const { references } = column;
  if (!references) throw new Error(`Column '${column.name}' references nothing`);
  return `FOREIGN KEY (${name(column.name)}) ${referenceSql(references)}`;
}

function referenceSql(references: NonNullable<SqlColumn["references"]>): string {
  const { table, column, onDelete } = references;
  return `REFERENCES ${name(table)}(${name(column)}) ON DELETE ${onDelete}`;
}

function deletedCondition({ marker, parent }: DeletedRows): string {
  const marked = `${name(marker)} IS NOT NULL`;
  if (parent === null) return marked;
  const { column, key, rows } = parent;
  return `${marked} AND ${name(column)} IN (SELECT ${name(key)} FROM ${name(rows.table)} WHERE ${
    deletedCondition(rows)
  })`;
}

function filledValue({ from }: Fill, table: SqlTable): string {
  switch (from.kind) {
    case "parent": {
      const parent = name(from.table);
      return `(SELECT ${parent}.${name(from.value)} FROM ${parent} WHERE ${parent}.${
        name(from.key)
      } = ${name(table.name)}.${name(from.foreignKey)})`;
    }
    case "literal":
      return sqlString(from.value);
    case "expression":
      return from.sql;
    case "delete":
      return "NULL";
  }
}

function createIndex(table: string, index: SqlIndex): string {
  const unique = index.unique ? "UNIQUE " : "";
  const where = index.where === null ? "" : ` WHERE ${index.where}`;
  const columns = index.columns.map((column) => name(column)).join(", ");
  return `CREATE ${unique}INDEX ${name(index.name)} ON ${name(table)} (${columns})${where}`;
}
