/** Finding a model's tables by name. */
import { rulesOf, vectorOf, type VectorType } from "../column_types/mod.ts";
import type { ColumnModel, ProjectModel, ResourceModel, TableModel } from "../model/mod.ts";

/** The table behind a resource. A model without it is a compiler's mistake. */
export function tableOf(resource: ResourceModel, project: ProjectModel): TableModel {
  return tableNamed(resource.table, project);
}

/** Kept with the tables of a model: a large project asks for each many times. */
const TABLES = new WeakMap<ProjectModel["tables"], ReadonlyMap<string, TableModel>>();

export function tableNamed(name: string, { tables }: ProjectModel): TableModel {
  const known = TABLES.get(tables) ?? new Map(tables.map((table) => [table.name, table]));
  TABLES.set(tables, known);
  const table = known.get(name);
  if (!table) throw new Error(`The model has no table "${name}"`);
  return table;
}

export function columnNamed(name: string, table: TableModel): ColumnModel {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`The table "${table.name}" has no column "${name}"`);
  return column;
}

/** Columns of a record for which nobody has to ask: all but vectors. */
export function recordColumns({ columns }: TableModel): readonly ColumnModel[] {
  return columns.filter(({ type }) => !rulesOf(type).isAsked);
}

/** A vector of a table (definitions 3). */
export interface VectorColumn {
  readonly column: ColumnModel;
  readonly type: VectorType;
}

/** The vector by which `near` sorts; null: the table has none. A table has one at most. */
export function vectorColumnOf({ columns }: TableModel): VectorColumn | null {
  for (const column of columns) {
    const type = vectorOf(column.type);
    if (type !== null) return { column, type };
  }
  return null;
}
