/** Seeded rows that a database takes: some tables have room for fewer than all of them (definitions 3, `.unique()` and references). */
import { withoutCollisions } from "../conformance/mod.ts";
import type { TableModel } from "../../shared/model/table.ts";
import type { SeededTable, StoredRow } from "./twin_rows.ts";

interface Row {
  readonly table: TableModel;
  readonly values: StoredRow;
}

/**
 * Without rows that a unique index keeps out of one of the databases, and without those that refer to them: the same rows are
 * left in each.
 */
export function fittingRows(
  databases: readonly (readonly SeededTable[])[],
): readonly (readonly SeededTable[])[] {
  const all = databases.map((tables) =>
    tables.flatMap(({ table, rows }) => rows.map((values): Row => ({ table, values })))
  );
  const missing = new Set(all.flatMap(collisions).map(nameOf));
  for (let found = -1; found < missing.size;) {
    found = missing.size;
    for (const row of all.flat()) {
      if (parentsOf(row).some((parent) => missing.has(parent))) missing.add(nameOf(row));
    }
  }
  return databases.map((tables) =>
    tables.map(({ table, rows }) => ({
      table,
      rows: rows.filter((values) => !missing.has(nameOf({ table, values }))),
    }))
  );
}

function collisions(rows: readonly Row[]): readonly Row[] {
  const kept = new Set(withoutCollisions(rows));
  return rows.filter((row) => !kept.has(row));
}

function nameOf({ table, values }: Row): string {
  return JSON.stringify([table.name, values[table.primaryKey]]);
}

function parentsOf({ table, values }: Row): readonly string[] {
  return table.columns.flatMap(({ name, references }) =>
    references === null ? [] : [JSON.stringify([references.table, values[name]])]
  );
}
