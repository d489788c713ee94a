/**
 * Rows that represent work (contract 3.3, 3.4): they are written in the transaction of their cause, handed to a queue, settled,
 * and deleted later. A kind of work names its table and states, from which the statements are made.
 */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { JOBS, type OutboxStates, type OutboxTable } from "../../model/mod.ts";
import type { NewJob, Reader, SqlValue, Statement, Transaction } from "../ports.ts";
import { fragment, jsonList } from "./sql.ts";

export type OutboxColumns = Readonly<Record<string, SqlValue>>;

/** A row as a job of the queue. */
interface UnqueuedRow extends Omit<NewJob, "dueAt"> {
  readonly rowId: string;
}

/** Times as ISO 8601. A row queued before the first, or after the second because a clock has gone back, may be lost. */
interface QueuedRange {
  readonly before: string;
  readonly after: string;
}

/** The end of an attempt. */
export interface Settlement {
  /** Number of the attempt, if the table counts them. A row with another number is not changed. */
  readonly fence?: number | null;
  readonly state: "again" | "done" | "dead";
  /** Number of ended attempts. */
  readonly attempts: number;
  /** ISO 8601; null: there is no next attempt. */
  readonly nextAttemptAt: string | null;
  /** Further columns. */
  readonly columns: OutboxColumns;
}

/** Inserts rows in the transaction of their cause. Returns the number of new ones. */
export async function insertRows(
  transaction: Transaction,
  { name, unique = [], states }: OutboxTable,
  rows: readonly OutboxColumns[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const fresh = { ...(states === undefined ? {} : { status: states.fresh }), attempts: 0 };
  const conflict = unique.length === 0 ? "" : `ON CONFLICT (${unique.join(", ")}) DO NOTHING`;
  const statements = rows.map((row): Statement => {
    const columns = { ...row, ...fresh };
    const names = Object.keys(columns);
    return {
      sql: `INSERT INTO ${name} (${names.join(", ")})
        VALUES (${names.map(() => "?").join(", ")}) ${conflict}`,
      args: Object.values(columns),
    };
  });
  const results = await transaction.runAll(statements);
  return results.reduce((sum, { changes }) => sum + changes, 0);
}

/** The work to look for. */
export interface Waiting {
  /** Names of the outbox tables. */
  readonly tables: readonly string[];
  /** Milliseconds since the epoch; null: jobs are not in the database. */
  readonly dueBefore: number | null;
  /** True when organizations may be in deletion. */
  readonly multiTenant: boolean;
}

/** True when there is any work. It is one statement for all tables. */
export async function somethingWaits(
  reader: Reader,
  { tables, dueBefore, multiTenant }: Waiting,
): Promise<boolean> {
  const waiting = tables.map((name) => `SELECT 1 FROM ${name} WHERE queued_at IS NULL`);
  if (dueBefore !== null) {
    waiting.push(`SELECT 1 FROM ${sqlIdentifier(JOBS.name)} WHERE dead_at IS NULL AND due_at <= ?`);
  }
  if (multiTenant) waiting.push(`SELECT 1 FROM "organization_purges" WHERE "status" = 'running'`);
  const sql = `SELECT ${waiting.map((one) => `EXISTS (${one})`).join(" OR ") || "0"}`;
  const { rows: [row] } = await reader.run({ sql, args: dueBefore === null ? [] : [dueBefore] });
  return row?.[0] !== 0;
}

/** Returns rows that were not handed to a queue yet. `now` is ISO 8601. */
export async function selectUnqueued(
  reader: Reader,
  table: OutboxTable,
  { now, limit }: { readonly now: string; readonly limit: number },
): Promise<readonly UnqueuedRow[]> {
  const { queuedPerReceiver } = table;
  const { rows } = await reader.run(
    queuedPerReceiver === undefined
      ? fragment(
        `SELECT id, ${jobId(table)}, ${table.receiver} FROM ${table.name}
    WHERE queued_at IS NULL ORDER BY created_at LIMIT ?`,
        limit,
      )
      : fairlyUnqueued(table, now, limit, queuedPerReceiver),
  );
  return rows.map(([rowId, id, payload]) => ({
    rowId: String(rowId),
    id: String(id),
    payload: String(payload),
  }));
}

export async function markQueued(
  transaction: Transaction,
  { name }: OutboxTable,
  ids: readonly string[],
  now: string,
): Promise<void> {
  const sql = `UPDATE ${name} SET queued_at = ? WHERE id IN (SELECT value FROM json_each(?))`;
  await transaction.run(fragment(sql, now, jsonList(ids)));
}

/** Marks overdue rows to be handed over again. A queue that still has them ignores it. */
export async function requeueOverdue(
  transaction: Transaction,
  { name, nextAttempt, states }: OutboxTable,
  { before, after }: QueuedRange,
  limit: number,
): Promise<void> {
  const waiting = states === undefined ? "" : `${waitingCondition(states)} AND `;
  const due = nextAttempt === undefined
    ? fragment("queued_at < ?", before)
    : fragment(`queued_at < ? AND coalesce(${nextAttempt}, '') < ?`, before, before);
  const sql = `UPDATE ${name} SET queued_at = NULL WHERE id IN (SELECT id FROM ${name}
    WHERE ${waiting}(queued_at > ? OR ${due.sql}) ORDER BY created_at LIMIT ?)`;
  await transaction.run(fragment(sql, after, ...due.args, limit));
}

/** Deletes rows that were settled before a time in ISO 8601. Returns their number. */
export async function pruneRows(
  transaction: Transaction,
  { name, states }: OutboxTable,
  before: string,
  limit: number,
): Promise<number> {
  if (states === undefined) return 0;
  const over = statusIn([states.done, states.dead]);
  const sql = `DELETE FROM ${name} WHERE id IN (SELECT id FROM ${name}
    WHERE ${
    states.attempts === undefined
      ? over
      : `${over} AND (status <> '${states.dead}' OR attempts >= ${states.attempts})`
  } AND created_at < ? LIMIT ?)`;
  return (await transaction.run(fragment(sql, before, limit))).changes;
}

/** Counts of an outbox's rows. `now` and all times are ISO 8601. */
export interface OutboxCounts {
  /** Number of unsettled rows. */
  readonly waiting: number;
  /** Time of the oldest unsettled row; null: there is none. */
  readonly oldest: string | null;
  /** Time of the earliest due attempt; null: there is none. */
  readonly due: string | null;
  /** Number of rows that failed for good; null: they are not kept. */
  readonly dead: number | null;
}

export async function countRows(
  reader: Reader,
  { name, nextAttempt, states }: OutboxTable,
): Promise<OutboxCounts> {
  const due = nextAttempt === undefined ? "created_at" : `coalesce(${nextAttempt}, created_at)`;
  const where = states === undefined ? "1" : waitingCondition(states);
  const dead = states === undefined
    ? "NULL"
    : `(SELECT count(*) FROM ${name} WHERE ${statusIn([states.dead])}${
      states.attempts === undefined ? "" : ` AND attempts >= ${states.attempts}`
    })`;
  const { rows } = await reader.run(fragment(
    `SELECT count(*), min(created_at), min(${due}), ${dead} FROM ${name} WHERE ${where}`,
  ));
  const [waiting, oldest, first, failed] = rows[0] ?? [];
  return {
    waiting: Number(waiting),
    oldest: typeof oldest === "string" ? oldest : null,
    due: typeof first === "string" ? first : null,
    dead: typeof failed === "number" ? failed : null,
  };
}

/** Counts the beginning of an attempt, for kinds that do so. Returns false if the row is settled. */
export async function beginAttempt(
  transaction: Transaction,
  { name, states, fence, startedAt }: OutboxTable,
  { id, fence: last, now }: {
    readonly id: string;
    /** Number of the previous attempt; null: the table does not count them. */
    readonly fence: number | null;
    /** ISO 8601. */
    readonly now: string;
  },
): Promise<boolean> {
  if (states?.begun === undefined) {
    throw new Error(`Table "${name}" tells of no attempt that begins`);
  }
  const set = fragment(
    `status = '${states.begun}', attempts = attempts + 1${
      fence === undefined ? "" : `, ${fence} = ${fence} + 1`
    }${startedAt === undefined ? "" : `, ${startedAt} = ?`}`,
    ...(startedAt === undefined ? [] : [now]),
  );
  const where = fence === undefined
    ? fragment(`id = ? AND ${unsettledCondition(states)}`, id)
    : fragment(`id = ? AND ${waitingCondition(states)} AND ${fence} = ?`, id, last);
  const sql = `UPDATE ${name} SET ${set.sql} WHERE ${where.sql}`;
  return (await transaction.run(fragment(sql, ...set.args, ...where.args))).changes > 0;
}

/** Settles a row. A row that was settled before is not changed. */
export async function settleRow(
  transaction: Transaction,
  { name, states, nextAttempt, fence: fenceColumn }: OutboxTable,
  id: string,
  { fence, state, attempts, nextAttemptAt, columns }: Settlement,
): Promise<void> {
  if (states === undefined && state !== "again") {
    await transaction.run(fragment(`DELETE FROM ${name} WHERE id = ?`, id));
    return;
  }
  const set: OutboxColumns = {
    ...(states === undefined ? {} : { status: states[state] }),
    ...(states?.begun === undefined ? { attempts } : {}),
    ...(nextAttempt === undefined ? {} : { [nextAttempt]: nextAttemptAt }),
    ...columns,
  };
  const assignments = Object.keys(set).map((column) => `${column} = ?`).join(", ");
  const isFenced = states?.begun !== undefined && fenceColumn !== undefined;
  const unsettled = states === undefined
    ? ""
    : isFenced
    ? ` AND status = '${states.begun}' AND ${fenceColumn} = ?`
    : ` AND ${unsettledCondition(states)}`;
  const sql = `UPDATE ${name} SET ${assignments} WHERE id = ?${unsettled}`;
  await transaction.run({
    sql,
    args: [...Object.values(set), id, ...(isFenced ? [fence ?? null] : [])],
  });
}

/** Returns the id of a job's row. */
export function rowIdOf({ round }: OutboxTable, jobId: string): string {
  return round === undefined ? jobId : jobId.slice(0, jobId.lastIndexOf("."));
}

function jobId({ round }: OutboxTable): string {
  return round === undefined ? "id" : `id || '.' || ${round}`;
}

/** Selects the oldest rows of each receiver, so that one receiver's backlog never delays others, here or in a queue. */
function fairlyUnqueued(
  table: OutboxTable,
  now: string,
  limit: number,
  limitPerReceiver: number,
): Statement {
  const { name, receiver, nextAttempt, states } = table;
  // Counting stops at the limit, because many rows may wait for a later attempt.
  const queued = (due: string) =>
    `SELECT count(*) FROM (SELECT 1 FROM ${name} AS queued
      WHERE queued.${receiver} = waiting.receiver AND ${
      states === undefined ? "1" : waitingCondition(states)
    }
        AND queued_at IS NOT NULL AND ${nextAttempt} ${due} LIMIT ?)`;
  return fragment(
    `WITH RECURSIVE waiting (receiver) AS (
      SELECT min(${receiver}) FROM ${name} WHERE queued_at IS NULL
      UNION ALL
      SELECT (SELECT min(${receiver}) FROM ${name}
        WHERE queued_at IS NULL AND ${receiver} > waiting.receiver)
      FROM waiting WHERE receiver IS NOT NULL
    )
    SELECT one.id, one.${
      jobId(table)
    }, one.${receiver} FROM waiting JOIN ${name} AS one ON one.id IN (
        SELECT id FROM ${name} AS unqueued
          WHERE unqueued.${receiver} = waiting.receiver AND queued_at IS NULL
          ORDER BY created_at LIMIT ?)
      WHERE waiting.receiver IS NOT NULL
        AND (${queued("IS NULL")}) + (${queued("<= ?")}) < ?
      ORDER BY one.created_at LIMIT ?`,
    limitPerReceiver,
    limitPerReceiver,
    now,
    limitPerReceiver,
    limitPerReceiver,
    limit,
  );
}

/** Returns SQL for rows whose work is not done. */
export function waitingCondition({ fresh, begun, again, dead, attempts }: OutboxStates): string {
  const waits = statusIn([fresh, begun, again]);
  return attempts === undefined
    ? waits
    : `${waits} AND (status <> '${dead}' OR attempts < ${attempts})`;
}

/** Returns the condition of an unsettled row. If a failure and a final one share a status, a late success still counts. */
function unsettledCondition({ done, dead, attempts }: OutboxStates): string {
  return `NOT (${statusIn(attempts === undefined ? [done, dead] : [done])})`;
}

function statusIn(states: readonly (string | undefined)[]): string {
  const [first, ...others] = new Set(states.filter((state) => state !== undefined));
  // Partial indexes match by the text of their condition, so a single state is no list.
  if (others.length === 0) return `status = '${first}'`;
  return `status IN (${[first, ...others].map((state) => `'${state}'`).join(", ")})`;
}
