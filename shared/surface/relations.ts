/** Ways from one resource to another over a foreign key (contract 4.3). */
import { UNSAFE_KEYS } from "../lib/json.ts";
import type { ChildrenModel, ColumnModel, ProjectModel, ResourceModel } from "../model/mod.ts";
import type { TableModel } from "../model/mod.ts";
import { columnNamed, tableNamed } from "./tables.ts";

export interface Relation {
  readonly name: string;
  /** The other resource's table: the key's own target, or the table that holds the key. */
  readonly direction: "parent" | "children";
  /** The foreign key, on whichever side it stands. */
  readonly column: ColumnModel;
  readonly table: TableModel;
  readonly resource: ResourceModel;
}

/** Keys of a `where` that join conditions. */
const JUNCTIONS: readonly string[] = ["or", "and", "not"];

/** Foreign keys `<name>Id` to resources that somebody can read, by `<name>`, unless that means something else in a `where`. */
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

/** Rows of other resources that refer to this one, as its definition names them. */
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
