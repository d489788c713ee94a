/** Lists records that an operation may return along with its own (contract 4.3 rule 4, definitions 4.5). */
import { accountOf } from "../column_types/mod.ts";
import { ACCOUNTS_RESOURCE, ACCOUNTS_TABLE, type ProjectModel } from "../model/mod.ts";
import type { Operation } from "./operations.ts";
import { childRelations, type Relation } from "./relations.ts";
import { tableNamed, tableOf } from "./tables.ts";

/** Returns the targets of foreign keys, by the names of the keys, in allow-list order; then rows that refer to the records. */
export function embeddablesOf(operation: Operation, project: ProjectModel): readonly Relation[] {
  const { kind, view, resource } = operation;
  const from = view ?? resource.read;
  if (from === null || kind !== "list" && kind !== "view" && kind !== "get") return [];
  const table = tableOf(resource, project);
  const parents = from.include.flatMap((name): readonly Relation[] => {
    const column = table.columns.find((candidate) => candidate.name === name);
    if (column && accountOf(column.type) !== null) {
      const [table, resource] = [ACCOUNTS_TABLE, ACCOUNTS_RESOURCE];
      return [{ name, direction: "parent", column, table, resource }];
    }
    if (!column?.references) return [];
    const target = tableNamed(column.references.table, project);
    const resource = project.resources.find((candidate) => candidate.table === target.name);
    // A target that cannot be read has no routes and is never embedded.
    return resource?.read ? [{ name, direction: "parent", column, table: target, resource }] : [];
  });
  return [...parents, ...childRelations(from.children ?? [], project)];
}
