/** Computes the values that the database computes for a seeded row (definitions 3). */
import { restored, stored } from "../../shared/column_types/mod.ts";
import type { TableModel } from "../../shared/model/mod.ts";
import { storedColumns, withComputed } from "../../shared/surface/mod.ts";
import type { SeedValues } from "./seed_row.ts";

/** Returns the row with its computed values; a total over other rows is computed over none. */
export function computedValues(values: SeedValues, table: TableModel): SeedValues {
  const computed = table.columns.filter(({ manager }) => manager === "computed");
  if (computed.length === 0) return values;
  const row = withComputed(
    new Map(
      storedColumns(table).map((column) => [
        column.name,
        stored(column, values[column.name] ?? null),
      ]),
    ),
    table,
  );
  const own = computed.map((column) => [
    column.name,
    restored(column, row.get(column.name) ?? null),
  ]);
  return { ...values, ...Object.fromEntries(own) };
}
