/** Writes schema changes as SQLite statements. Every name goes through one encoder, every default already did. */
import { sqlIdentifier as name } from "../../lib/sql_identifier.ts";
import type { SqlColumn, SqlIndex, SqlTable } from "../../model/sql_table.ts";
import type { Copy, SchemaChange } from "./schema_change.ts";

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
    case "rebuildTable":
      return rebuildTable(change.table, change.copied);
    case "dropTable":
      return [`DROP TABLE ${name(change.table)}`];
    case "createIndex":
      return [createIndex(change.table, change.index)];
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

/** SQLite's own recipe for what ALTER TABLE cannot do; foreign keys must not be enforced meanwhile. */
function rebuildTable(table: SqlTable, copied: readonly Copy[]): readonly string[] {
  const temporary = `__new_${table.name}`;
  const columns = copied.map(({ column }) => name(column.name)).join(", ");
  const copy = `INSERT INTO ${name(temporary)} (${columns}) SELECT ${
    copied.map(copiedValue).join(", ")
  } FROM ${name(table.name)}`;
  return [
    createTable(table, temporary),
    ...(copied.length === 0 ? [] : [copy]),
    `DROP TABLE ${name(table.name)}`,
    `ALTER TABLE ${name(temporary)} RENAME TO ${name(table.name)}`,
  ];
}

function copiedValue({ column, cast, fillNulls }: Copy): string {
  const value = cast ? `CAST(${name(column.name)} AS ${column.type})` : name(column.name);
  return fillNulls && column.default !== null ? `coalesce(${value}, ${column.default})` : value;
}

function createIndex(table: string, index: SqlIndex): string {
  const unique = index.unique ? "UNIQUE " : "";
  const where = index.where === null ? "" : ` WHERE ${index.where}`;
  const columns = index.columns.map((column) => name(column)).join(", ");
  return `CREATE ${unique}INDEX ${name(index.name)} ON ${name(table)} (${columns})${where}`;
}
