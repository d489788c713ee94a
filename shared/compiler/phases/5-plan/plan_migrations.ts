/**
 * Plans the migrations of a model and reports those that need an instruction of the author (definitions 2,
 * `compiler.migrations`).
 */
import { snakeCase } from "../../../surface/mod.ts";
import { scopeOf } from "../../../column_types/mod.ts";
import type { ColumnModel, ProjectModel, TableModel } from "../../../model/mod.ts";
import { nearest } from "../../../lib/nearest.ts";
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { GeneratedFile } from "../../host.ts";
import { planMigration } from "../../migrations/plan_migration.ts";
import type { Backfill, SchemaHints, SchemaProblem } from "../../migrations/schema_change.ts";
import type { Definitions } from "../values.ts";
import { acceptedColumns, maskedColumns, reportNotice } from "./migration_notices.ts";
import { type KnownDatabases, weaveDataSteps } from "./plan_data_steps.ts";
import { sqlTables } from "./sql_tables.ts";

/** Returns the migration files; none if something was reported. */
export function planMigrations(
  { model, definitions, databases }: {
    readonly model: ProjectModel;
    readonly definitions: Definitions;
    readonly databases: KnownDatabases;
  },
  report: Report,
): readonly GeneratedFile[] {
  const { allowDestructive } = model;
  const places = placesOf(model, definitions.config?.defaultExport?.place ?? CONFIG_START);
  const accepted = acceptedColumns(model, places.config, report);
  const migration = planMigration({
    tables: sqlTables(model),
    hints: { ...hintsOf(model), allowDestructive, accepted },
    state: definitions.migrationState,
  });
  switch (migration.kind) {
    case "planned":
      for (const notice of migration.notices) {
        const [step = ""] = migration.tag?.split("_") ?? [];
        reportNotice(notice, report, { tables: places.tables, step });
      }
      return weaveDataSteps({ model, definitions }, migration.files, databases, report);
    case "unreadable":
      {
        const { file, fault } = migration;
        if (fault === "foreign") report.add("MIGRATION_STATE_FOREIGN", startOf(file), { file });
        else report.add("MIGRATION_STATE_INVALID", startOf(file), { file, fault });
      }
      return [];
    case "refused":
      for (const problem of migration.problems) {
        reportProblem(problem, report, places);
      }
      return [];
  }
}

/** Returns the project's settings about former names and values. */
export function hintsOf(
  model: ProjectModel,
): Pick<SchemaHints, "tables" | "columns" | "backfills" | "masked"> {
  // The model does not contain an old name, so it counts both as written and in the usual SQL spelling.
  const { renames, tables } = model;
  const sqlNames = new Map(tables.map((table) => [table.name, table]));
  return {
    tables: new Map(
      Object.entries(renames.tables).flatMap(([from, to]) =>
        spellings(from).map((old) => [old, sqlNames.get(to)?.sqlName ?? to] as const)
      ),
    ),
    columns: new Map(tables.map((table) => [table.sqlName, columnHints(table, renames)])),
    backfills: scopeBackfills(model),
    masked: maskedColumns(model),
  };
}

/** Returns the renamed columns of a table. A table that is renamed too may have either of its names. */
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

/** Places of reported migration problems: the table's own, or the configuration for a removed table. */
interface Places {
  readonly model: ProjectModel;
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly config: Place;
}

export function placesOf(model: ProjectModel, config: Place): Places {
  return { model, tables: new Map(model.tables.map((table) => [table.sqlName, table])), config };
}

function startOf(file: string): Place {
  return { file, line: 1, column: 1, length: 1 };
}

/** The place of a configuration that has none of its own. */
export const CONFIG_START: Place = startOf("quickback/quickback.config.ts");

export function reportProblem(
  problem: SchemaProblem,
  report: Report,
  places: Places,
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

/** Returns the value of each scope column in existing rows: the configured one, else that of its one parent; null: unknown. */
function scopeBackfills(model: ProjectModel): SchemaHints["backfills"] {
  return new Map(model.tables.map((table) => [
    table.sqlName,
    new Map(
      table.columns.filter(({ type }) => scopeOf(type) !== null).map((column) => {
        const said = configuredBackfill(table, column.name, model);
        return [
          column.sqlName,
          said === undefined
            ? backfillOfParent(table, column, model)
            : backfillAsSaid(said, table, column, model),
        ];
      }),
    ),
  ]));
}

/** Returns the author's value for this column, under either of its names. */
function configuredBackfill(
  table: TableModel,
  column: string,
  { backfills }: ProjectModel,
): string | undefined {
  const sqlName = table.columns.find(({ name }) => name === column)?.sqlName;
  const keys = [table.name, table.sqlName].flatMap((name) => [
    `${name}.${column}`,
    `${name}.${sqlName}`,
  ]);
  return Object.entries(backfills).find(([key]) => keys.includes(key))?.[1];
}

/**
 * Returns the backfill from the row's parent. Only an organization is inherited without a setting, because a row and its parent
 * may have different owners.
 */
function backfillOfParent(
  table: TableModel,
  column: ColumnModel,
  model: ProjectModel,
): Backfill | null {
  if (scopeOf(column.type) !== "organization") return null;
  const keys = foreignKeysTo(table, column.name, model).filter(({ nullable }) => !nullable);
  const [key] = keys;
  return key && keys.length === 1 ? throughKey(key, column, model) : null;
}

/**
 * Reads a backfill: a foreign key, "delete", or a value. A word that is close to a column's name is not accepted as a value.
 */
function backfillAsSaid(
  said: string,
  table: TableModel,
  column: ColumnModel,
  model: ProjectModel,
): Backfill | null {
  if (said === "delete") return { kind: "delete" };
  const key = foreignKeysTo(table, column.name, model).find(({ name, sqlName }) =>
    name === said || sqlName === said
  );
  if (key) return throughKey(key, column, model);
  const names = table.columns.flatMap(({ name, sqlName }) => [name, sqlName]);
  const isMistaken = names.includes(said) || nearest(said, [...names, "delete"]) !== null;
  return isMistaken ? null : { kind: "literal", value: said };
}

/** Returns foreign keys to other tables that have a scope column of the same kind. */
function foreignKeysTo(
  table: TableModel,
  column: string,
  { tables }: ProjectModel,
): readonly ColumnModel[] {
  const own = table.columns.find(({ name }) => name === column);
  const kind = own ? scopeOf(own.type) : null;
  return kind === null ? [] : table.columns.filter(({ references }) => {
    const target = tables.find(({ name }) => name === references?.table);
    return target !== undefined && target !== table && target.scope[kind] !== null;
  });
}

function throughKey(
  { sqlName, references }: ColumnModel,
  column: ColumnModel,
  { tables }: ProjectModel,
): Backfill | null {
  const parent = tables.find(({ name }) => name === references?.table);
  const kind = scopeOf(column.type);
  const value = kind && parent?.scope[kind];
  if (!parent || !references || !value) return null;
  const sqlNameIn = (name: string) =>
    parent.columns.find((candidate) => candidate.name === name)?.sqlName ?? name;
  return {
    kind: "parent",
    foreignKey: sqlName,
    table: parent.sqlName,
    key: sqlNameIn(references.column),
    value: sqlNameIn(value),
  };
}
