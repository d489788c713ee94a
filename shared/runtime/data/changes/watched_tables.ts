/** Tables whose changes a project asks for, with the columns that are needed of them. */
import { keepsHistory, type ProjectModel } from "../../../model/mod.ts";
import { realtimeResourcesOf, relationsIn, tableOf } from "../../../surface/mod.ts";
import type { WatchedTables, Watching } from "./change_log.ts";

/** Tables whose history is kept, with all of their columns; null: none. */
export function auditedTables(project: ProjectModel): WatchedTables | null {
  if (!keepsHistory(project)) return null;
  return new Map(
    project.resources.filter(({ audit }) => audit !== undefined).map((resource) => {
      const { name, columns } = tableOf(resource, project);
      return [name, columns.map((column) => column.name)];
    }),
  );
}

/** Tables that make frames (contract 6.3), those that decide who gets them, and those whose history is kept. */
export function watchingOf(project: ProjectModel): Watching {
  const resources = realtimeResourcesOf(project);
  const told = new Map(resources.map(({ table, columns }) => [table.name, columns]));
  for (
    const { relation } of resources.flatMap(({ predicates }) => predicates).flatMap(relationsIn)
  ) {
    const names = relation.columns.map(({ name }) => name);
    told.set(relation.table, [...new Set([...told.get(relation.table) ?? [], ...names])]);
  }
  const audited = auditedTables(project);
  return { watched: new Map([...told, ...audited ?? []]), audited };
}
