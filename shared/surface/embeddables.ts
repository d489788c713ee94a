/** Foreign keys whose targets an operation may embed (contract 4.3 rule 4, definitions 4.5). */
import type { ColumnModel, TableModel } from "../model/table.ts";
import type { ProjectModel } from "../model/project.ts";
import type { ResourceModel } from "../model/resource.ts";
import type { Operation } from "./operations.ts";
import { tableNamed, tableOf } from "./tables.ts";

export interface Embeddable {
  /** The foreign key. */
  readonly column: ColumnModel;
  /** Target of the foreign key. */
  readonly table: TableModel;
  readonly resource: ResourceModel;
}

/** In allow-list order. A target that nobody can read has no routes and is never embedded. */
export function embeddablesOf(operation: Operation, project: ProjectModel): readonly Embeddable[] {
  const table = tableOf(operation.resource, project);
  return allowedColumns(operation).flatMap((name) => {
    const column = table.columns.find((candidate) => candidate.name === name);
    if (!column?.references) return [];
    const target = tableNamed(column.references.table, project);
    const resource = project.resources.find((candidate) => candidate.table === target.name);
    return resource?.read ? [{ column, table: target, resource }] : [];
  });
}

function allowedColumns({ kind, view, resource }: Operation): readonly string[] {
  if (kind !== "list" && kind !== "view" && kind !== "get") return [];
  return view ? view.include : resource.read?.include ?? [];
}
