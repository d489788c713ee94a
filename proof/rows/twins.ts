/**
 * Makes two databases that differ only in values hidden from one caller: the same rows, with other values in masked columns
 * (contract 2.2, 3.1, definitions 4.4).
 */
import { rulesOf } from "../../shared/column_types/mod.ts";
import type { Principal } from "../../shared/model/mod.ts";
import { isShown, type World as Related } from "../../shared/oracle/judge.ts";
import { type HiddenColumn, type TwinValues, twinValues } from "./hidden_columns.ts";
import { HOME, isColleagues, peerVariant } from "./seed_rows.ts";
import type { SeedRow } from "./seed_row.ts";
import { isUnique } from "./unique_rows.ts";

/** Number of the colleague's rows: three to read and to write, one for its unique values, one that no request writes. */
export const COLLEAGUES = 5;

/** Row with the same unique values in both databases, so that both refuse a duplicate. */
export const KNOWN = peerVariant(3);

/** Returns the rows of both databases, in the same order. */
export function twinRows(
  rows: readonly SeedRow[],
  hidden: readonly HiddenColumn[],
  caller: Principal,
  world: Related,
): readonly [readonly SeedRow[], readonly SeedRow[]] {
  const numbered = [...Map.groupBy(rows, ({ table }) => table.name).values()]
    .flatMap((all) => all.map((row, number) => [row, number] as const));
  const numbers = new Map(numbered);
  const side = (which: 0 | 1) =>
    rows.map((row) => {
      const values = hidden.filter(({ table }) => table.name === row.table.name).flatMap((one) => {
        const number = numbers.get(row) ?? 0;
        const twins = isShown(one.mask, caller, { row: row.values, table: one.table }, world)
          ? null
          : twinsIn(one, row, number, rows);
        return twins === null ? [] : [[one.column.name, twins[which]] as const];
      });
      return { ...row, values: { ...row.values, ...Object.fromEntries(values) } };
    });
  return [side(0), side(1)];
}

/**
 * Returns the two values of a cell; null if it is the same in both databases. A mask shows that a value is null; file columns
 * are null in all seeds, because bodies cannot contain them.
 */
function twinsIn(
  one: HiddenColumn,
  { variant, values }: SeedRow,
  number: number,
  rows: readonly SeedRow[],
): TwinValues | null {
  const { column, table } = one;
  const value = values[column.name] ?? null;
  const isFile = rulesOf(column.type).isFile;
  if (column.manager !== "client" || (value === null && !isFile)) return null;
  const isTight = isUnique(column.name, table);
  if (isTight && variant === KNOWN) return null;
  const { references } = column;
  if (references === null) return twinValues(one, number);
  if (isTight) return null;
  const parents = rows.filter((row) =>
    row.table.name === references.table && (row.variant === HOME || isColleagues(row))
  )
    .map((row) => row.values[references.column] ?? null);
  const at = parents.indexOf(value);
  const other = parents[(at + 1) % parents.length] ?? null;
  return at === -1 || other === value ? null : [value, other];
}
