/** Counts up the revisions of rows whose foreign key the database is about to clear (definitions 7 "revision"). */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import type { TableModel } from "../../model/table.ts";
import { type Catalog, columnOf } from "./catalog.ts";
import { cellSql } from "./condition_sql.ts";
import { ROW } from "./projection.ts";
import { type Fragment, fragment } from "./sql.ts";
import { incrementedRevision } from "./stamps.ts";

/** One update per foreign key with `set null`, of the removed rows and of those that the removal takes along. */
export function clearedRevisions(
  catalog: Catalog,
  table: TableModel,
  removed: Fragment,
): readonly Fragment[] {
  return statementsBelow(catalog, { table, removed, path: [table.name] });
}

interface Removal {
  readonly table: TableModel;
  /** Of `ROW`: true for the rows that go. */
  readonly removed: Fragment;
  /** Tables on the way here: a circle of cascades is followed once. */
  readonly path: readonly string[];
}

function statementsBelow(
  catalog: Catalog,
  { table, removed, path }: Removal,
): readonly Fragment[] {
  const children = catalog.childrenOf.get(table.name) ?? [];
  return children.flatMap(({ table: child, column, parentColumn, onDelete }) => {
    const parents = fragment(
      `SELECT ${cellSql(columnOf(table, parentColumn), ROW)} FROM ${
        sqlIdentifier(table.sqlName)
      } AS ${ROW} WHERE ${removed.sql}`,
      ...removed.args,
    );
    const referring = fragment(`${cellSql(column, ROW)} IN (${parents.sql})`, ...parents.args);
    if (onDelete === "set null") return countedUp(child, referring);
    if (onDelete !== "cascade" || path.includes(child.name)) return [];
    return statementsBelow(catalog, {
      table: child,
      removed: referring,
      path: [...path, child.name],
    });
  });
}

function countedUp(table: TableModel, where: Fragment): readonly Fragment[] {
  const [revision] = incrementedRevision(table);
  if (!revision) return [];
  return [
    fragment(
      `UPDATE ${sqlIdentifier(table.sqlName)} AS ${ROW} SET ${revision.sql} WHERE ${where.sql}`,
      ...where.args,
    ),
  ];
}
