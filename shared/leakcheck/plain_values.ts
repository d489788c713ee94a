/** Values of columns that are the same in both databases: of their type, on both sides of the rules that compare them. */
import { firstCodePoints } from "../lib/code_points.ts";
import { conditionsIn } from "../conformance/mod.ts";
import type { ColumnModel, JsonValue } from "../model/column.ts";
import type { Condition, Scalar } from "../model/predicate.ts";
import type { ProjectModel } from "../model/project.ts";
import type { TableModel } from "../model/table.ts";
import { valueKindOf } from "../surface/column_kinds.ts";
import { tableNamed } from "../surface/tables.ts";
import { accessesOf } from "./hidden_columns.ts";
import { rowId } from "./row_id.ts";

interface Place {
  readonly table: TableModel;
  readonly model: ProjectModel;
  /** Index of its row. */
  readonly at: number;
}

export function plainValue(column: ColumnModel, { table, model, at }: Place): JsonValue {
  if (column.references) {
    const target = tableNamed(column.references.table, model);
    return rowId(target, parentOf(column, { table, model, at }));
  }
  const literals = literalsOf(column, table, model);
  const literal = literals[at % (literals.length + 1)];
  const kind = valueKindOf(column, table);
  if (literal !== undefined && kind.kind !== "enum" && !isUnique(column, table)) return literal;
  switch (kind.kind) {
    case "string":
      return firstCodePoints(`${at} ${column.name} of ${table.name}`, kind.maxLength ?? 60);
    case "id":
      return rowId(table, at);
    case "enum":
      return kind.values[at % kind.values.length] ?? "";
    case "url":
      return kind.maxLength !== null && kind.maxLength < 30
        ? `http://a.b/${at}`
        : `https://www.example.com/${at}`;
    case "integer":
      return 1 + at;
    case "number":
      return 1.5 + at;
    case "boolean":
      return at % 2 === 0;
    case "timestamp":
      return `2026-01-0${1 + at % 8}T10:20:30.000Z`;
    case "json":
      return { row: at };
  }
}

export function isUnique(column: ColumnModel, table: TableModel): boolean {
  return table.indexes.some(({ columns, unique }) => unique && columns.includes(column.name));
}

/** The row of the same number, where only one may point at it; else two children have one parent. */
function parentOf(column: ColumnModel, { table, at }: Place): number {
  if (isUnique(column, table)) return at;
  // New rows, and one of those that are there, belong to rows that a caller can see.
  return at === 3 || at > 6 ? 1 : at;
}

/** Literals that rules compare the column with: rows take turns to meet them. */
function literalsOf(
  { name, nullable }: ColumnModel,
  table: TableModel,
  model: ProjectModel,
): readonly Scalar[] {
  const resources = model.resources.filter((resource) => resource.table === table.name);
  const actions = model.actions.filter((action) => action.table === table.name);
  const conditions: readonly Condition[] = [
    ...table.firewall,
    ...[...resources.flatMap(accessesOf), ...actions.map(({ access }) => access)]
      .flatMap(conditionsIn),
    ...actions.flatMap(({ transition }) => transition?.guard ?? []),
  ];
  const literals = conditions.filter(({ column }) => column === name).flatMap(({ operand }) =>
    operand.kind === "literal" ? [operand.value] : operand.kind === "literals" ? operand.values : []
  );
  return [...new Set(literals)].filter((value) => value !== null || nullable);
}
