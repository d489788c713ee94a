/** Finds a model's tables by name. */
import { rulesOf, type StoredValue, vectorOf, type VectorType } from "../column_types/mod.ts";
import { expressionValue } from "./expressions.ts";
import { ACCOUNTS_TABLE, columnsIn } from "../model/mod.ts";
import type { ColumnModel, ProjectModel, ResourceModel, TableModel } from "../model/mod.ts";

/** Returns the table of a resource. A model without it is a defect of the compiler. */
export function tableOf(resource: ResourceModel, project: ProjectModel): TableModel {
  return tableNamed(resource.table, project);
}

/** Maps of tables, cached for each model, because a large project looks up each table many times. */
const TABLES = new WeakMap<ProjectModel["tables"], ReadonlyMap<string, TableModel>>();

export function tableNamed(name: string, { tables }: ProjectModel): TableModel {
  const known = TABLES.get(tables) ??
    new Map([ACCOUNTS_TABLE, ...tables].map((table) => [table.name, table]));
  TABLES.set(tables, known);
  const table = known.get(name);
  if (!table) throw new Error(`The model has no table "${name}"`);
  return table;
}

/** Returns the column of that API name. The model contains no other names. */
export function columnNamed(name: string, table: TableModel): ColumnModel {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`The table "${table.name}" has no column "${name}"`);
  return column;
}

/** Returns the columns of a record that responses contain without a request for them: all but vectors. */
export function recordColumns({ columns }: TableModel): readonly ColumnModel[] {
  return columns.filter(({ type }) => !rulesOf(type).isAsked);
}

/** Returns the columns that statements write: all but those that the database computes. */
export function storedColumns({ columns }: TableModel): readonly ColumnModel[] {
  return columns.filter(({ manager }) => manager !== "computed");
}

/** Returns the columns whose values change with rows of other tables: totals, and columns that are computed from them. */
export function totalsOf({ columns }: TableModel): readonly string[] {
  const isTotal = (name: string): boolean => {
    const column = columns.find((one) => one.name === name);
    return column?.rollup !== undefined ||
      (column?.computed !== undefined && columnsIn(column.computed).some(isTotal));
  };
  return columns.flatMap(({ name, manager }) =>
    manager === "computed" && isTotal(name) ? [name] : []
  );
}

/** Adds the computed values to a row of stored values. Its totals are those without any referring rows. */
export function withComputed(
  row: ReadonlyMap<string, StoredValue | Uint8Array>,
  { columns }: TableModel,
): ReadonlyMap<string, StoredValue | Uint8Array> {
  const derived = columns.filter(({ manager }) => manager === "computed");
  if (derived.length === 0) return row;
  const all = new Map(row);
  const valueOf = (name: string): StoredValue => {
    const known = all.get(name);
    if (known instanceof Uint8Array) throw new TypeError(`Column '${name}' holds bytes`);
    if (known !== undefined) return known;
    const column = derived.find((one) => one.name === name);
    const isCounted = column?.rollup?.fn === "count" || column?.rollup?.fn === "sum";
    const value = column?.computed
      ? expressionValue(column.computed, valueOf)
      : isCounted
      ? 0
      : null;
    all.set(name, value);
    return value;
  };
  for (const { name } of derived) valueOf(name);
  return all;
}

/** A vector of a table (definitions 3). */
export interface VectorColumn {
  readonly column: ColumnModel;
  readonly type: VectorType;
}

/** Returns the vector by which `near` sorts; null: the table has none. A table has at most one. */
export function vectorColumnOf({ columns }: TableModel): VectorColumn | null {
  for (const column of columns) {
    const type = vectorOf(column.type);
    if (type !== null) return { column, type };
  }
  return null;
}
