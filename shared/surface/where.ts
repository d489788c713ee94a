/**
 * The conditions of a `where` (contract 4.3): a tree over a resource's columns and over those of resources that it refers to,
 * or that refer to it.
 */
import type { ColumnModel, Condition, ProjectModel, ResourceModel } from "../model/mod.ts";
import type { TableModel, ViewModel } from "../model/mod.ts";
import { childRelations, parentRelations, type Relation } from "./relations.ts";
import type { Operation } from "./operations.ts";
import { recordColumns, tableOf } from "./tables.ts";

/** Values are literals that fit their columns; nothing of it is checked again. */
export type Where =
  | { readonly kind: "conditions"; readonly conditions: readonly Condition[] }
  | { readonly kind: "all" | "any"; readonly of: readonly Where[] }
  | { readonly kind: "not"; readonly of: Where }
  | {
    readonly kind: "related";
    readonly relation: Relation;
    /** Says that some row of the relation, or none, is to meet the conditions. */
    readonly quantifier: "some" | "none";
    readonly of: Where;
  };

/** Names that conditions may hold at one level. */
export interface WhereScope {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  /** By name. */
  readonly columns: ReadonlyMap<string, ColumnModel>;
  /** By name, which no column has. */
  readonly relations: ReadonlyMap<string, Relation>;
  /** The level behind a relation. */
  scopeOf(relation: Relation): WhereScope;
}

/** Names that a `where` may hold: these columns of the resource, and its relations; in a view those alone that it includes. */
export function whereScope(
  resource: ResourceModel,
  { columns, view }: { readonly columns: readonly ColumnModel[]; readonly view: ViewModel | null },
  project: ProjectModel,
): WhereScope {
  const table = tableOf(resource, project);
  const relations = [
    ...parentRelations(table, project)
      .filter(({ column }) => view?.include.includes(column.name) ?? true),
    ...childRelations((view ?? resource.read)?.children ?? [], project),
  ];
  return {
    resource,
    table,
    columns: new Map(columns.map((column) => [column.name, column])),
    relations: new Map(relations.map((relation) => [relation.name, relation])),
    scopeOf: ({ resource, table }) =>
      whereScope(resource, { columns: recordColumns(table), view: null }, project),
  };
}

/** Every resource that a `where` of a list or view may look into, however far away; of another operation none. */
export function resourcesAsked(
  { kind, resource, view }: Operation,
  project: ProjectModel,
): readonly ResourceModel[] {
  if (kind !== "list" && kind !== "view") return [];
  const found = new Set<ResourceModel>();
  const pending = [whereScope(resource, { columns: [], view }, project)];
  for (let scope = pending.pop(); scope; scope = pending.pop()) {
    for (const relation of scope.relations.values()) {
      if (found.has(relation.resource)) continue;
      found.add(relation.resource);
      pending.push(scope.scopeOf(relation));
    }
  }
  return [...found];
}
