/**
 * Vectors that the embeddings service makes (definitions 3). A row without its vector represents the work: a worker finds it
 * and queues a job, however the row was written.
 */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { EMBED_JOB, JOB_RUNS, type TableModel } from "../../model/mod.ts";
import { columnNamed, type MadeVector, madeVectorOf, waitingSql } from "../../surface/mod.ts";
import type { Reader, SqlValue, Transaction } from "../ports.ts";
import { findColumn } from "./catalog.ts";
import { ROW } from "./projection.ts";
import { type Fragment, fragment } from "./sql.ts";
import type { Assignment } from "./stamps.ts";
import type { ColumnValues } from "./types.ts";

/** Returns assignments that clear the vector when a text changes. The row is not near anything until its new vector exists. */
export function staleVector(table: TableModel, values: ColumnValues): readonly Assignment[] {
  const vector = madeVectorOf(table);
  const written = vector?.sources.filter((name) => values.has(name)) ?? [];
  if (vector === null || written.length === 0) return [];
  const own = sqlIdentifier(vector.column.sqlName);
  const same = written.map((name) => `${sqlNameOf(table, name)} IS ?`).join(" AND ");
  return [{
    sql: `${own} = CASE WHEN ${same} THEN ${own} END`,
    args: written.map((name) => values.get(name) ?? null),
  }];
}

/** Returns the same when only the written columns are known. */
export function staleVectorOf(
  table: TableModel,
  written: readonly string[],
): readonly Assignment[] {
  const vector = madeVectorOf(table);
  return vector?.sources.some((name) => written.includes(name))
    ? [{ sql: `${sqlIdentifier(vector.column.sqlName)} = NULL`, args: [] }]
    : [];
}

function sqlNameOf(table: TableModel, name: string): string {
  return sqlIdentifier(columnNamed(name, table).sqlName);
}

/** Most rows queued in one transaction, because others wait for it. */
const QUEUED_AT_ONCE = 200;

/**
 * Queues a job for each waiting row without one, and returns their number. A failed job is retried when its row changes or an
 * admin says so.
 */
export async function queueWaiting(
  transaction: Transaction,
  vector: MadeVector,
  now: string,
): Promise<number> {
  const { table } = vector;
  const { organization } = table.scope;
  const organizationId = organization === null ? "NULL" : sqlNameOf(table, organization);
  const id = sqlNameOf(table, table.primaryKey);
  const waiting = waitingRows(vector);
  const { changes } = await transaction.run(fragment(
    `INSERT INTO ${JOB_RUNS.name} (id, job, organization_id, status, attempts, lease, input, steps,
        key, run_at, next_attempt_at, created_at, round)
      SELECT 'job_' || lower(hex(randomblob(16))), ?, ${organizationId}, 'queued', 0, 0,
        json_object('table', ?, 'id', ${id}), '{}', ? || ${id}, ?, ?, ?, 0
      ${waiting.sql} LIMIT ${QUEUED_AT_ONCE}`,
    EMBED_JOB,
    table.name,
    keyOf(table),
    now,
    now,
    now,
    ...waiting.args,
  ));
  return changes;
}

/** True when a row waits and has no job. It avoids a write if there is none. */
export async function someWait(reader: Reader, vector: MadeVector): Promise<boolean> {
  const { sql, args } = waitingRows(vector);
  const { rows } = await reader.run({ sql: `SELECT 1 ${sql} LIMIT 1`, args });
  return rows.length > 0;
}

/** Returns `FROM` and `WHERE` of the waiting rows without a job. */
function waitingRows(vector: MadeVector): Fragment {
  const { table } = vector;
  // The columns are qualified, because the table of jobs has columns of the same names.
  const changedAt = ["modifiedAt", "createdAt"].flatMap((name) =>
    findColumn(table, name) ? [`${ROW}.${sqlNameOf(table, name)}`] : []
  );
  const deletedAt = table.softDelete ? `AND ${sqlNameOf(table, "deletedAt")} IS NULL` : "";
  return fragment(
    `FROM ${sqlIdentifier(table.sqlName)} AS ${ROW}
      WHERE ${waitingSql(vector)} ${deletedAt} AND NOT EXISTS (
        SELECT 1 FROM ${JOB_RUNS.name} AS j
        WHERE j.job = ? AND j.key = ? || ${ROW}.${sqlNameOf(table, table.primaryKey)}
          AND (j.status IN ('queued', 'running') OR j.status IN ('failed', 'cancelled')
            AND j.created_at >= coalesce(${[...changedAt, "''"].join(", ")})))`,
    EMBED_JOB,
    keyOf(table),
  );
}

/** Prefix of the jobs' keys, before the row's id. */
function keyOf(table: TableModel): string {
  return `${table.name}/`;
}

/** Returns the texts of a row in the order of `from`; null: it does not wait, or is gone. */
export async function selectTexts(
  reader: Reader,
  { vector, id, organizationId }: WaitingRow,
): Promise<readonly SqlValue[] | null> {
  const { table, sources } = vector;
  const { rows } = await reader.run(fragment(
    `SELECT ${sources.map((name) => sqlNameOf(table, name)).join(", ")}
      FROM ${sqlIdentifier(table.sqlName)} WHERE ${rowSql(vector)} AND ${waitingSql(vector)}`,
    ...rowArgs({ vector, id, organizationId }),
  ));
  return rows[0] ?? null;
}

/** Stores the vector, unless a text has changed meanwhile, in which case another job makes a new one. */
export async function storeVector(
  transaction: Transaction,
  { texts, digits, ...row }: WaitingRow & {
    readonly texts: readonly SqlValue[];
    readonly digits: string;
  },
): Promise<boolean> {
  const { vector: { table, column, sources } } = row;
  const same = sources.map((name) => `${sqlNameOf(table, name)} IS ?`).join(" AND ");
  const { changes } = await transaction.run(fragment(
    `UPDATE ${sqlIdentifier(table.sqlName)} SET ${sqlIdentifier(column.sqlName)} = unhex(?)
      WHERE ${rowSql(row.vector)} AND ${same}`,
    digits,
    ...rowArgs(row),
    ...texts,
  ));
  return changes > 0;
}

/** A row with the organization that its job belongs to. */
export interface WaitingRow {
  readonly vector: MadeVector;
  readonly id: SqlValue;
  readonly organizationId: string | null;
}

function rowSql({ table }: MadeVector): string {
  const { organization } = table.scope;
  return [
    `${sqlNameOf(table, table.primaryKey)} = ?`,
    ...(organization === null ? [] : [`${sqlNameOf(table, organization)} IS ?`]),
    ...(table.softDelete ? [`${sqlNameOf(table, "deletedAt")} IS NULL`] : []),
  ].join(" AND ");
}

function rowArgs({ vector: { table }, id, organizationId }: WaitingRow): readonly SqlValue[] {
  return table.scope.organization === null ? [id] : [id, organizationId];
}
