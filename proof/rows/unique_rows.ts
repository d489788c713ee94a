/** Finds rows that a unique index allows side by side (definitions 3, `.unique()` and `unique`). */
import { valuesOf } from "../../shared/column_types/mod.ts";
import type { ColumnModel, IndexModel, JsonValue, TableModel } from "../../shared/model/mod.ts";
import type { SeedRow } from "./seed_row.ts";

/**
 * Returns the foreign key that must differ from row to row, because no other column of a unique index can; null: other columns
 * make the rows unique.
 */
export function tightKey(table: TableModel): ColumnModel | null {
  for (const index of uniqueIndexes(table)) {
    const columns = table.columns.filter(({ name }) => index.columns.includes(name));
    if (
      columns.some((column) => {
        // Each row gets another value in any case.
        if (column.manager === "id") return true;
        if (column.manager !== "client" || column.references !== null) return false;
        const values = valuesOf(column, table);
        const [one, other] = [1, 2].map((number) =>
          JSON.stringify(values.sample({ text: String(number), number, now: 0 }))
        );
        return one !== other;
      })
    ) continue;
    const key = columns.find(({ references }) =>
      references !== null && references.table !== table.name
    );
    if (key) return key;
  }
  return null;
}

/** Removes rows that conflict with an earlier one: no database can contain both. */
function withoutCollisions<Row extends Pick<SeedRow, "table" | "values">>(
  rows: readonly Row[],
): readonly Row[] {
  const taken = new Set<string>();
  return rows.filter((row) => {
    const keys = uniqueIndexes(row.table).flatMap(({ name, columns }) => {
      // Only living rows count, and null equals nothing.
      const key = columns.map((column) => row.values[column] ?? null);
      if (key.includes(null) || (row.values["deletedAt"] ?? null) !== null) return [];
      return [JSON.stringify([name, ...key])];
    });
    if (keys.some((key) => taken.has(key))) return false;
    for (const key of keys) taken.add(key);
    return true;
  });
}

/** True when the column is part of a unique index. */
export function isUnique(column: string, { indexes }: TableModel): boolean {
  return indexes.some(({ columns, unique }) => unique && columns.includes(column));
}

function uniqueIndexes({ indexes }: TableModel): readonly IndexModel[] {
  return indexes.filter(({ unique }) => unique);
}

/**
 * Returns the rows of several databases without those that a unique index refuses in one of them, and without those that refer
 * to such a row.
 */
export function fittingRows(
  databases: readonly (readonly SeedRow[])[],
): readonly (readonly SeedRow[])[] {
  const missing = new Set(databases.flatMap((rows) => {
    const kept = new Set(withoutCollisions(rows));
    return rows.filter((row) => !kept.has(row)).map(({ table, id }) => nameOf(table.name, id));
  }));
  const isLost = ({ table, id, values }: SeedRow) =>
    missing.has(nameOf(table.name, id)) ||
    table.columns.some(({ name, references }) =>
      references !== null && missing.has(nameOf(references.table, values[name] ?? null))
    );
  for (let found = -1; found < missing.size;) {
    found = missing.size;
    for (const row of databases.flat().filter(isLost)) missing.add(nameOf(row.table.name, row.id));
  }
  return databases.map((rows) => rows.filter((row) => !isLost(row)));
}

function nameOf(table: string, id: JsonValue): string {
  return JSON.stringify([table, id]);
}
