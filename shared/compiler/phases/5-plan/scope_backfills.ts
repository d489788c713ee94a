/** The owners of rows that exist when their table gains a scope column (definitions 2, `compiler.migrations.backfills`). */
import { scopeOf } from "../../../column_types/mod.ts";
import { nearest } from "../../../lib/nearest.ts";
import type { ColumnModel, TableModel } from "../../../model/table.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { Backfill, SchemaHints } from "../../migrations/schema_change.ts";

type ScopeKind = keyof TableModel["scope"];

/** The value of each scope column in rows that exist: the configured one, else that of its one parent; null: unknown. */
export function scopeBackfills(model: ProjectModel): SchemaHints["backfills"] {
  return new Map(model.tables.map((table) => [
    table.sqlName,
    new Map(
      scopeColumns(table).map((column) => {
        const said = configuredBackfill(table, column.name, model);
        return [
          column.sqlName,
          said === undefined
            ? backfillOfParent(table, column, model)
            : backfillAsSaid(said, { table, column, model }),
        ];
      }),
    ),
  ]));
}

function scopeColumns({ columns }: TableModel): readonly ColumnModel[] {
  return columns.filter(({ type }) => scopeOf(type) !== null);
}

/** The author's word about this column, by either of its names. */
export function configuredBackfill(
  table: TableModel,
  column: string,
  { backfills }: ProjectModel,
): string | undefined {
  const sqlName = table.columns.find(({ name }) => name === column)?.sqlName;
  const keys = [table.name, table.sqlName].flatMap((name) => [
    `${name}.${column}`,
    `${name}.${sqlName}`,
  ]);
  return Object.entries(backfills).find(([key]) => keys.includes(key))?.[1];
}

/** An organization alone is taken without asking: which of two owners a row has is not the parent's to say. */
function backfillOfParent(
  table: TableModel,
  column: ColumnModel,
  model: ProjectModel,
): Backfill | null {
  if (scopeOf(column.type) !== "organization") return null;
  const keys = foreignKeysTo(table, column.name, model).filter(({ nullable }) => !nullable);
  const [key] = keys;
  return key && keys.length === 1 ? throughKey(key, column, model) : null;
}

/** A foreign key, "delete", or a value; a word that is nearly a column's name is no value. */
function backfillAsSaid(
  said: string,
  { table, column, model }: {
    readonly table: TableModel;
    readonly column: ColumnModel;
    readonly model: ProjectModel;
  },
): Backfill | null {
  if (said === "delete") return { kind: "delete" };
  const key = foreignKeysTo(table, column.name, model).find(({ name, sqlName }) =>
    name === said || sqlName === said
  );
  if (key) return throughKey(key, column, model);
  const names = table.columns.flatMap(({ name, sqlName }) => [name, sqlName]);
  const isMistaken = names.includes(said) || nearest(said, [...names, "delete"]) !== null;
  return isMistaken ? null : { kind: "literal", value: said };
}

/** Foreign keys to other tables that have a scope column of the same kind. */
export function foreignKeysTo(
  table: TableModel,
  column: string,
  { tables }: ProjectModel,
): readonly ColumnModel[] {
  const own = table.columns.find(({ name }) => name === column);
  const kind = own ? scopeOf(own.type) : null;
  return kind === null ? [] : table.columns.filter(({ references }) => {
    const target = tables.find(({ name }) => name === references?.table);
    return target !== undefined && target !== table && target.scope[kind] !== null;
  });
}

function throughKey(
  { sqlName, references }: ColumnModel,
  column: ColumnModel,
  { tables }: ProjectModel,
): Backfill | null {
  const parent = tables.find(({ name }) => name === references?.table);
  const kind = scopeOf(column.type);
  const value = kind && parent?.scope[kind];
  if (!parent || !references || !value) return null;
  const sqlNameIn = (name: string) =>
    parent.columns.find((candidate) => candidate.name === name)?.sqlName ?? name;
  return {
    kind: "parent",
    foreignKey: sqlName,
    table: parent.sqlName,
    key: sqlNameIn(references.column),
    value: sqlNameIn(value),
  };
}
