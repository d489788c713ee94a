/** The form in which a project is written out: one literal per table, put together into the model that the runtime obeys. */
import type { ColumnModel, ColumnType, TableModel } from "./table.ts";
import type { ColumnPredicate } from "./access.ts";
import type { ProjectModel } from "./project.ts";
import type { ResourceModel } from "./resource.ts";

/** One table and, unless it is internal, its routes. */
export interface TableSpec {
  readonly table: TableModel;
  readonly resource: ResourceModel | null;
}

/** Everything about a project that belongs to no table. */
export type ProjectSettings = Omit<ProjectModel, "tables" | "resources">;

/** Defaults of a column's literal; the SQL name defaults to its name. */
export const COLUMN_DEFAULTS = {
  nullable: true,
  default: null,
  manager: "client",
  references: null,
  searchable: false,
} as const satisfies Partial<ColumnModel>;

type Defaulted = keyof typeof COLUMN_DEFAULTS;

export type ColumnSpec =
  & Omit<ColumnModel, Defaulted | "sqlName">
  & Partial<Pick<ColumnModel, Defaulted | "sqlName">>;

/** A column with its defaults filled in. */
export function column(spec: ColumnSpec): ColumnModel {
  return { sqlName: spec.name, ...COLUMN_DEFAULTS, ...spec };
}

type TextType = Extract<ColumnType, { readonly kind: "text" }>;

export function text(limits: Partial<Omit<TextType, "kind">> = {}): TextType {
  return { kind: "text", maxLength: null, enum: null, ...limits };
}

/** Defaults of a firewall predicate's literal: it binds everyone. */
export const PREDICATE_DEFAULTS = {
  operator: "equals",
  roles: [],
  exceptRoles: [],
} as const satisfies Partial<ColumnPredicate>;

type PredicateSpec =
  & Omit<ColumnPredicate, keyof typeof PREDICATE_DEFAULTS>
  & Partial<Pick<ColumnPredicate, keyof typeof PREDICATE_DEFAULTS>>;

export function predicate(spec: PredicateSpec): ColumnPredicate {
  return { ...PREDICATE_DEFAULTS, ...spec };
}

/** The project model of these tables; the order of the list does not matter. */
export function assembleProject(
  settings: ProjectSettings,
  specs: readonly TableSpec[],
): ProjectModel {
  const sorted = [...specs].sort((a, b) =>
    a.table.name < b.table.name ? -1 : a.table.name > b.table.name ? 1 : 0
  );
  return {
    ...settings,
    tables: sorted.map((spec) => spec.table),
    resources: sorted.flatMap((spec) => spec.resource ?? []),
  };
}
