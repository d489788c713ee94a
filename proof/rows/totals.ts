/** Computes the totals that the database maintains for seeded rows (definitions 3, `q.rollup`). */
import { decimalText, storageOf } from "../../shared/column_types/mod.ts";
import type { ColumnModel, JsonValue, ProjectModel, RollupModel } from "../../shared/model/mod.ts";
import { ANONYMOUS } from "../../shared/model/mod.ts";
import { compare } from "../../shared/oracle/judge.ts";
import { columnNamed, tableNamed } from "../../shared/surface/mod.ts";
import type { SeedRow } from "./seed_row.ts";

/** Maximum depth of totals over totals. */
const DEPTH_MAX = 3;

/** Returns the rows with their totals. Columns that are computed from totals keep their value over no rows. */
export function withTotals(rows: readonly SeedRow[], model: ProjectModel): readonly SeedRow[] {
  const hasTotals = model.tables.some(({ columns }) => columns.some(({ rollup }) => rollup));
  if (!hasTotals) return rows;
  let all = rows;
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) all = totalled(all, model);
  return all;
}

function totalled(rows: readonly SeedRow[], model: ProjectModel): readonly SeedRow[] {
  const live = Map.groupBy(
    rows.filter(({ values }) => (values["deletedAt"] ?? null) === null),
    ({ table }) => table.name,
  );
  return rows.map((row) => {
    const totals = row.table.columns.flatMap(({ name, rollup }) => {
      if (!rollup) return [];
      const children = (live.get(rollup.table) ?? []).filter(({ values }) =>
        values[rollup.foreignKey] === row.id &&
        rollup.where.every((one) => compare(one, ANONYMOUS, values).holds)
      );
      return [[name, totalOf(rollup, children, model)] as const];
    });
    if (totals.length === 0) return row;
    return { ...row, values: { ...row.values, ...Object.fromEntries(totals) } };
  });
}

function totalOf(
  { fn, column, table }: RollupModel,
  children: readonly SeedRow[],
  model: ProjectModel,
): JsonValue {
  if (fn === "count" || column === null) return children.length;
  const values = children.map(({ values }) => values[column] ?? null)
    .filter((value) => value !== null);
  return fn === "sum"
    ? sumOf(values, columnNamed(column, tableNamed(table, model)))
    : values.length === 0
    ? null
    : values.toSorted((a, b) => Number(a) - Number(b)).at(fn === "min" ? 0 : -1) ?? null;
}

function sumOf(values: readonly JsonValue[], { type }: ColumnModel): JsonValue {
  const { decimal } = storageOf(type);
  if (decimal === null) return values.reduce<number>((sum, value) => sum + Number(value), 0);
  const digits = values.map((value) => BigInt(String(value).replace(".", "")));
  return decimalText(digits.reduce((sum, one) => sum + one, 0n), decimal.scale);
}
