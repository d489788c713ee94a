/**
 * The changes that turn one database schema into the next, as data: SQL is written from them, refusals are read off them.
 */
import { createSearch, dropSearch } from "./search_sql.ts";
import { decimalSql } from "../../column_types/mod.ts";
import { sqlIdentifier as name, sqlString } from "../../lib/sql_text.ts";
import type { SqlColumn, SqlIndex, SqlSearch, SqlTable } from "../../model/mod.ts";

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
  | { readonly kind: "createIndex"; readonly table: string; readonly index: SqlIndex }
  /** Before anything else happens to its table, which then has no triggers; `table` is the name that it was made under. */
  | { readonly kind: "dropSearch"; readonly table: string }
  /** With the rows that there are. */
  | { readonly kind: "createSearch"; readonly table: string; readonly search: SqlSearch };

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
  /** Digits behind the point of the stored numbers, before and after; null: none of both is a decimal. */
  readonly digits: { readonly before: number; readonly after: number } | null;
  /** The type of the stored values. */
  readonly from: SqlColumn["type"];
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

/** The statements of one change, without closing semicolons. */
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
        ...copied.map((copy) => {
          const { column, json, cast, digits, fillNulls } = copy;
          const stored = storedValue(name(column.name), json);
          const value = digits !== null
            ? movedPoint(stored, { ...copy, digits })
            : cast
            ? `CAST(${stored} AS ${column.type})`
            : stored;
          return fillNulls && column.default !== null
            ? `coalesce(${value}, ${column.default})`
            : value;
        }),
        ...filled.map((fill) => filledValue(fill, table)),
      ];
      const copy = `INSERT INTO ${name(temporary)} (${columns}) SELECT ${values.join(", ")} FROM ${
        name(table.name)
      }`;
      return [
        createTable(table, temporary),
        // Ids that were given once are not given again, although their rows are gone.
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
    case "dropSearch":
      return dropSearch(change.table);
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

/** With its reference when it stands alone, in `ADD COLUMN`; `createTable` says references as constraints. */
function columnSql(column: SqlColumn, position?: number): string {
  const { references } = column;
  return [
    `${name(column.name)} ${column.type}`,
    ...(column.primaryKey ? ["PRIMARY KEY"] : []),
    ...(column.autoIncrement ? ["AUTOINCREMENT"] : []),
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
    case "delete":
      return "NULL";
  }
}

/** A string loses or gets its quotes; any other JSON stays as it is written. */
function storedValue(column: string, json: Copy["json"]): string {
  switch (json) {
    case "encode":
      return `CASE WHEN ${column} IS NOT NULL THEN json_quote(${column}) END`;
    case "decode":
      return `CASE WHEN json_valid(${column}) AND json_type(${column}) = 'text' THEN ${column} ->> '$' ELSE ${column} END`;
    case null:
      return column;
  }
}

/** A number whose point moves: decimals are stored without theirs. NULL stays NULL. */
function movedPoint(
  stored: string,
  { column, from, digits: { before, after } }: Copy & {
    readonly digits: Exclude<Copy["digits"], null>;
  },
): string {
  const power = (digits: number) => `1${"0".repeat(digits)}`;
  if (column.type === "text") return decimalSql(stored, before);
  if (column.type === "real") return `CAST(${stored} AS real) / ${power(before)}.0`;
  if (from !== "integer") {
    return `CAST(round(CAST(${stored} AS real) * ${power(after)}.0) AS integer)`;
  }
  if (after >= before) return `${stored} * ${power(after - before)}`;
  const half = power(before - after - 1);
  // Whole numbers divide towards zero.
  return `(${stored} + CASE WHEN ${stored} < 0 THEN -5 ELSE 5 END * ${half}) / ${
    power(before - after)
  }`;
}

function createIndex(table: string, index: SqlIndex): string {
  const unique = index.unique ? "UNIQUE " : "";
  const where = index.where === null ? "" : ` WHERE ${index.where}`;
  const columns = index.columns.map((column) => name(column)).join(", ");
  return `CREATE ${unique}INDEX ${name(index.name)} ON ${name(table)} (${columns})${where}`;
}
