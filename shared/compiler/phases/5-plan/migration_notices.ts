/**
 * Reports notices about a migration to the author, and reads the columns that the author accepts (definitions 2,
 * `compiler.migrations`).
 */
import { nearest } from "../../../lib/nearest.ts";
import type { ProjectModel, TableModel } from "../../../model/mod.ts";
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { SchemaNotice } from "../../migrations/schema_change.ts";

/** Reports a notice about one of the project's own tables. An author cannot change another table. */
export function reportNotice(
  { kind, from, to, limits, isAcceptable, ...named }: SchemaNotice,
  report: Report,
  { tables, step }: {
    readonly tables: ReadonlyMap<string, TableModel>;
    /** Number of the data steps that belong to the migration. */
    readonly step: string;
  },
): void {
  const table = tables.get(named.table);
  if (!table) return;
  const column = table.columns.find(({ sqlName }) => sqlName === named.column)?.name ??
    named.column;
  const place = { ...table.origin, length: 1 };
  const fact = { table: table.name, column };
  if (kind === "converted") report.add("MIGRATION_CONVERTS", place, { ...fact, from, to });
  else if (kind === "literalMade") report.add("MIGRATION_MAKES_DEFAULT", place, fact);
  else report.add("MIGRATION_NARROWS", place, { ...fact, limits, isAcceptable, step });
}

type ColumnNames = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the SQL names of the columns that `compiler.migrations.accept` names in SQL or in the API. */
export function acceptedColumns(
  { tables, accepted = [] }: ProjectModel,
  place: Place,
  report: Report,
): ColumnNames {
  const known = tables.flatMap((table) =>
    table.columns.map((column) => ({
      table: table.sqlName,
      column: column.sqlName,
      names: [`${table.name}.${column.name}`, `${table.sqlName}.${column.sqlName}`],
    }))
  );
  const found = new Map<string, Set<string>>();
  for (const name of accepted) {
    const one = known.find(({ names }) => names.includes(name));
    if (!one) {
      const near = nearest(name, known.flatMap(({ names }) => names));
      report.add("MIGRATION_ACCEPTS_NOTHING", place, { name, nearest: near });
      continue;
    }
    found.set(one.table, (found.get(one.table) ?? new Set()).add(one.column));
  }
  return found;
}

/** Returns the SQL names of the columns that are masked for some callers. */
export function maskedColumns({ tables, resources }: ProjectModel): ColumnNames {
  return new Map(tables.map((table) => {
    const masks = resources.filter((resource) => resource.table === table.name)
      .flatMap((resource) => Object.keys(resource.masks));
    const columns = table.columns.filter(({ name }) => masks.includes(name));
    return [table.sqlName, new Set(columns.map(({ sqlName }) => sqlName))];
  }));
}
