/** Plans the migrations of a model and reports what needs the author's word (definitions 2, `compiler.migrations`). */
import type { ProjectModel } from "../../../model/project.ts";
import type { TableModel } from "../../../model/table.ts";
import { snakeCase } from "../../../surface/names.ts";
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { GeneratedFile } from "../../host.ts";
import { planMigration, type UnreadableState } from "../../migrations/plan_migration.ts";
import type { SchemaHints, SchemaProblem } from "../../migrations/schema_change.ts";
import type { Definitions } from "../values.ts";
import { configuredBackfill, foreignKeysTo, scopeBackfills } from "./scope_backfills.ts";
import { sqlTables } from "./sql_tables.ts";

/** The migration files, none where something was reported. */
export function planMigrations(
  { model, definitions }: { readonly model: ProjectModel; readonly definitions: Definitions },
  report: Report,
): readonly GeneratedFile[] {
  const migration = planMigration({
    tables: sqlTables(model),
    hints: schemaHints(model),
    state: definitions.migrationState,
  });
  switch (migration.kind) {
    case "planned":
      return migration.files;
    case "unreadable":
      reportState(migration, report);
      return [];
    case "refused":
      for (const problem of migration.problems) {
        reportProblem(problem, { report, places: placesOf(model, definitions) });
      }
      return [];
  }
}

function reportState({ file, fault }: UnreadableState, report: Report): void {
  if (fault === "foreign") report.add("MIGRATION_STATE_FOREIGN", startOf(file), { file });
  else report.add("MIGRATION_STATE_INVALID", startOf(file), { file, fault });
}

/** An old name is not in the model: it counts both as written and as the usual SQL spelling of it. */
function schemaHints(model: ProjectModel): SchemaHints {
  const { renames, tables, allowDestructive } = model;
  const sqlNames = new Map(tables.map((table) => [table.name, table]));
  return {
    tables: new Map(
      Object.entries(renames.tables).flatMap(([from, to]) =>
        spellings(from).map((old) => [old, sqlNames.get(to)?.sqlName ?? to] as const)
      ),
    ),
    columns: new Map(tables.map((table) => [table.sqlName, columnHints(table, renames)])),
    backfills: scopeBackfills(model),
    allowDestructive,
  };
}

/** A table that is renamed too may go by either of its names. */
function columnHints(
  table: TableModel,
  renames: ProjectModel["renames"],
): ReadonlyMap<string, string> {
  const oldNames = Object.entries(renames.tables).flatMap(([from, to]) =>
    to === table.name || to === table.sqlName ? spellings(from) : []
  );
  const prefixes = [table.name, table.sqlName, ...oldNames].map((name) => `${name}.`);
  const own = Object.entries(renames.columns).flatMap(([key, to]) => {
    const prefix = prefixes.find((candidate) => key.startsWith(candidate));
    return prefix === undefined ? [] : [{ from: key.slice(prefix.length), to }];
  });
  return new Map(own.flatMap(({ from, to }) => {
    const target = table.columns.find(({ name }) => name === to)?.sqlName ?? to;
    return spellings(from).map((old) => [old, target] as const);
  }));
}

function spellings(name: string): readonly string[] {
  return [...new Set([name, snakeCase(name)])];
}

/** Places of reported migration problems: the table's own, or the configuration for a table that is gone. */
interface Places {
  readonly model: ProjectModel;
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly config: Place;
}

function placesOf(model: ProjectModel, { config }: Definitions): Places {
  return {
    model,
    tables: new Map(model.tables.map((table) => [table.sqlName, table])),
    config: config?.defaultExport?.place ?? startOf("quickback/quickback.config.ts"),
  };
}

function startOf(file: string): Place {
  return { file, line: 1, column: 1, length: 1 };
}

function reportProblem(
  problem: SchemaProblem,
  { report, places }: { readonly report: Report; readonly places: Places },
): void {
  const table = places.tables.get(problem.table);
  const place = table ? { ...table.origin, length: 1 } : places.config;
  const named = { table: table?.name ?? problem.table };
  const defined = (column: string) => table?.columns.find(({ sqlName }) => sqlName === column);
  const apiName = (column: string) => defined(column)?.name ?? column;
  switch (problem.kind) {
    case "tableDropped":
      return report.add("MIGRATION_DROPS_TABLE", place, named);
    case "columnDropped":
      return report.add("MIGRATION_DROPS_COLUMN", place, { ...named, column: problem.column });
    case "deletedRowsDropped":
      return report.add("MIGRATION_DROPS_DELETED_ROWS", place, {
        ...named,
        column: problem.column,
      });
    case "hintUnused":
      return report.add("MIGRATION_HINT_UNUSED", place, { ...named, column: problem.column });
    case "renameUnclear":
      return report.add("MIGRATION_RENAME_UNCLEAR", place, {
        ...named,
        column: problem.column === null ? null : apiName(problem.column),
      });
    case "renameOrDrop":
      return report.add("MIGRATION_RENAME_OR_DROP", place, {
        ...named,
        gone: problem.gone,
        added: problem.added.map(apiName),
      });
    case "needsDefault":
      return report.add("MIGRATION_NEEDS_DEFAULT", place, {
        ...named,
        column: apiName(problem.column),
      });
    case "needsBackfill": {
      const column = apiName(problem.column);
      const said = table ? configuredBackfill(table, column, places.model) : undefined;
      return report.add("MIGRATION_NEEDS_BACKFILL", place, {
        ...named,
        column,
        said: said ?? null,
        keys: table ? foreignKeysTo(table, column, places.model).map(({ name }) => name) : [],
      });
    }
    case "typeChanged":
      return report.add("MIGRATION_CHANGES_TYPE", place, {
        ...named,
        column: apiName(problem.column),
        from: problem.from,
        to: problem.to,
      });
  }
}
