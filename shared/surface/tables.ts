/** Finding a model's tables by name. */
import type { ColumnModel, ProjectModel, ResourceModel, TableModel } from "../model/mod.ts";

/** The table behind a resource. A model without it is a compiler's mistake. */
export function tableOf(resource: ResourceModel, project: ProjectModel): TableModel {
  return tableNamed(resource.table, project);
}

export function tableNamed(name: string, project: ProjectModel): TableModel {
  const table = project.tables.find((candidate) => candidate.name === name);
  if (!table) throw new Error(`The model has no table "${name}"`);
  return table;
}

export function columnNamed(name: string, table: TableModel): ColumnModel {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`The table "${table.name}" has no column "${name}"`);
  return column;
}
