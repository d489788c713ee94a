/** Jobs as rows (definitions 6). */
import * as limits from "../../contract/jobs.ts";
import { JOB_RUNS, outboxOf, SCHEDULE_TICKS } from "../../model/mod.ts";
import type { Reader, SqlValue, Transaction } from "../ports.ts";
import { insertRows } from "./outbox_rows.ts";
import { fragment } from "./sql.ts";
import { type Page, type PageRows, pageRows, pageSql, textOrNull } from "./webhooks/deliveries.ts";

/** The tenant and user that queued a job. Its run reaches their rows, and its writes name the user. */
export interface JobScope {
  readonly organizationId: string | null;
  readonly userId: string | null;
  readonly teamId: string | null;
}

export interface JobRow extends JobScope {
  readonly id: string;
  readonly job: string;
  readonly status: limits.JobStatus;
  readonly attempts: number;
  /** Number of the last lease. */
  readonly fence: number;
  /** Input as JSON, as it was queued. */
  readonly input: string;
  /** Results of finished steps by name, as JSON. */
  readonly steps: string;
  readonly key: string | null;
  readonly error: string | null;
  readonly runAt: string;
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

export type NewJobRow =
  & JobScope
  & Pick<JobRow, "id" | "job" | "input" | "key" | "runAt" | "createdAt">;

const TABLE = JOB_RUNS.name;

const COLUMNS = `id, job, organization_id, user_id, team_id, status, attempts, lease, input, steps,
  key, error, run_at, next_attempt_at, created_at, started_at, finished_at`;

/** One row per job that was queued. */
export const JOB_OUTBOX = outboxOf("quickback_job_runs");

/** Inserts jobs. An existing one stays as it is. */
export async function insertJobs(
  transaction: Transaction,
  rows: readonly NewJobRow[],
): Promise<void> {
  await insertRows(
    transaction,
    { ...JOB_OUTBOX, unique: ["id"] },
    rows.map(({ id, job, input, key, runAt, createdAt, organizationId, userId, teamId }) => ({
      id,
      job,
      organization_id: organizationId,
      user_id: userId,
      team_id: teamId,
      lease: 0,
      input,
      steps: "{}",
      key,
      run_at: runAt,
      next_attempt_at: runAt,
      created_at: createdAt,
      round: 0,
    })),
  );
}

/** Returns the job that occupies a key: it waits, runs, or finished since that time. A cancelled one does not count. */
export async function selectKeyed(
  reader: Reader,
  { job, key, organizationId, finishedAfter }: Pick<JobScope, "organizationId"> & {
    readonly job: string;
    readonly key: string;
    /** ISO 8601. Jobs that finished earlier do not count. */
    readonly finishedAfter: string;
  },
): Promise<string | null> {
  const { rows } = await reader.run(fragment(
    `SELECT id FROM ${TABLE} WHERE job = ? AND key = ? AND organization_id IS ?
      AND (status IN ('queued', 'running')
        OR (status IN ('done', 'failed') AND finished_at > ?))
      ORDER BY created_at DESC LIMIT 1`,
    job,
    key,
    organizationId,
    finishedAfter,
  ));
  return textOrNull(rows[0]?.[0]);
}

/** The owner of jobs: an organization, or null for jobs without one. */
export type JobOwner = Pick<JobScope, "organizationId">;

export async function selectJob(
  reader: Reader,
  id: string,
  owner: JobOwner | null,
): Promise<JobRow | null> {
  const { rows } = await reader.run(
    owner === null ? fragment(`SELECT ${COLUMNS} FROM ${TABLE} WHERE id = ?`, id) : fragment(
      `SELECT ${COLUMNS} FROM ${TABLE} WHERE id = ? AND organization_id IS ?`,
      id,
      owner.organizationId,
    ),
  );
  return rows[0] ? jobRow(rows[0]) : null;
}

export async function selectJobs(
  reader: Reader,
  { organizationId, status }: JobOwner & { readonly status: limits.JobStatus | null },
  page: Page,
): Promise<PageRows<JobRow>> {
  const matching = fragment(
    "organization_id IS ? AND status = coalesce(?, status)",
    organizationId,
    status,
  );
  const { sql, args } = pageSql(matching, page);
  const { rows } = await reader.run(fragment(`SELECT ${COLUMNS} FROM ${TABLE} ${sql}`, ...args));
  return pageRows(rows, page, jobRow);
}

/** Requeues a failed job with all of its attempts. Finished steps stay done. Returns false if it has not failed. */
export async function renewJob(
  transaction: Transaction,
  id: string,
  { organizationId, now }: JobOwner & { readonly now: string },
): Promise<boolean> {
  const { changes } = await transaction.run(fragment(
    `UPDATE ${TABLE} SET status = 'queued', attempts = 0, error = NULL, finished_at = NULL,
        run_at = ?, next_attempt_at = ?, queued_at = NULL, round = round + 1
      WHERE id = ? AND organization_id IS ? AND status = 'failed'`,
    now,
    now,
    id,
    organizationId,
  ));
  return changes > 0;
}

/** Cancels a waiting job. Returns false if it does not wait. */
export async function cancelJob(
  transaction: Transaction,
  id: string,
  { organizationId, now }: JobOwner & { readonly now: string },
): Promise<boolean> {
  const { changes } = await transaction.run(fragment(
    `UPDATE ${TABLE} SET status = 'cancelled', finished_at = ?,
        queued_at = coalesce(queued_at, ?)
      WHERE id = ? AND organization_id IS ? AND status = 'queued'`,
    now,
    now,
    id,
    organizationId,
  ));
  return changes > 0;
}

/** Inserts a job that waited in another database, with its id, unless another one occupies its key. */
export async function adoptJob(transaction: Transaction, row: JobRow, now: number): Promise<void> {
  const { key, job, organizationId } = row;
  if (key !== null) {
    const finishedAfter = new Date(now - limits.JOB_KEY_MS).toISOString();
    const known = await selectKeyed(transaction, { job, key, organizationId, finishedAfter });
    if (known !== null) return;
  }
  await insertJobs(transaction, [row]);
}

/** Deletes a job that was moved to another database. */
export async function deleteJob(transaction: Transaction, id: string): Promise<void> {
  await transaction.run(fragment(`DELETE FROM ${TABLE} WHERE id = ?`, id));
}

/** A run, identified by the number of its lease. */
export interface HeldJob {
  readonly id: string;
  readonly fence: number;
}

/** Marks the job as done, in the transaction of the run. Returns false if the lease is lost, and nothing may be kept. */
export async function finishJob(
  transaction: Transaction,
  { id, fence }: HeldJob,
  now: string,
): Promise<boolean> {
  const { changes } = await transaction.run(fragment(
    `UPDATE ${TABLE} SET status = 'done', error = NULL, next_attempt_at = NULL, finished_at = ?
      WHERE id = ? AND status = 'running' AND lease = ?`,
    now,
    id,
    fence,
  ));
  return changes > 0;
}

/** Stores finished steps as JSON, in the transaction of a step. Returns false if the lease is lost. */
export async function keepSteps(
  transaction: Transaction,
  { id, fence }: HeldJob,
  steps: string,
): Promise<boolean> {
  const { changes } = await transaction.run(fragment(
    `UPDATE ${TABLE} SET steps = ? WHERE id = ? AND status = 'running' AND lease = ?`,
    steps,
    id,
    fence,
  ));
  return changes > 0;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes old finished jobs and returns their number. */
export async function pruneJobs(
  transaction: Transaction,
  now: number,
  limit: number,
): Promise<number> {
  const before = (days: number) => new Date(now - days * DAY_MS).toISOString();
  const { done, cancelled, failed } = limits.JOB_RETENTION_DAYS;
  const { changes } = await transaction.run(fragment(
    `DELETE FROM ${TABLE} WHERE id IN (SELECT id FROM ${TABLE}
      WHERE (status = 'done' AND finished_at < ?) OR (status = 'cancelled' AND finished_at < ?)
        OR (status = 'failed' AND finished_at < ?) LIMIT ?)`,
    before(done),
    before(cancelled),
    before(failed),
    limit,
  ));
  return changes;
}

/** Returns the time of a schedule's last tick in milliseconds since the epoch; null: there was none. */
export async function selectTick(reader: Reader, schedule: string): Promise<number | null> {
  const { rows } = await reader.run(
    fragment(`SELECT ticked_at FROM ${SCHEDULE_TICKS.name} WHERE schedule = ?`, schedule),
  );
  return rows[0] ? Number(rows[0][0]) : null;
}

/** Takes a tick. Returns true for the first of all instances. */
export async function takeTick(
  transaction: Transaction,
  schedule: string,
  tick: number,
): Promise<boolean> {
  const { changes } = await transaction.run(fragment(
    `INSERT INTO ${SCHEDULE_TICKS.name} (schedule, ticked_at) VALUES (?, ?)
      ON CONFLICT (schedule) DO UPDATE SET ticked_at = excluded.ticked_at
        WHERE ticked_at < excluded.ticked_at`,
    schedule,
    tick,
  ));
  return changes > 0;
}

function jobRow(cells: readonly SqlValue[]): JobRow {
  const [id, job, organizationId, userId, teamId, status, attempts, lease, ...rest] = cells;
  const [input, steps, key, error, runAt, nextAttemptAt, createdAt, startedAt, finishedAt] = rest;
  return {
    id: String(id),
    job: String(job),
    organizationId: textOrNull(organizationId),
    userId: textOrNull(userId),
    teamId: textOrNull(teamId),
    status: limits.JOB_STATUSES.find((known) => known === status) ?? "failed",
    attempts: Number(attempts),
    fence: Number(lease),
    input: String(input),
    steps: String(steps),
    key: textOrNull(key),
    error: textOrNull(error),
    runAt: String(runAt),
    nextAttemptAt: textOrNull(nextAttemptAt),
    createdAt: String(createdAt),
    startedAt: textOrNull(startedAt),
    finishedAt: textOrNull(finishedAt),
  };
}
