/** Files that rows refer to, and the lease of the collection that removes all others (contract 4.7). */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { FILE_COLLECTIONS } from "../../model/files.ts";
import type { TableModel } from "../../model/table.ts";
import type { Database, Reader, SqlValue } from "../ports.ts";
import { columnOf } from "./catalog.ts";
import { fragment } from "./sql.ts";

const PAGE_ROWS = 1000;

/** Ids of the files of a column, page by page: of every row, deleted softly or not. */
export async function* filesReferredTo(
  reader: Reader,
  table: TableModel,
  column: string,
): AsyncGenerator<readonly string[]> {
  const [name, key, file] = [
    table.sqlName,
    columnOf(table, table.primaryKey).sqlName,
    columnOf(table, column).sqlName,
  ].map(sqlIdentifier);
  for (let after: SqlValue = null;;) {
    const beyond: string = after === null ? "" : ` AND ${key} > ?`;
    const { rows } = await reader.run(fragment(
      `SELECT ${key}, json_extract(${file}, '$.id') FROM ${name} WHERE ${file} IS NOT NULL${beyond} ` +
        `ORDER BY ${key} LIMIT ${PAGE_ROWS}`,
      ...(after === null ? [] : [after]),
    ));
    yield rows.map(([, id]) => String(id));
    after = rows.at(-1)?.[0] ?? null;
    if (rows.length < PAGE_ROWS) return;
  }
}

interface CollectionLease {
  readonly holder: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly until: number;
}

/** Takes the lease, or holds on to it; false: another instance has it. */
export async function holdCollection(
  database: Database,
  { holder, now, until }: CollectionLease,
): Promise<boolean> {
  const { changes } = await database.write((transaction) =>
    transaction.run(fragment(
      `INSERT INTO ${FILE_COLLECTIONS.name} (id, holder, held_until) VALUES ('files', ?, ?)
        ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
        WHERE held_until <= ? OR holder = excluded.holder`,
      holder,
      until,
      now,
    ))
  );
  return changes > 0;
}

export async function releaseCollection(database: Database, holder: string): Promise<void> {
  await database.write((transaction) =>
    transaction.run(fragment(
      `UPDATE ${FILE_COLLECTIONS.name} SET held_until = 0 WHERE holder = ?`,
      holder,
    ))
  );
}
