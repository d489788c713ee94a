/**
 * Represents the conditions of a `where` (contract 4.3): a tree over a resource's columns, and over those of resources that it
 * refers to or that refer to it.
 */
import type { ColumnModel, Condition, ProjectModel, ResourceModel } from "../model/mod.ts";
import type { TableModel, ViewModel } from "../model/mod.ts";
import { childRelations, parentRelations, type Relation } from "./relations.ts";
import type { Operation } from "./operations.ts";
import { recordColumns, tableOf } from "./tables.ts";

/** A tree of conditions. Values are literals that fit their columns, and are not checked again. */
export type Where =
  | { readonly kind: "conditions"; readonly conditions: readonly Condition[] }
  | { readonly kind: "all" | "any"; readonly of: readonly Where[] }
  | { readonly kind: "not"; readonly of: Where }
  | {
    readonly kind: "related";
    readonly relation: Relation;
    /** Quantifier: some row of the relation must meet the conditions, or none may. */
    readonly quantifier: "some" | "none";
    readonly of: Where;
  };

/** Names that conditions may contain at one level. */
export interface WhereScope {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  /** Columns by name. */
  readonly columns: ReadonlyMap<string, ColumnModel>;
  /** Relations by name. No column has such a name. */
  readonly relations: ReadonlyMap<string, Relation>;
  /** Returns the level of a relation's rows. */
  scopeOf(relation: Relation): WhereScope;
}

/**
 * Returns the names that a `where` may contain: these columns of the resource, and its relations. In a view it is only the
 * relations that the view includes.
 */
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

/**
 * Returns every resource that a `where` of a list or view may read over any number of relations; none for another operation.
 */
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
