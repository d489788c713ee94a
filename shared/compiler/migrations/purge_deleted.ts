/** Rows that are kept as deleted would be live again once nothing marks them: they leave with their marker (contract 3.1). */
import type { SqlTable } from "../../model/sql_table.ts";
import type { DeletedRows, SchemaChange } from "./schema_change.ts";

/** In either naming convention. */
const MARKERS: readonly string[] = ["deleted_at", "deletedAt"];

/** True for the names of the service's own column that marks deleted rows. */
export function isDeletedMarker(column: string): boolean {
  return MARKERS.includes(column);
}

/** True for columns that only deleted rows have a value in: a loss of them is lost with those rows. */
export function isDeletedField(column: string): boolean {
  return isDeletedMarker(column) || column === "deleted_by" || column === "deletedBy";
}

/** Removals of deleted rows from tables that lose their marker, children before their parents. */
export function purgeDeleted(
  before: readonly SqlTable[],
  after: ReadonlyMap<string, SqlTable>,
): readonly SchemaChange[] {
  const losing = before.filter((table) => {
    const marker = markerOf(table);
    const next = after.get(table.name);
    return marker !== null && next !== undefined &&
      !next.columns.some(({ name }) => name === marker);
  });
  return losing.flatMap((table) => purged(rowsOf(table), { before, path: [table.name] }));
}

interface Search {
  readonly before: readonly SqlTable[];
  /** Tables on the way here: a cycle ends. */
  readonly path: readonly string[];
}

function purged(rows: DeletedRows, { before, path }: Search): readonly SchemaChange[] {
  const children = before.filter((table) => !path.includes(table.name)).flatMap((table) =>
    table.columns.flatMap((column) => {
      if (column.references?.table !== rows.table || markerOf(table) === null) return [];
      const parent = { column: column.name, key: column.references.column, rows };
      return purged({ ...rowsOf(table), parent }, { before, path: [...path, table.name] });
    })
  );
  return [...children, { kind: "purgeDeleted", rows }];
}

function rowsOf(table: SqlTable): DeletedRows {
  return { table: table.name, marker: markerOf(table) ?? "", parent: null };
}

function markerOf({ columns }: SqlTable): string | null {
  return columns.find(({ name }) => isDeletedMarker(name))?.name ?? null;
}
