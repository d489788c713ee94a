/**
 * The rows of two databases that differ only in what one caller may not see: their own rows and others', a foreign
 * tenant's, a deleted one (contract 2.2, 3.1, definitions 4.4).
 */
import { rulesOf, scopeOf, stored } from "../../shared/column_types/mod.ts";
import type { ColumnModel } from "../../shared/model/column.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { TableModel } from "../../shared/model/table.ts";
import type { StoredValue } from "../../shared/surface/query.ts";
import { tableNamed } from "../../shared/surface/tables.ts";
import { fittingRows } from "./fitting_rows.ts";
import type { HiddenColumn } from "./hidden_columns.ts";
import { isUnique, plainValue } from "./plain_values.ts";
import { rowId } from "./row_id.ts";
import { type TwinValues, twinValues } from "./twin_values.ts";

/** By API column names, as they are stored. */
export type StoredRow = Readonly<Record<string, StoredValue>>;

export interface SeededTable {
  readonly table: TableModel;
  readonly rows: readonly StoredRow[];
}

export const PEOPLE = {
  caller: "leakcheck-caller",
  colleague: "leakcheck-colleague",
  organization: "leakcheck-home",
  elsewhere: "leakcheck-elsewhere",
  team: "leakcheck-team",
} as const;

/** Purpose of each row of a table, by index. */
export const ROWS = {
  own: 0,
  others: [1, 2, 3],
  /** Has the same unique values in both databases, so that both refuse its like. */
  known: 4,
  foreign: 5,
  deleted: 6,
  /** Nothing writes it. */
  untouched: 7,
} as const;

const COUNT = 8;
const STAMP = "2026-01-01T00:00:00.000Z";

export interface Twins {
  readonly one: readonly SeededTable[];
  readonly other: readonly SeededTable[];
}

export function twinRows(model: ProjectModel, hidden: readonly HiddenColumn[]): Twins {
  const side = (which: 0 | 1): readonly SeededTable[] =>
    model.tables.map((table) => ({
      table,
      rows: Array.from({ length: COUNT }, (_, at) => rowOf(at, { table, model, hidden, which })),
    }));
  const [one = [], other = []] = fittingRows([side(0), side(1)]);
  return { one, other };
}

/** The two values of a cell; null: it is the same in both databases. */
export function twinsAt(one: HiddenColumn, at: number, model: ProjectModel): TwinValues | null {
  const { column, table, seesOwn } = one;
  if (seesOwn && at === ROWS.own) return null;
  if (isUnique(column, table) && at === ROWS.known) return null;
  if (!column.references) return twinValues(one, at);
  if (at > ROWS.known || isUnique(column, table)) return null;
  const target = tableNamed(column.references.table, model);
  return [rowId(target, at), rowId(target, (at + 1) % ROWS.foreign)];
}

interface Side {
  readonly table: TableModel;
  readonly model: ProjectModel;
  readonly hidden: readonly HiddenColumn[];
  readonly which: 0 | 1;
}

function rowOf(at: number, side: Side): StoredRow {
  const { table } = side;
  return Object.fromEntries(
    table.columns.map((column) => [column.name, cellOf(column, at, side)]),
  );
}

function cellOf(column: ColumnModel, at: number, side: Side): StoredValue {
  const { table, model, hidden, which } = side;
  if (column.manager !== "client") return managedCell(column, at, table);
  // A mask shows that a value is null: the same rows are null in both.
  if (column.nullable && at === 2) return null;
  if (column.references?.table === table.name && column.nullable) return null;
  const one = hidden.find((candidate) =>
    candidate.table.name === table.name && candidate.column.name === column.name
  );
  const twins = one ? twinsAt(one, at, model) : null;
  const value = twins ? twins[which] : plainValue(column, { table, model, at });
  return stored(column, value);
}

function managedCell({ name, type, manager }: ColumnModel, at: number, table: TableModel) {
  if (manager === "id") return rowId(table, at);
  if (manager === "revision") return 1;
  const scope = scopeOf(type);
  if (scope !== null) return scopeCell(scope, at);
  const by = at === ROWS.own ? PEOPLE.caller : PEOPLE.colleague;
  if (name.startsWith("deleted")) {
    if (at !== ROWS.deleted || !table.softDelete) return null;
    return name === "deletedAt" ? STAMP : by;
  }
  return rulesOf(type).isInstant ? STAMP : by;
}

function scopeCell(scope: "organization" | "owner" | "team", at: number): string {
  switch (scope) {
    case "organization":
      return at === ROWS.foreign ? PEOPLE.elsewhere : PEOPLE.organization;
    case "owner":
      return at === ROWS.own ? PEOPLE.caller : PEOPLE.colleague;
    case "team":
      return PEOPLE.team;
  }
}
