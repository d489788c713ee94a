/** Values of columns that are the same in both databases: of their type, on both sides of the rules that compare them. */
import { valuesOf } from "../../shared/column_types/mod.ts";
import { conditionsIn } from "../conformance/mod.ts";
import type { ColumnModel, JsonValue } from "../../shared/model/column.ts";
import type { Condition, Scalar } from "../../shared/model/predicate.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { TableModel } from "../../shared/model/table.ts";
import { tableNamed } from "../../shared/surface/tables.ts";
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
  const values = valuesOf(column, table);
  if (literal !== undefined && values.enum === null && !isUnique(column, table)) return literal;
  if (values.choices !== null) return values.choices[at % values.choices.length] ?? null;
  return values.sample({
    text: `${at} ${column.name} of ${table.name}`,
    number: 1 + at,
    now: Date.UTC(2026, 0, 1 + at % 8, 10, 20, 30),
  });
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
