/** A table on its way to the model: what the author wrote, with places, before tables know each other. */
import pluralize from "pluralize";
import { type FilterOperator, rulesOf } from "../../../../column_types/mod.ts";
import type { IdStrategy } from "../../../../contract/mod.ts";
import type { RESOURCE } from "../../../../definition_language/resource.ts";
import type { BuiltInName, Expression } from "../../../../model/mod.ts";
import type * as model from "../../../../model/table.ts";
import { nameMeant, snakeCase } from "../../../../surface/mod.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { BindingTarget, Value } from "../../values.ts";
import type { Configuration } from "../config/config.ts";
import { type Fields, read, type Token } from "../read/mod.ts";

/** Target of a foreign key, as written. */
type ReferenceTarget =
  | { readonly kind: "binding"; readonly binding: BindingTarget; readonly member: string | null }
  | { readonly kind: "table"; readonly name: string };

export interface ReferenceDraft {
  readonly target: ReferenceTarget;
  readonly place: Place;
  readonly onDelete: model.RelationModel["onDelete"];
  readonly onDeletePlace: Place | null;
}

/** A column of `q.computed` or `q.rollup`, before its table's columns are known. */
export type DerivedDraft =
  | { readonly kind: "computed"; readonly text: string; readonly place: Place }
  | {
    readonly kind: "rollup";
    readonly children: Token;
    readonly fn: model.RollupModel["fn"];
    readonly column: Token | null;
    readonly where: Value | null;
    readonly place: Place;
  };

export interface ColumnDraft {
  readonly name: string;
  readonly place: Place;
  /** Null: wrong and reported; nothing else is said about it. */
  readonly type: model.ColumnType | null;
  readonly manager: model.ColumnManager;
  /** As the author spelled it in SQL; null: by the naming convention. */
  readonly sqlName: string | null;
  readonly primaryKey: boolean;
  /** Storage of the key in drizzle's notation; null: as the project's `generateId` says. */
  readonly keyStorage: "text" | "int" | null;
  readonly required: boolean;
  /** `.optional()` was written, not only implied. */
  readonly optional: boolean;
  readonly default: model.ColumnDefault | null;
  readonly unique: boolean;
  readonly indexed: boolean;
  readonly searchable: boolean;
  /** Operators of `.filterable(…)`; null: all. */
  readonly filters: readonly FilterOperator[] | null;
  /** `.filterable()` or `.sortable()`: worth an index. */
  readonly listed: boolean;
  readonly references: ReferenceDraft | null;
  /** Actions of `.protected(…)`; null: not protected here. */
  readonly protectedBy: readonly Token[] | null;
  readonly immutable: boolean;
  /** Computed from the row or from its children, as written; null: it is stored. */
  readonly derived: DerivedDraft | null;
  /** Result of `derived` once every table is known. */
  readonly computed: Expression | null;
  readonly rollup: model.RollupModel | null;
  /** Of `.describe(…)`, else of its doc comment; null: nobody describes it. */
  readonly description: string | null;
}

export type ResourceFields = Fields<(typeof RESOURCE)["members"]>;

export interface TableDraft {
  readonly file: string;
  /** The service's own table; absent: an author's. */
  readonly builtIn?: BuiltInName;
  readonly feature: string;
  readonly name: string;
  readonly namePlace: Place;
  readonly sqlName: string;
  readonly origin: model.Origin;
  /** Null: an internal table, without routes. */
  readonly options: ResourceFields | null;
  /** Of its doc comment; absent: nobody describes it. */
  readonly doc?: string;
  /** `exception: true` beside the table, where it stands. */
  readonly exception: Place | null;
  /** False: the columns could not be read, so nothing can be said about a name. */
  readonly isComplete: boolean;
  /** By name, in declared order: the id first, system columns last. */
  readonly columns: ReadonlyMap<string, ColumnDraft>;
  readonly softDelete: boolean;
}

/** A column that nobody wrote. */
export function impliedColumn(
  name: string,
  place: Place,
  facts: Pick<ColumnDraft, "type" | "manager"> & Partial<ColumnDraft>,
): ColumnDraft {
  return {
    name,
    place,
    sqlName: null,
    primaryKey: false,
    keyStorage: null,
    required: false,
    optional: false,
    default: null,
    unique: false,
    indexed: false,
    searchable: false,
    filters: null,
    listed: false,
    references: null,
    protectedBy: null,
    immutable: false,
    derived: null,
    computed: null,
    rollup: null,
    description: null,
    ...facts,
  };
}

/** The columns that `search` covers: those that say so, else every text of a client's (definitions 3). */
export function searchedColumns(
  { columns }: Pick<TableDraft, "columns">,
  relations: { has(column: string): boolean },
): readonly ColumnDraft[] {
  const all = [...columns.values()];
  const chosen = all.filter(({ searchable }) => searchable);
  return chosen.length > 0
    ? chosen
    : all.filter(({ name, type, manager }) =>
      (manager === "client" || manager === "computed") && type !== null && rulesOf(type).isText &&
      !relations.has(name)
    );
}

/** The primary key's column; every table has exactly one once its columns are read. */
export function primaryKeyOf(table: TableDraft): ColumnDraft | undefined {
  return [...table.columns.values()].find((column) => column.primaryKey);
}

/** The project's strategy, unless drizzle's notation says that the key is an integer. */
export function idStrategyOf(table: TableDraft, config: Configuration): IdStrategy {
  return primaryKeyOf(table)?.keyStorage === "int" ? "serial" : config.model.database.generateId;
}

/** The table's name in the singular, or `idPrefix` (definitions 7). */
export function idPrefixOf(table: TableDraft): string {
  const said = table.options && read(table.options, "idPrefix");
  return said ?? pluralize.singular(snakeCase(table.name));
}

/** The tables of a feature. */
export function tablesOf(feature: string, tables: readonly TableDraft[]): readonly TableDraft[] {
  return tables.filter((table) => table.feature === feature);
}

/** By the name of its file, or its own, also as URLs have it. */
export function tableNamed(
  name: string,
  tables: readonly TableDraft[],
): TableDraft | undefined {
  const meant = nameMeant(name, tables.map((table) => table.name));
  return tables.find((table) => baseName(table.file) === name || table.name === name) ??
    tables.find((table) => table.name === meant);
}

/** Named like the feature, or its only one; null: the feature has no such table. */
export function primaryTableOf(
  feature: string,
  tables: readonly TableDraft[],
): TableDraft | null {
  const own = tablesOf(feature, tables);
  const [only = null] = own;
  return tableNamed(feature, own) ?? (own.length === 1 ? only : null);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.ts$/, "");
}
