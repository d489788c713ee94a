/** A model's tables in SQLite's terms, which migrations are diffed over (definitions 3). */
import { storageOf, stored as storedValue } from "../../../column_types/mod.ts";
import { compareText } from "../../../lib/texts.ts";
import { sqlIdentifier, sqlString } from "../../../lib/sql_text.ts";
import type { ColumnModel, IndexModel, TableModel } from "../../../model/table.ts";
import type { ProjectModel } from "../../../model/project.ts";
import { serviceTables } from "../../../model/service_tables.ts";
import type { SqlColumn, SqlIndex, SqlTable } from "../../../model/sql_table.ts";

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
    type: storageOf(column.type, table).sql,
    notNull: primaryKey || !column.nullable,
    primaryKey,
    autoIncrement: serial,
    default: sqlDefault(column),
    references: column.references && sqlReference(column.references, tables),
    json: storageOf(column.type).mode === "json",
  };
}

function sqlDefault(column: ColumnModel): string | null {
  const value = column.default;
  if (value === null) {
    const byType = storageOf(column.type).default;
    return byType === null ? null : String(byType);
  }
  if (value.kind === "now") return NOW;
  const stored = storedValue(column, value.value);
  if (stored === null) return null;
  return typeof stored === "string" ? sqlString(stored) : JSON.stringify(stored);
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
