/** The row in scope that refers to a file, for code that wants its bytes. */
import { holdsFiles } from "../../../column_types/mod.ts";
import { filesInCell, type FileValue } from "../../../contract/files.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import { homeOf } from "../../../model/tenancy.ts";
import { isFileColumn } from "../../../surface/file_operations.ts";
import { columnOf } from "../catalog.ts";
import { firewallSql } from "../conditions.ts";
import { fileKey } from "../file_keys.ts";
import { ROW } from "../projection.ts";
import { fragment } from "../sql.ts";
import type { ScopedDbCall } from "./run_statement.ts";
import type { Scope } from "./scope.ts";

export interface FoundFile {
  readonly value: FileValue;
  /** Of its bytes, in the store. */
  readonly key: string;
  /** Media types that its column takes; null: any, or it has no column yet. */
  readonly types: readonly string[] | null;
}

/** Null: no row that the scope reads refers to it, whoever knows its id. */
export async function findFile(
  { home: { index, directory }, place, queue }: ScopedDbCall,
  scope: Scope,
  id: string,
): Promise<FoundFile | null> {
  for (const table of index.tables.values()) {
    const isElsewhere = place !== null && homeOf(table) !== place;
    // The rows of organizations are in their own databases.
    if (isElsewhere && (place === "directory" || directory === undefined)) continue;
    const scopes = [table.scope.organization, table.scope.owner].filter((name) => name !== null);
    const cells = scopes.map((name) => `${ROW}.${sqlIdentifier(columnOf(table, name).sqlName)}`);
    const within = firewallSql(scope.firewallOf(table), ROW);
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
