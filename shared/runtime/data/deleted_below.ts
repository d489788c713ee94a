/**
 * Removes what a hard delete takes along: soft-deleted rows that refer to the removed ones. Nobody could delete them again, so
 * that they would keep their parent for ever (contract 3.1).
 */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import type { TableModel } from "../../model/table.ts";
import { type Catalog, columnOf, findColumn } from "./catalog.ts";
import { clearedRevisions } from "./cleared_revisions.ts";
import { cellSql } from "./condition_sql.ts";
import { ROW } from "./projection.ts";
import { allOf, type Fragment, fragment } from "./sql.ts";

/** Statements to run before the removal, lowest rows first. Live rows stay, and are the database's to judge. */
export function removalsBelow(
  catalog: Catalog,
  table: TableModel,
  removed: Fragment,
): readonly Fragment[] {
  return removalsOf(catalog, { table, removed, path: [table.name] });
}

interface Removal {
  readonly table: TableModel;
  /** Of `ROW`: true for the rows that go. */
  readonly removed: Fragment;
  readonly path: readonly string[];
}

/** A circle of tables is followed once. */
const ROUNDS_MAX = 2;

function removalsOf(catalog: Catalog, { table, removed, path }: Removal): readonly Fragment[] {
  const children = catalog.childrenOf.get(table.name) ?? [];
  return children.flatMap(({ table: child, column, parentColumn, onDelete }) => {
    if (onDelete === "set null") return [];
    if (path.filter((name) => name === child.name).length >= ROUNDS_MAX) return [];
    const parents = `SELECT ${cellSql(columnOf(table, parentColumn), ROW)} FROM ${
      sqlIdentifier(table.sqlName)
    } AS ${ROW} WHERE ${removed.sql}`;
    const referring = fragment(`${cellSql(column, ROW)} IN (${parents})`, ...removed.args);
    const below = { table: child, path: [...path, child.name] };
    // These the database removes itself, if what is below them lets it.
    if (onDelete === "cascade") return removalsOf(catalog, { ...below, removed: referring });
    const deletedAt = findColumn(child, "deletedAt");
    if (!child.softDelete || !deletedAt) return [];
    const gone = allOf([referring, fragment(`${cellSql(deletedAt, ROW)} IS NOT NULL`)]);
    return [
      ...removalsOf(catalog, { ...below, removed: gone }),
      ...clearedRevisions(catalog, child, gone),
      fragment(
        `DELETE FROM ${sqlIdentifier(child.sqlName)} AS ${ROW} WHERE ${gone.sql}`,
        ...gone.args,
      ),
    ];
  });
}
