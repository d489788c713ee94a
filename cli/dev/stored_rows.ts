/** Tables and their stored rows, as a playground shows them. No output has a route for stored rows. */
import type { StoredRows, Table } from "../../playground/mod.ts";
import { storedRecords } from "../../proof/rows/mod.ts";
import { CONTRACT_VERSIONS } from "../../shared/contract/mod.ts";
import type { ProjectModel, ResourceModel, TableModel } from "../../shared/model/mod.ts";
import type { Reader } from "../../shared/runtime/mod.ts";
import { refusalOf } from "../../shared/surface/mod.ts";

/** Returns the author's own tables with routes, as the page shows them. */
export function tablesOf(project: ProjectModel): Table[] {
  const base = CONTRACT_VERSIONS[project.contract].apiBase;
  return project.resources.flatMap((resource): Table[] => {
    const table = project.tables.find(({ name }) => name === resource.table);
    if (table === undefined || resource.builtIn !== undefined) return [];
    const verbs = (["read", "history", "create", "update", "delete"] as const)
      .filter((verb) =>
        verb === "history" ? (resource.audit?.access ?? null) !== null : resource[verb] !== null
      );
    return [{
      name: resource.name,
      path: `${base}/${resource.segment}`,
      key: table.primaryKey,
      columns: table.columns.toSorted((a, b) => RANKS[a.manager] - RANKS[b.manager])
        .map((column) => columnOf(column, resource, table)),
      verbs,
    }];
  });
}

/** Order of columns: a page shows an author's own columns first, after the id. */
const RANKS = { id: 0, client: 1, scope: 2, computed: 3, revision: 4, system: 5 } as const;

function columnOf(
  { name, type, nullable, references }: TableModel["columns"][number],
  resource: ResourceModel,
  table: TableModel,
): Table["columns"][number] {
  return {
    name,
    type: type.kind,
    nullable,
    masked: Object.hasOwn(resource.masks, name),
    updatable: resource.update !== null && refusalOf("update", name, resource, table) === null,
    references: references?.table ?? null,
  };
}

/** Returns rows by id; missing rows are left out. Empty for a table that the project does not have. */
export async function storedRowsIn(
  database: Reader,
  project: ProjectModel,
  { table: name, ids }: { readonly table: string; readonly ids: readonly string[] },
): Promise<StoredRows> {
  const table = project.tables.find((one) => one.name === name);
  if (table === undefined || ids.length === 0) return {};
  const keys = ids.map((id) => table.idStrategy === "serial" ? Number(id) : id);
  const records = await storedRecords(database, table, keys);
  return Object.fromEntries(
    records.map((record) => [String(record[table.primaryKey]), record] as const),
  );
}
