/** Files that rows refer to, and the lease of the collection that removes all others (contract 4.7). */
import { columnNamed, isFileColumn } from "../../surface/mod.ts";
import { filesInCell } from "../../contract/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { FILE_COLLECTIONS, type TableModel } from "../../model/mod.ts";
import type { Database, Reader, SqlValue } from "../ports.ts";
import { fileKey } from "./file_keys.ts";
import { fragment } from "./sql.ts";

const PAGE_ROWS = 1000;

export interface ReferredFile {
  readonly id: string;
  /** `papers.scan` */
  readonly place: string;
  /** Key of the bytes in the file store. */
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** Yields the files of these tables page by page, including those of soft-deleted rows. */
export async function* referrersIn(
  reader: Reader,
  tables: readonly TableModel[],
): AsyncGenerator<readonly ReferredFile[]> {
  for (const table of tables) {
    for (const { name } of table.columns.filter(isFileColumn)) {
      yield* filesReferredTo(reader, table, name);
    }
  }
}

async function* filesReferredTo(
  reader: Reader,
  table: TableModel,
  column: string,
): AsyncGenerator<readonly ReferredFile[]> {
  const sqlNameOf = (name: string) => sqlIdentifier(columnNamed(name, table).sqlName);
  const [key, files] = [sqlNameOf(table.primaryKey), sqlNameOf(column)];
  const place = `${table.name}.${column}`;
  const scopes = [table.scope.organization, table.scope.owner].filter((name) => name !== null);
  const read = [key, files, ...scopes.map(sqlNameOf)].join(", ");
  for (let after: SqlValue = null;;) {
    const beyond: string = after === null ? "" : ` AND ${key} > ?`;
    const { rows } = await reader.run(fragment(
      `SELECT ${read} FROM ${sqlIdentifier(table.sqlName)} WHERE ${files} IS NOT NULL${beyond}
        ORDER BY ${key} LIMIT ${PAGE_ROWS}`,
      ...(after === null ? [] : [after]),
    ));
    yield await Promise.all(rows.flatMap(([, cell, ...values]) => {
      const row = new Map(scopes.map((name, at) => [name, values[at] ?? null]));
      return filesInCell(cell).map(async ({ id, size, sha256 }) => {
        const key = await fileKey(table, row, id);
        return { id, place, key, size, sha256 };
      });
    }));
    after = rows.at(-1)?.[0] ?? null;
    if (rows.length < PAGE_ROWS) return;
  }
}

/** Takes or renews the lease. Returns false if another instance has it. Times are milliseconds since the epoch. */
export async function holdCollection(
  database: Database,
  holder: string,
  now: number,
  until: number,
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

/** Returns the marks of the last two collections by this database, one of which its store has; empty: there was none. */
export async function collectionMarks(reader: Reader): Promise<readonly string[]> {
  const { rows: [row] } = await reader.run(
    fragment(`SELECT holder FROM ${FILE_COLLECTIONS.name} WHERE id = 'marks'`),
  );
  return row ? String(row[0]).split(" ") : [];
}

export async function keepCollectionMarks(
  database: Database,
  marks: readonly string[],
): Promise<void> {
  await database.write((transaction) =>
    transaction.run(fragment(
      `INSERT INTO ${FILE_COLLECTIONS.name} (id, holder, held_until) VALUES ('marks', ?, 0)
        ON CONFLICT (id) DO UPDATE SET holder = excluded.holder`,
      marks.join(" "),
    ))
  );
}
