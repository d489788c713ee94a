/** Defines the draft of a table: the author's definition, with places, before tables are linked to each other. */
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
  /** The column's type; null if it is wrong, which is reported, so that it causes no further reports. */
  readonly type: model.ColumnType | null;
  readonly manager: model.ColumnManager;
  /** The author's spelling in SQL; null: the naming convention applies. */
  readonly sqlName: string | null;
  readonly primaryKey: boolean;
  /** Storage of the key in drizzle's notation; null: the project's `generateId` decides. */
  readonly keyStorage: "text" | "int" | null;
  readonly required: boolean;
  /** True if `.optional()` was written, not only implied. */
  readonly optional: boolean;
  readonly default: model.ColumnDefault | null;
  readonly unique: boolean;
  readonly indexed: boolean;
  readonly searchable: boolean;
  /** Operators of `.filterable(…)`; null: all. */
  readonly filters: readonly FilterOperator[] | null;
  /** True with `.filterable()` or `.sortable()`, so that the column gets an index. */
  readonly listed: boolean;
  readonly references: ReferenceDraft | null;
  /** Actions of `.protected(…)`; null: the column itself is not protected. */
  readonly protectedBy: readonly Token[] | null;
  readonly immutable: boolean;
  /** Definition of a column that is computed from the row or from its children; null: the column is stored. */
  readonly derived: DerivedDraft | null;
  /** Result of `derived` once every table is known. */
  readonly computed: Expression | null;
  readonly rollup: model.RollupModel | null;
  /** Text of `.describe(…)`, else of the column's doc comment; null: there is no description. */
  readonly description: string | null;
}

export type ResourceFields = Fields<(typeof RESOURCE)["members"]>;

export interface TableDraft {
  readonly file: string;
  /** Name of a built-in table; absent for an author's table. */
  readonly builtIn?: BuiltInName;
  readonly feature: string;
  readonly name: string;
  readonly namePlace: Place;
  readonly sqlName: string;
  readonly origin: model.Origin;
  /** Options of the resource; null: the table is internal, without routes. */
  readonly options: ResourceFields | null;
  /** Text of the table's doc comment; absent: there is none. */
  readonly doc?: string;
  /** Place of `exception: true` beside the table; null: there is none. */
  readonly exception: Place | null;
  /** False when some columns could not be read, so that unknown names are not reported. */
  readonly isComplete: boolean;
  /** Columns by name, in declared order: the id first, system columns last. */
  readonly columns: ReadonlyMap<string, ColumnDraft>;
  readonly softDelete: boolean;
}

/** Returns a column that the author did not write. */
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

/** Returns the columns that `search` covers: those that declare it, else every text that clients write (definitions 3). */
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

/** Returns the primary key's column; every table has exactly one once its columns are read. */
export function primaryKeyOf(table: TableDraft): ColumnDraft | undefined {
  return [...table.columns.values()].find((column) => column.primaryKey);
}

/** Returns the project's strategy for ids, unless drizzle's notation makes the key an integer. */
export function idStrategyOf(table: TableDraft, config: Configuration): IdStrategy {
  return primaryKeyOf(table)?.keyStorage === "int" ? "serial" : config.model.database.generateId;
}

/** Returns the table's name in the singular, or `idPrefix` (definitions 7). */
export function idPrefixOf(table: TableDraft): string {
  const said = table.options && read(table.options, "idPrefix");
  return said ?? pluralize.singular(snakeCase(table.name));
}

/** Returns the tables of a feature. */
export function tablesOf(feature: string, tables: readonly TableDraft[]): readonly TableDraft[] {
  return tables.filter((table) => table.feature === feature);
}

/** Finds a table by its name or its file's name, also in the spelling of URLs. */
export function tableNamed(
  name: string,
  tables: readonly TableDraft[],
): TableDraft | undefined {
  const meant = nameMeant(name, tables.map((table) => table.name));
  return tables.find((table) => baseName(table.file) === name || table.name === name) ??
    tables.find((table) => table.name === meant);
}

/** Returns the table that has the feature's name, else its only table; null if the feature has neither. */
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
