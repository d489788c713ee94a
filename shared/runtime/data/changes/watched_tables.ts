/** Tables whose changes are recorded, with the needed columns. */
import { keepsHistory, type ProjectModel, type TableModel } from "../../../model/mod.ts";
import { realtimeResourcesOf, relationsIn, tableOf } from "../../../surface/mod.ts";
import type { CountedRows, WatchedTables, Watching } from "./change_log.ts";

/** Returns tables whose history is kept, with all columns; null: none. */
export function auditedTables(project: ProjectModel): WatchedTables | null {
  if (!keepsHistory(project)) return null;
  return new Map(
    project.resources.filter(({ audit }) => audit !== undefined).map((resource) => {
      const { name, columns } = tableOf(resource, project);
      return [name, columns.map((column) => column.name)];
    }),
  );
}

/** Returns tables that make frames (contract 6.3), tables that decide who receives them, and tables whose history is kept. */
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
  const counted = countedRows(project, new Set(told.keys()));
  const watched = new Map([...told, ...audited ?? []]);
  for (const { table, key, tenant } of counted) {
    const names = tenant ? [key, tenant.own] : [key];
    watched.set(table.name, [...new Set([...watched.get(table.name) ?? [], ...names])]);
  }
  return { watched, audited, counted };
}

/** Returns rows that are counted, directly or through other totals, in rows that make frames. */
function countedRows(
  { tables }: ProjectModel,
  told: ReadonlySet<string>,
): NonNullable<Watching["counted"]> {
  const links = tables.flatMap((parent) =>
    parent.columns.flatMap(({ rollup }) => {
      const table = tables.find(({ name }) => name === rollup?.table);
      return rollup && table
        ? [{ table, key: rollup.foreignKey, parent, tenant: sharedTenant(table, parent) }]
        : [];
    })
  );
  const wanted = new Set(told);
  for (let known = -1; known < wanted.size;) {
    known = wanted.size;
    for (const { table, parent } of links) if (wanted.has(parent.name)) wanted.add(table.name);
  }
  const needed = links.filter(({ parent }) => wanted.has(parent.name));
  const byKey = new Map(needed.map((link) => [`${link.table.name} ${link.key}`, link]));
  return [...byKey.values()];
}

function sharedTenant({ scope: of }: TableModel, { scope }: TableModel): CountedRows["tenant"] {
  for (const kind of ["organization", "team"] as const) {
    const [own, parent] = [of[kind], scope[kind]];
    if (own !== null && parent !== null) return { own, parent };
  }
  return null;
}
