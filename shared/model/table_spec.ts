/** The written form of a project in outputs: one literal per table. `assembleProject` makes the runtime's model from it. */
import type { ColumnModel, ColumnType, TableModel } from "./table.ts";
import type { ColumnPredicate } from "./access.ts";
import type { ProjectModel } from "./project.ts";
import type { ResourceModel } from "./resource.ts";

/** One table, with its routes unless it is internal. */
export interface TableSpec {
  readonly table: TableModel;
  readonly resource: ResourceModel | null;
}

/** All of a project that belongs to no table. */
export type ProjectSettings = Omit<ProjectModel, "tables" | "resources">;

/** Defaults of a column's literal. The SQL name defaults to the API name. */
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

/** Fills in a column's defaults. */
export function column(spec: ColumnSpec): ColumnModel {
  return { sqlName: spec.name, ...COLUMN_DEFAULTS, ...spec };
}

type TextType = Extract<ColumnType, { readonly kind: "text" }>;

export function text(limits: Partial<Omit<TextType, "kind">> = {}): TextType {
  return { kind: "text", maxLength: null, enum: null, ...limits };
}

/** Defaults of a predicate's literal: it applies to everyone. */
export const PREDICATE_DEFAULTS = {
  operator: "equals",
  roles: [],
  exceptRoles: [],
} as const satisfies Partial<ColumnPredicate>;

export function predicate(
  spec:
    & Omit<ColumnPredicate, keyof typeof PREDICATE_DEFAULTS>
    & Partial<Pick<ColumnPredicate, keyof typeof PREDICATE_DEFAULTS>>,
): ColumnPredicate {
  return { ...PREDICATE_DEFAULTS, ...spec };
}

/** Makes the project model from these tables. The order of the list does not matter. */
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
