/** Look-ups of tables, columns and references of a project for the data layer. They are built once per app. */
import { type Memo, memo } from "../../lib/memo.ts";
import type { ColumnModel, ProjectModel, ResourceModel, TableModel } from "../../model/mod.ts";
import type { ProjectionShape } from "./record_plan.ts";

/** A foreign key seen from the table that it points to. */
export interface ChildRelation {
  readonly table: TableModel;
  readonly column: ColumnModel;
  /** API name of the referenced column of the parent. */
  readonly parentColumn: string;
  readonly onDelete: "cascade" | "set null" | "restrict" | "no action" | null;
}

export interface Catalog {
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly resourceByTable: ReadonlyMap<string, ResourceModel>;
  readonly childrenOf: ReadonlyMap<string, readonly ChildRelation[]>;
  /** SQL texts by what they depend on. A text stays the same object, so that drivers keep it prepared. */
  readonly text: Memo<string>;
  readonly shapes: Memo<ProjectionShape>;
}

/** Most kept texts. Callers influence the keys by their filters, so their number and length are limited. */
const SHAPES_KEPT = 2000;
const TEXT_KEY_MAX_LENGTH = 8 * 1024;

export function catalogOf(project: ProjectModel): Catalog {
  const texts = memo<string>(SHAPES_KEPT);
  return {
    tables: new Map(project.tables.map((table) => [table.name, table])),
    resourceByTable: new Map(project.resources.map((resource) => [resource.table, resource])),
    childrenOf: childrenByParent(project.tables),
    text: (key, build) => key.length > TEXT_KEY_MAX_LENGTH ? build() : texts(key, build),
    shapes: memo(SHAPES_KEPT),
  };
}

function childrenByParent(
  tables: readonly TableModel[],
): ReadonlyMap<string, readonly ChildRelation[]> {
  const relations = tables.flatMap((table) =>
    table.columns.flatMap((column) => column.references ? [{ table, column }] : [])
  );
  return new Map(tables.map((parent) => [
    parent.name,
    relations.flatMap(({ table, column }): ChildRelation[] => {
      const { references } = column;
      if (references?.table !== parent.name) return [];
      const { column: parentColumn, onDelete } = references;
      return [{ table, column, parentColumn, onDelete }];
    }),
  ]));
}

/** Returns the column of that API name; null: there is none. */
export function findColumn(table: TableModel, name: string): ColumnModel | null {
  return table.columns.find((column) => column.name === name) ?? null;
}
