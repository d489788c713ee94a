/**
 * Vectors that the embeddings service makes (definitions 3). A row without its vector is the work itself: a worker queues a job
 * for it, so that what is written in whatever way is found, and rows that were there before the column.
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

/** Takes the vector away with a text that changes: the row is not near to anything until its new one is made. */
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

/** The same where only the columns are known, whatever is put into them. */
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

/** Rows queued in one transaction: others wait for it. */
const QUEUED_AT_ONCE = 200;

/**
 * Queues a job for each row that waits and has none; gives their number. One that has failed for good is tried again when its
 * row changes, or when an admin says so.
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

/** True when a row waits and has no job: for whoever need not write then. */
export async function someWait(reader: Reader, vector: MadeVector): Promise<boolean> {
  const { sql, args } = waitingRows(vector);
  const { rows } = await reader.run({ sql: `SELECT 1 ${sql} LIMIT 1`, args });
  return rows.length > 0;
}

/** `FROM` and `WHERE` of the rows without a job. */
function waitingRows(vector: MadeVector): Fragment {
  const { table } = vector;
  // The table of jobs has columns of the same names.
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

/** Of its jobs, in front of the row's id. */
function keyOf(table: TableModel): string {
  return `${table.name}/`;
}

/** Texts of a row in the order of `from`; null: it waits for nothing, or is gone. */
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

/** Puts the vector into its row, unless a text has changed since: a job of the newer text makes another. */
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

/** A row of the organization whose job it is. */
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
