/**
 * One kind of work that is done after the transaction that causes it (contract 3.3, 3.4): its rows are handed over to a queue,
 * worked on under a lease, tried again on a schedule, queued anew where a queue lost them, and forgotten when they are long
 * over. A kind is a record; what is done with it stands here, once.
 */
import { hasCome } from "../../lib/clock_steps.ts";
import type { OutboxColumns, OutboxRows, QueuedRange, Settlement } from "../data/outbox_rows.ts";
import type {
  Clock,
  Database,
  Lease,
  Logger,
  Queue,
  QueueName,
  Reader,
  Transaction,
} from "../ports.ts";
import { type Consumer, createConsumer, type JobOutcome } from "./consumer.ts";
import { nextAttemptAt, type RetrySchedule } from "./retry_schedule.ts";

/** A row that is worked on. */
export interface OutboxRow {
  readonly id: string;
  /** Those before. */
  readonly attempts: number;
  /** ISO 8601; null or absent: at once. */
  readonly nextAttemptAt?: string | null;
}

export interface Outbox<Row extends OutboxRow> {
  readonly queue: QueueName;
  readonly rows: OutboxRows;
  readonly schedule: RetrySchedule;
  /** Attempts under way at a time in one process. */
  readonly slots: number;
  /** Of those, how many one receiver may always have. */
  readonly slotsPerReceiver: number;
  /** Milliseconds after which an attempt is overdue; absent: an attempt ends by itself. */
  readonly patience?: number;
  /** Null: it is settled, or gone. */
  select(reader: Reader, id: string): Promise<Row | null>;
  attempt(row: Row, overdue: AbortSignal): Promise<Attempt>;
}

/** Result of one attempt. */
export type Attempt = AttemptEnd & {
  /** Left in its row. */
  readonly columns?: OutboxColumns;
  /** Further changes in the same transaction. */
  readonly also?: (transaction: Transaction) => Promise<void>;
};

/** A `reason` is kept with the dead letter. */
type AttemptEnd =
  | { readonly kind: "done" }
  /** Tried again as long as the schedule says so. */
  | { readonly kind: "failed"; readonly reason: string; readonly retryAfter: string | null }
  | { readonly kind: "dead"; readonly reason: string }
  /** No attempt was made, and none will be. */
  | { readonly kind: "skipped"; readonly reason: string };

export interface OutboxPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly webhooks: { readonly queue: Queue };
}

/** An outbox at work in one process. */
export interface OpenOutbox extends Consumer {
  /** Gives the queue what it does not know yet. */
  handOver(): Promise<void>;
  /** Has queued anew what a queue may have lost. */
  requeue(transaction: Transaction, range: QueuedRange): Promise<void>;
  /** Forgets what was over before a time, in milliseconds since the epoch; true when there may be more. */
  prune(before: number): Promise<boolean>;
}

/** Rows handed over to the queue at a time. */
const HANDED_OVER_AT_ONCE = 200;
/** Rows changed in one transaction: others wait for it. */
const ROWS_AT_ONCE = 500;

export function openOutbox<Row extends OutboxRow>(
  outbox: Outbox<Row>,
  lease: number,
  ports: OutboxPorts,
): OpenOutbox {
  const { rows, queue: name } = outbox;
  const { database, clock, logger, webhooks: { queue } } = ports;
  const consumer = createConsumer({
    ...outbox,
    queue,
    name,
    clock,
    logger,
    lease,
    longestWait: outbox.schedule.longestWait,
    process: (job, overdue) => work(outbox, ports, job, overdue),
  });
  return {
    ...consumer,
    // The queue knows a job by its id: whoever ends between the two steps has only handed over something that will be handed
    // over again, to no effect.
    async handOver() {
      const dueAt = clock.now();
      const now = isoOf(dueAt);
      const found = await rows.unqueued(database, { now, limit: HANDED_OVER_AT_ONCE });
      if (found.length === 0) return;
      await queue.add(name, found.map(({ id, payload }) => ({ id, payload, dueAt })));
      const ids = found.map(({ rowId }) => rowId);
      await database.write((transaction) => rows.markQueued(transaction, ids, now));
    },
    requeue: (transaction, range) => rows.requeue(transaction, range, ROWS_AT_ONCE),
    async prune(before) {
      const count = await database.write((transaction) =>
        rows.prune(transaction, isoOf(before), ROWS_AT_ONCE)
      );
      await queue.forget(name, before);
      return count >= ROWS_AT_ONCE;
    },
  };
}

/** One attempt, and what becomes of its row. */
async function work<Row extends OutboxRow>(
  { rows, schedule, select, attempt }: Outbox<Row>,
  { database, clock }: OutboxPorts,
  job: Lease,
  overdue: AbortSignal,
): Promise<JobOutcome> {
  const row = await select(database, rows.rowOf(job.id));
  // Settled by a worker that ended before it could tell the queue.
  if (row === null) return { kind: "done" };
  const { id, nextAttemptAt: next = null } = row;
  const dueAt = next === null ? null : Date.parse(next);
  const waiting = { now: clock.now(), longestWait: schedule.longestWait };
  if (dueAt !== null && !hasCome(dueAt, waiting)) return { kind: "again", dueAt };
  if (rows.countsBegun) {
    const isBegun = await database.write((transaction) => rows.begin(transaction, id));
    if (!isBegun) return { kind: "done" };
  }
  const result = await attempt(row, overdue);
  const attempts = row.attempts + (result.kind === "skipped" ? 0 : 1);
  const outcome = outcomeOf(result, { schedule, failures: attempts, now: clock.now() });
  const settlement: Settlement = {
    state: outcome.kind,
    attempts,
    nextAttemptAt: outcome.kind === "again" ? isoOf(outcome.dueAt) : null,
    columns: result.columns ?? {},
  };
  await database.write(async (transaction) => {
    await rows.settle(transaction, id, settlement);
    await result.also?.(transaction);
  });
  return outcome;
}

interface Attempted {
  readonly schedule: RetrySchedule;
  readonly failures: number;
  readonly now: number;
}

function outcomeOf(end: AttemptEnd, { schedule, failures, now }: Attempted): JobOutcome {
  if (end.kind === "done") return { kind: "done" };
  const { reason } = end;
  if (end.kind !== "failed") return { kind: "dead", reason };
  const dueAt = nextAttemptAt(schedule, { failures, retryAfter: end.retryAfter, now });
  return dueAt === null ? { kind: "dead", reason } : { kind: "again", dueAt };
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
