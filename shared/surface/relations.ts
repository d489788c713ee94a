/** Finds the relations from one resource to another over a foreign key (contract 4.3). */
import { UNSAFE_KEYS } from "../lib/json.ts";
import type { ChildrenModel, ColumnModel, ProjectModel, ResourceModel } from "../model/mod.ts";
import type { TableModel } from "../model/mod.ts";
import { columnNamed, tableNamed } from "./tables.ts";

export interface Relation {
  readonly name: string;
  /** Position of the other resource's table: it is the key's target, or the table with the key. */
  readonly direction: "parent" | "children";
  /** The foreign key, in either table. */
  readonly column: ColumnModel;
  readonly table: TableModel;
  readonly resource: ResourceModel;
}

/** Keys of a `where` that join conditions. */
const JUNCTIONS: readonly string[] = ["or", "and", "not"];

/**
 * Returns foreign keys `<name>Id` to resources that can be read, by `<name>`, unless that name has another meaning in a
 * `where`.
 */
export function parentRelations(
  { columns }: TableModel,
  project: ProjectModel,
): readonly Relation[] {
  return columns.flatMap((column): Relation[] => {
    const { references } = column;
    const name = column.name.slice(0, -2);
    const resource = project.resources.find(({ table }) => table === references?.table);
    const isTaken = JUNCTIONS.includes(name) || UNSAFE_KEYS.has(name) ||
      columns.some((other) => other.name === name);
    const isNamed = /.Id$/.test(column.name) && !isTaken;
    if (!isNamed || !resource?.read) return [];
    const table = tableNamed(resource.table, project);
    return [{ name, direction: "parent", column, table, resource }];
  });
}

/** Returns rows of other resources that refer to this one, under the names of its definition. */
export function childRelations(
  children: readonly ChildrenModel[],
  project: ProjectModel,
): readonly Relation[] {
  return children.flatMap(({ name, table: child, column }): Relation[] => {
    const table = tableNamed(child, project);
    const resource = project.resources.find((one) => one.table === child);
    if (!resource?.read) return [];
    return [{ name, direction: "children", column: columnNamed(column, table), table, resource }];
  });
}
