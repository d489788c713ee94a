/** Writes schema changes as SQLite statements. Every name goes through one encoder, every default already did. */
import { sqlIdentifier as name, sqlString } from "../../lib/sql_text.ts";
import type { SqlColumn, SqlIndex, SqlTable } from "../../model/sql_table.ts";
import type { Copy, DeletedRows, Fill, SchemaChange } from "./schema_change.ts";

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
      return rebuildTable(change);
    case "purgeDeleted":
      return [`DELETE FROM ${name(change.rows.table)} WHERE ${deletedCondition(change.rows)}`];
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

type Rebuild = Extract<SchemaChange, { readonly kind: "rebuildTable" }>;

/** SQLite's own recipe for what ALTER TABLE cannot do; foreign keys must not be enforced meanwhile. */
function rebuildTable({ table, copied, filled }: Rebuild): readonly string[] {
  const temporary = `__new_${table.name}`;
  const columns = [...copied, ...filled].map(({ column }) => name(column.name)).join(", ");
  const values = [...copied.map(copiedValue), ...filled.map((fill) => filledValue(fill, table))];
  const copy = `INSERT INTO ${name(temporary)} (${columns}) SELECT ${values.join(", ")} FROM ${
    name(table.name)
  }`;
  return [
    createTable(table, temporary),
    ...(table.columns.some((column) => column.autoIncrement) ? [keepSequence(table.name)] : []),
    ...(copied.length === 0 || filled.some(({ from }) => from.kind === "delete") ? [] : [copy]),
    `DROP TABLE ${name(table.name)}`,
    `ALTER TABLE ${name(temporary)} RENAME TO ${name(table.name)}`,
  ];
}

/** Ids that were given once are not given again, although their rows are gone. */
function keepSequence(table: string): string {
  return `INSERT INTO sqlite_sequence (name, seq) SELECT ${
    sqlString(`__new_${table}`)
  }, seq FROM sqlite_sequence WHERE name = ${sqlString(table)}`;
}

function deletedCondition({ marker, parent }: DeletedRows): string {
  const marked = `${name(marker)} IS NOT NULL`;
  if (parent === null) return marked;
  const { column, key, rows } = parent;
  return `${marked} AND ${name(column)} IN (SELECT ${name(key)} FROM ${name(rows.table)} WHERE ${
    deletedCondition(rows)
  })`;
}

function copiedValue({ column, json, cast, fillNulls }: Copy): string {
  const stored = storedValue(name(column.name), json);
  const value = cast ? `CAST(${stored} AS ${column.type})` : stored;
  return fillNulls && column.default !== null ? `coalesce(${value}, ${column.default})` : value;
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

function createIndex(table: string, index: SqlIndex): string {
  const unique = index.unique ? "UNIQUE " : "";
  const where = index.where === null ? "" : ` WHERE ${index.where}`;
  const columns = index.columns.map((column) => name(column)).join(", ");
  return `CREATE ${unique}INDEX ${name(index.name)} ON ${name(table)} (${columns})${where}`;
}
