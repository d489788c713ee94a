/** The values that existing rows get in a new scope column, and the order in which their tables are filled (definitions 2, `compiler.migrations`). */
import type { SqlTable } from "../../model/sql_table.ts";
import type { Backfill, Fill, SchemaHints, SchemaLoss } from "./schema_change.ts";

/** Null: a scope column that nothing can fill; undefined: no scope column. */
export type FillFinder = (table: string, column: string) => Backfill | null | undefined;

/** `old`: the tables that there are, by their present names. */
export function fillFinder(
  old: ReadonlyMap<string, SqlTable>,
  { backfills }: SchemaHints,
): FillFinder {
  const has = (table: string, column: string) =>
    old.get(table)?.columns.some(({ name }) => name === column) ?? false;
  const find = (
    table: string,
    column: string,
    path: readonly string[],
  ): Backfill | null | undefined => {
    const fill = backfills.get(table)?.get(column);
    if (fill?.kind !== "parent") return fill;
    if (!has(table, fill.foreignKey) || path.includes(fill.table)) return null;
    // A parent that has no value yet gets its own first; two that wait for each other get none.
    const isKnown = has(fill.table, fill.value) ||
      (old.has(fill.table) && find(fill.table, fill.value, [...path, fill.table]));
    return isKnown ? fill : null;
  };
  return (table, column) => find(table, column, [table]);
}

interface FilledTable {
  readonly table: string;
  readonly filled: readonly Fill[];
}

/** Tables after those that their rows take a value from; else in the given order. */
export function inFillingOrder<T extends FilledTable>(tables: readonly T[]): readonly T[] {
  const ordered = new Set<T>();
  const add = (table: T) => {
    for (const parent of tables.filter((other) => takesFrom(table, other))) add(parent);
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered];
}

function takesFrom({ table, filled }: FilledTable, parent: FilledTable): boolean {
  return parent.table !== table && parent.filled.length > 0 &&
    filled.some(({ from }) => from.kind === "parent" && from.table === parent.table);
}

/** Rows that the author gives up for the new column. */
export function deletedByFill({ table, filled }: FilledTable): readonly SchemaLoss[] {
  return filled.some(({ from }) => from.kind === "delete") ? [{ kind: "rowsDeleted", table }] : [];
}
