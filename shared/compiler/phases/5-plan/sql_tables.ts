/** Says a model's tables in SQLite's terms: what migrations are diffed over (definitions 3). */
import { compareText } from "../../../lib/compare_text.ts";
import { sqlIdentifier } from "../../../lib/sql_identifier.ts";
import { sqlString } from "../../../lib/sql_string.ts";
import type { ColumnDefault, ColumnModel, ColumnType } from "../../../model/column.ts";
import type { ProjectModel } from "../../../model/project.ts";
import { serviceTables } from "../../../model/service_tables.ts";
import type { SqlColumn, SqlIndex, SqlTable } from "../../../model/sql_table.ts";
import type { IndexModel, TableModel } from "../../../model/table.ts";

type SqlType = SqlColumn["type"];

/** The same instant format that the runtime stamps. */
const NOW = "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))";

/** All tables of a project's database, the service's own included, sorted by name. */
export function sqlTables(project: ProjectModel): readonly SqlTable[] {
  const tables = new Map(project.tables.map((table) => [table.name, table]));
  return [
    ...serviceTables(project),
    ...project.tables.map((table) => sqlTable(table, tables)),
  ].sort((a, b) => compareText(a.name, b.name));
}

function sqlTable(table: TableModel, tables: ReadonlyMap<string, TableModel>): SqlTable {
  return {
    name: table.sqlName,
    columns: table.columns.map((column) => sqlColumn(column, { table, tables })),
    indexes: table.indexes.map((index) => sqlIndex(index, table))
      .sort((a, b) => compareText(a.name, b.name)),
  };
}

function sqlColumn(
  column: ColumnModel,
  { table, tables }: {
    readonly table: TableModel;
    readonly tables: ReadonlyMap<string, TableModel>;
  },
): SqlColumn {
  const primaryKey = column.name === table.primaryKey;
  const serial = primaryKey && table.idStrategy === "serial";
  return {
    name: column.sqlName,
    type: serial ? "integer" : SQL_TYPES[column.type.kind],
    notNull: primaryKey || !column.nullable,
    primaryKey,
    autoIncrement: serial,
    default: column.type.kind === "revision" ? "1" : sqlDefault(column.default, column.type),
    references: column.references && sqlReference(column.references, tables),
    json: column.type.kind === "json",
  };
}

const SQL_TYPES: Readonly<Record<ColumnType["kind"], SqlType>> = {
  id: "text",
  text: "text",
  int: "integer",
  real: "real",
  bool: "integer",
  timestamp: "text",
  url: "text",
  enum: "text",
  json: "text",
  scope: "text",
  revision: "integer",
};

function sqlDefault(value: ColumnDefault | null, type: ColumnType): string | null {
  if (value === null) return null;
  if (value.kind === "now") return NOW;
  if (type.kind === "json") return sqlString(JSON.stringify(value.value));
  switch (typeof value.value) {
    case "string":
      return sqlString(value.value);
    case "number":
      return JSON.stringify(value.value);
    case "boolean":
      return value.value ? "1" : "0";
    default:
      return value.value === null ? null : sqlString(JSON.stringify(value.value));
  }
}

/** An undeclared `onDelete` refuses in the database; what happens to children above it is the runtime's (contract 3.1). */
function sqlReference(
  relation: NonNullable<ColumnModel["references"]>,
  tables: ReadonlyMap<string, TableModel>,
): NonNullable<SqlColumn["references"]> {
  const target = tables.get(relation.table);
  if (!target) throw new Error(`Table '${relation.table}' of a reference is not in the model`);
  return {
    table: target.sqlName,
    column: sqlNameOf(target, relation.column),
    onDelete: relation.onDelete ?? "no action",
  };
}

/** Values are unique among live rows (definitions 7). */
function sqlIndex(index: IndexModel, table: TableModel): SqlIndex {
  const live = index.unique && table.softDelete;
  return {
    name: index.name,
    columns: index.columns.map((name) => sqlNameOf(table, name)),
    unique: index.unique,
    where: live ? `${sqlIdentifier(sqlNameOf(table, "deletedAt"))} IS NULL` : null,
  };
}

function sqlNameOf(table: TableModel, column: string): string {
  const found = table.columns.find((candidate) => candidate.name === column);
  if (!found) throw new Error(`Column '${column}' is not in table '${table.name}' of the model`);
  return found.sqlName;
}
