/** Finds the row in scope that refers to a file, for code that reads its bytes. */
import { columnNamed, isFileColumn } from "../../../surface/mod.ts";
import { holdsFiles } from "../../../column_types/mod.ts";
import { filesInCell, type FileValue } from "../../../contract/mod.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import { homeOf, type TableModel } from "../../../model/mod.ts";
import type { SqlValue } from "../../ports.ts";
import { cellSql, equalsSql, firewallSql } from "../conditions.ts";
import { fileKey } from "../file_keys.ts";
import { ROW } from "../projection.ts";
import { allOf, fragment } from "../sql.ts";
import type { ScopedDbCall } from "./run_statement.ts";
import type { Scope } from "./scope.ts";

export interface FoundFile {
  readonly value: FileValue;
  /** Key of the bytes in the file store. */
  readonly key: string;
  /** Media types of its column; null: any, or the file has no column yet. */
  readonly types: readonly string[] | null;
}

/** The record that the handler was given. */
export interface GivenKey {
  readonly table: TableModel;
  readonly id: SqlValue;
}

/**
 * Returns the file; null: no row within scope refers to it. The given record is examined first, because most files come from it
 * and no index leads from a file to its row.
 */
export async function findFile(
  { home: { index, directory }, place, queue }: ScopedDbCall,
  scope: Scope,
  id: string,
  given: GivenKey | null,
): Promise<FoundFile | null> {
  const everywhere = [...index.tables.values()].map((table) => ({ table, id: null }));
  for (const { table, id: only } of given === null ? everywhere : [given, ...everywhere]) {
    const isElsewhere = place !== null && homeOf(table) !== place;
    // Rows of organizations are in their own databases.
    if (isElsewhere && (place === "directory" || directory === undefined)) continue;
    const scopes = [table.scope.organization, table.scope.owner].filter((name) => name !== null);
    const cells = scopes.map((name) => `${ROW}.${sqlIdentifier(columnNamed(name, table).sqlName)}`);
    const within = allOf([
      ...(only === null
        ? []
        : [equalsSql(cellSql(columnNamed(table.primaryKey, table), ROW), only)]),
      firewallSql(scope.firewallOf(table), ROW, "row"),
    ]);
    for (const column of table.columns.filter(isFileColumn)) {
      const file = `${ROW}.${sqlIdentifier(column.sqlName)}`;
      const statement = fragment(
        `SELECT ${[file, ...cells].join(", ")} FROM ${sqlIdentifier(table.sqlName)} AS ${ROW}
          WHERE ${within.sql} AND ${
          holdsFiles(column.type)
            ? `EXISTS (SELECT 1 FROM json_each(${file}) WHERE json_extract(value, '$.id') = ?)`
            : `json_extract(${file}, '$.id') = ?`
        } LIMIT 1`,
        ...within.args,
        id,
      );
      const { rows: [row] } = await queue.run((own) =>
        isElsewhere && directory ? directory.run(statement) : own.run(statement)
      );
      if (!row) continue;
      const [text, ...values] = row;
      const value = filesInCell(text).find((one) => one.id === id);
      if (!value) throw new Error(`Column '${column.name}' does not hold what it was found by`);
      const stored = new Map(scopes.map((name, at) => [name, values[at] ?? null]));
      return { value, key: await fileKey(table, stored, id), types: column.type.types };
    }
  }
  return null;
}
