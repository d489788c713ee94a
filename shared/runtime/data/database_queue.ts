/**
 * The queue in the database. A lease is a token and a due time in the future, so a job is due again when its lease ends,
 * whatever its holder does (contract 8, traps 14).
 */
import { CLOCK_STEP_MS } from "../../lib/times.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { JOBS } from "../../model/mod.ts";
import { jsonList } from "./sql.ts";
import type {
  ClaimOptions,
  Clock,
  Database,
  Lease,
  Queue,
  QueueName,
  Randomness,
  SqlValue,
} from "../ports.ts";

interface DatabaseQueueOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
}

const TABLE = sqlIdentifier(JOBS.name);
const TOKEN_BYTES = 16;
const FORGOTTEN_AT_ONCE = 1000;

export function databaseQueue(options: DatabaseQueueOptions): Queue {
  const { database, clock, random } = options;
  const free = strandedJobs(options);
  const change = async (sql: string, values: readonly SqlValue[], { id, token }: Lease) => {
    const args = [...values, id, token, clock.now()];
    const { changes } = await database.write((transaction) => transaction.run({ sql, args }));
    return changes > 0;
  };
  return {
    isInDatabase: true,
    async add(queue, jobs) {
      if (jobs.length === 0) return;
      const statements = jobs.map((job) => ({
        sql: `INSERT INTO ${TABLE} (id, queue, payload, attempts, due_at) VALUES (?, ?, ?, 0, ?)
      ON CONFLICT DO NOTHING`,
        args: [job.id, queue, job.payload, job.dueAt],
      }));
      await database.write((transaction) => transaction.runAll(statements));
    },
    async claim(queue, claim) {
      await free(queue, claim);
      const { limit, lease, except = [] } = claim;
      const now = clock.now();
      const due = [queue, now, jsonList(except)];
      // An idle worker asks often, and must not take the only write lock.
      const { rows } = await database.run({ sql: `${DUE} LIMIT 1`, args: due });
      if (rows.length === 0) return [];
      const token = random.bytes(TOKEN_BYTES).toHex();
      const claimed = await database.write((transaction) =>
        transaction.run({ sql: CLAIM, args: [token, now + lease, ...due, limit] })
      );
      return claimed.rows.map(([id, payload, attempts]) => ({
        queue,
        token,
        id: String(id),
        payload: String(payload),
        attempts: Number(attempts),
      }));
    },
    renew: (lease, milliseconds) => change(RENEW, [clock.now() + milliseconds], lease),
    complete: (lease) => change(COMPLETE, [], lease),
    retry: (lease, dueAt) => change(RETRY, [dueAt], lease),
    bury: (lease, reason) => change(BURY, [new Date(clock.now()).toISOString(), reason], lease),
    async dead(queue, limit) {
      const { rows } = await database.run({ sql: DEAD, args: [queue, limit] });
      return rows.map(([id, payload, attempts, reason]) => ({
        id: String(id),
        payload: String(payload),
        attempts: Number(attempts),
        reason: String(reason),
      }));
    },
    async forget(queue, deadBefore) {
      const args = [queue, new Date(deadBefore).toISOString(), FORGOTTEN_AT_ONCE];
      await database.write((transaction) => transaction.run({ sql: FORGET, args }));
    },
  };
}

/** Condition for jobs that are due later than any possible delay, because the clock has gone back since. */
const STRANDED = `queue = ? AND dead_at IS NULL AND due_at > ?
  AND due_at > iif(token IS NULL, ?, ?)`;
const LOOK = `SELECT 1 FROM ${TABLE} WHERE ${STRANDED} LIMIT 1`;
const FREE = `UPDATE ${TABLE} SET due_at = ?, token = NULL WHERE ${STRANDED}`;

/**
 * Makes stranded jobs due, once per lease time. It starts one lease time after the clock went back, when active workers have
 * renewed their leases.
 */
function strandedJobs(
  { database, clock }: DatabaseQueueOptions,
): (queue: QueueName, claim: ClaimOptions) => Promise<void> {
  const looks = new Map<QueueName, number>();
  return async (queue, { lease, longestWait }) => {
    const now = clock.now();
    const lookedAt = looks.get(queue) ?? Infinity;
    if (now >= lookedAt && now - lookedAt < lease) return;
    looks.set(queue, now);
    if (now < lookedAt) return;
    const latest = now + CLOCK_STEP_MS;
    const waits = [Math.min(longestWait, lease), longestWait, lease];
    const args = [queue, ...waits.map((wait) => latest + wait)];
    const { rows } = await database.run({ sql: LOOK, args });
    if (rows.length === 0) return;
    await database.write((transaction) => transaction.run({ sql: FREE, args: [now, ...args] }));
  };
}

const DUE = `SELECT id FROM ${TABLE} WHERE queue = ? AND dead_at IS NULL AND due_at <= ?
  AND payload NOT IN (SELECT value FROM json_each(?))`;

const CLAIM = `UPDATE ${TABLE} SET token = ?, due_at = ?, attempts = attempts + 1
  WHERE id IN (${DUE} ORDER BY due_at, id LIMIT ?) RETURNING id, payload, attempts`;

/** Condition of a live lease: its token matches, and its end is in the future. */
const HELD = "id = ? AND token = ? AND due_at > ? AND dead_at IS NULL";
const RENEW = `UPDATE ${TABLE} SET due_at = ? WHERE ${HELD}`;
const RETRY = `UPDATE ${TABLE} SET due_at = ?, token = NULL WHERE ${HELD}`;
const COMPLETE = `DELETE FROM ${TABLE} WHERE ${HELD}`;
const BURY = `UPDATE ${TABLE} SET dead_at = ?, reason = ?, token = NULL WHERE ${HELD}`;

const DEAD = `SELECT id, payload, attempts, reason FROM ${TABLE}
  WHERE queue = ? AND dead_at IS NOT NULL ORDER BY dead_at DESC, id LIMIT ?`;

const FORGET = `DELETE FROM ${TABLE} WHERE id IN (SELECT id FROM ${TABLE}
  WHERE queue = ? AND dead_at < ? LIMIT ?)`;
