/** Pools of files that are bounded while no row refers to them (contract 4.7): those of a column, and those that code put. */
import { columnNamed, type FileColumn, isFileColumn } from "../../surface/mod.ts";
import { UNREFERRED_SIZES } from "../../contract/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { type Home, homeOf, type TableModel } from "../../model/mod.ts";
import type { Reader, SqlValue, Statement, UnreferredPool } from "../ports.ts";
import * as keys from "./file_keys.ts";
import type { StoredRow } from "./types.ts";

/** Files of the row's tenant that come into one column by its routes. */
export async function columnPool(
  reader: Reader,
  { table, row, column }: {
    readonly table: TableModel;
    readonly row: StoredRow;
    readonly column: FileColumn;
  },
): Promise<UnreferredPool> {
  const { files, uploads } = await keys.fileIdsOf(table.name, column.name);
  const tenant = keys.fileTenantOf(table, row);
  const asked = referredBytes([{ table, column }], { tenant, ids: files });
  return {
    files: await keys.fileKey(table, row, files),
    uploads: await keys.uploadKey(table, row, uploads),
    limit: UNREFERRED_SIZES * column.type.maxSize,
    referred: () => bytesOf(reader, asked),
  };
}

/**
 * Files that code put for those of these tables that have one home; the tenant is the id of the organization or the owner. Null:
 * their rows are in another database than code reads here.
 */
export async function putPool(
  reader: Reader,
  { tables, home, tenant, place }: {
    readonly tables: readonly TableModel[];
    readonly home: keys.FileHome;
    readonly tenant: SqlValue;
    /** Home of the rows that the reader finds; null: all. */
    readonly place: Home | null;
  },
): Promise<UnreferredPool | null> {
  const meant = tables.filter((table) => keys.fileHomeOf(table) === home);
  if (place !== null && meant.some((table) => homeOf(table) !== place)) return null;
  const columns = meant.flatMap((table) =>
    table.columns.filter(isFileColumn).map((column) => ({ table, column }))
  );
  const asked = referredBytes(columns, { tenant, ids: keys.PUT_PREFIX });
  return {
    files: await keys.putKey(home, tenant, keys.PUT_PREFIX),
    uploads: null,
    limit: UNREFERRED_SIZES * Math.max(...columns.map(({ column: { type } }) => type.maxSize)),
    referred: () => bytesOf(reader, asked),
  };
}

interface PoolColumn {
  readonly table: TableModel;
  readonly column: FileColumn;
}

/** Asks for the bytes of the tenant's files in these columns whose ids begin so, of rows that are deleted softly, too. */
function referredBytes(
  columns: readonly PoolColumn[],
  { tenant, ids }: { readonly tenant: SqlValue; readonly ids: string },
): Statement {
  const sums = columns.map(({ table, column: { name, type } }) => {
    const nameOf = (column: string) => sqlIdentifier(columnNamed(column, table).sqlName);
    const [rows, cell] = [sqlIdentifier(table.sqlName), nameOf(name)];
    const scope = table.scope.organization ?? table.scope.owner;
    const within = scope === null ? "?1 IS NULL" : `${rows}.${nameOf(scope)} = ?1`;
    const isList = type.maxItems !== undefined;
    const from = isList ? `${rows}, json_each(${rows}.${cell}) AS file` : rows;
    const file = isList ? "file.value" : `${rows}.${cell}`;
    return `(SELECT coalesce(sum(json_extract(${file}, '$.size')), 0) FROM ${from}
      WHERE ${within} AND ${rows}.${cell} IS NOT NULL
        AND substr(json_extract(${file}, '$.id'), 1, ${ids.length}) = ?2)`;
  });
  return {
    sql: `SELECT ${sums.join(" + ")}`,
    args: [tenant, ids],
    isSingle: true,
    unboundedFor: String(tenant),
    beyondScope: "fileBytes",
  };
}

async function bytesOf(reader: Reader, asked: Statement): Promise<number> {
  const { rows: [row] } = await reader.run(asked);
  return Number(row?.[0] ?? 0);
}
