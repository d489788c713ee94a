/** The tables with masks, by the names under which a value may show their columns (contract 4.4 rule 1). */
import type { ProjectModel } from "../model/project.ts";
import type { ResourceModel } from "../model/resource.ts";
import type { TableModel } from "../model/table.ts";
import { tableOf } from "./tables.ts";

export interface MaskSource {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  /** API and SQL name → API name. */
  readonly columns: ReadonlyMap<string, string>;
}

export function maskSourcesOf(project: ProjectModel): readonly MaskSource[] {
  return project.resources.filter(({ masks }) => Object.keys(masks).length > 0)
    .map((resource) => {
      const table = tableOf(resource, project);
      const names = table.columns.flatMap(({ name, sqlName }) => [
        [name, name] as const,
        [sqlName, name] as const,
      ]);
      return { resource, table, columns: new Map(names) };
    });
}
