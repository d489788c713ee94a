/**
 * Finds the values of a new scope column in existing rows, and the order in which tables are filled (definitions 2,
 * `compiler.migrations`).
 */
import type { SqlTable } from "../../model/mod.ts";
import type * as schema from "./schema_change.ts";

/** Finds the fill of a column; null for a scope column that nothing can fill, undefined for other columns. */
export type FillFinder = (table: string, column: string) => schema.Backfill | null | undefined;

/** Returns the finder; `old` are the existing tables, by their current names. */
export function fillFinder(
  old: ReadonlyMap<string, SqlTable>,
  { backfills }: schema.SchemaHints,
): FillFinder {
  const has = (table: string, column: string) =>
    old.get(table)?.columns.some(({ name }) => name === column) ?? false;
  const find = (
    table: string,
    column: string,
    path: readonly string[],
  ): schema.Backfill | null | undefined => {
    const fill = backfills.get(table)?.get(column);
    if (fill?.kind !== "parent") return fill;
    if (!has(table, fill.foreignKey) || path.includes(fill.table)) return null;
    // A parent without a value is filled first. Two parents that depend on each other cannot be filled.
    const isKnown = has(fill.table, fill.value) ||
      (old.has(fill.table) && find(fill.table, fill.value, [...path, fill.table]));
    return isKnown ? fill : null;
  };
  return (table, column) => find(table, column, [table]);
}

interface FilledTable {
  readonly table: string;
  readonly filled: readonly schema.Fill[];
}

/** Returns each table after those from which its rows take a value, else in the given order. */
export function inFillingOrder<T extends FilledTable>(tables: readonly T[]): readonly T[] {
  const ordered = new Set<T>();
  const add = (table: T) => {
    const sources = tables.filter((other) =>
      other.table !== table.table && other.filled.length > 0 &&
      table.filled.some(({ from }) => from.kind === "parent" && from.table === other.table)
    );
    for (const parent of sources) add(parent);
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered];
}

/** Returns the loss of the rows that a backfill with "delete" deletes for the new column. */
export function deletedByFill({ table, filled }: FilledTable): readonly schema.SchemaLoss[] {
  return filled.some(({ from }) => from.kind === "delete") ? [{ kind: "rowsDeleted", table }] : [];
}

/** Names of the deletion marker in either naming convention. */
const MARKERS: readonly string[] = ["deleted_at", "deletedAt"];

/** True for the names of the service's own column that marks deleted rows. */
export function isDeletedMarker(column: string): boolean {
  return MARKERS.includes(column);
}

/** True for columns in which only deleted rows have a value. Dropping such a column loses nothing else than those rows. */
export function isDeletedField(column: string): boolean {
  return isDeletedMarker(column) || column === "deleted_by" || column === "deletedBy";
}

/** Returns deletions of soft-deleted rows in tables that lose their marker, children before their parents. */
export function purgeDeleted(
  before: readonly SqlTable[],
  after: ReadonlyMap<string, SqlTable>,
): readonly schema.SchemaChange[] {
  const losing = before.filter((table) => {
    const marker = markerOf(table);
    const next = after.get(table.name);
    return marker !== null && next !== undefined &&
      !next.columns.some(({ name }) => name === marker);
  });
  return losing.flatMap((table) => purged(rowsOf(table), before, [table.name]));
}

function purged(
  rows: schema.DeletedRows,
  before: readonly SqlTable[],
  /** Tables on the current path, so that a cycle ends. */
  path: readonly string[],
): readonly schema.SchemaChange[] {
  const children = before.filter((table) => !path.includes(table.name)).flatMap((table) =>
    table.columns.flatMap((column) => {
      if (column.references?.table !== rows.table || markerOf(table) === null) return [];
      const parent = { column: column.name, key: column.references.column, rows };
      return purged({ ...rowsOf(table), parent }, before, [...path, table.name]);
    })
  );
  return [...children, { kind: "purgeDeleted", rows }];
}

function rowsOf(table: SqlTable): schema.DeletedRows {
  return { table: table.name, marker: markerOf(table) ?? "", parent: null };
}

function markerOf({ columns }: SqlTable): string | null {
  return columns.find(({ name }) => isDeletedMarker(name))?.name ?? null;
}
