/**
 * Does one kind of work after the transaction that causes it (contract 3.3, 3.4): its rows are handed over to a queue, worked on
 * under a lease, tried again on a schedule, queued anew where a queue lost them, and forgotten when they are long over.
 */
import { hasCome, hasPassed } from "../../lib/times.ts";
import type { OutboxTable } from "../../model/mod.ts";
import * as stored from "../data/outbox_rows.ts";
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
import { type Consumer, createConsumer, type JobOutcome, type Slots } from "./consumer.ts";
import { nextAttemptAt, type RetrySchedule } from "./retry_schedules.ts";

/** A row that is worked on. */
export interface OutboxRow {
  readonly id: string;
  /** Those before. */
  readonly attempts: number;
  /** ISO 8601; null or absent: at once. */
  readonly nextAttemptAt?: string | null;
  /** Of the attempt before, where the table counts attempts in all rounds. */
  readonly fence?: number;
}

/** Attempts at the work of one kind. Its record (`SERVICE_TABLES`) says how its rows stand in their table. */
export interface OutboxWork<Row extends OutboxRow> {
  readonly schedule: RetrySchedule;
  /** Attempts under way at a time in one process. */
  readonly slots: number;
  /** The same over the outboxes of several databases; absent: each has its own. */
  readonly shared?: Slots;
  /** Of those, how many one receiver may always have. */
  readonly slotsPerReceiver: number;
  /** That binds it only while others wait. */
  readonly yields?: boolean;
  /** Milliseconds after which an attempt is overdue; absent: an attempt ends by itself. */
  readonly patience?: number;
  /** Days for which settled rows are kept; null: for ever. */
  readonly retentionDays: number | null;
  /** Writes rows of work that is due by itself; absent: only transactions of others do. `isQuiet`: nothing is new in the database. */
  queueDue?(isQuiet?: "quiet"): Promise<void>;
  /** Null: it is settled, or gone. */
  select(reader: Reader, id: string): Promise<Row | null>;
  attempt(row: Row, overdue: AbortSignal): Promise<Attempt>;
  /** Removes rows that are long over, no more than `limit`, and gives their number; absent: as the options say. */
  prune?(transaction: Transaction, now: number, limit: number): Promise<number>;
}

export interface Outbox<Row extends OutboxRow> extends OutboxWork<Row> {
  readonly queue: QueueName;
  readonly table: OutboxTable;
}

/** Result of one attempt. */
export type Attempt = AttemptEnd & {
  /** Left in its row. */
  readonly columns?: stored.OutboxColumns;
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

interface OutboxPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly webhooks: { readonly queue: Queue };
}

interface OutboxOptions {
  /** Milliseconds after which the jobs of a dead worker go on. */
  readonly lease: number;
  /** Milliseconds after which a job that should have been done is taken for lost by the queue. */
  readonly requeueAfter: number;
  /** Each attempt is logged, whatever its end. */
  readonly logsAttempts: boolean;
  /** Is told when an attempt has ended. */
  readonly onFree?: (() => void) | undefined;
}

/** Rows handed over to the queue at a time. */
const HANDED_OVER_AT_ONCE = 200;

/** An outbox at work in one process. */
export interface OpenOutbox extends Pick<Consumer, "settled" | "isAtRest"> {
  readonly tableName: string;
  /** Does all that is due, and starts on what it claims. `isQuiet`: there is nothing new in the database. */
  tick(isQuiet?: "quiet"): Promise<number>;
  /** Inserts rows for work that no request asked for, such as schedules that are due. */
  queueDue(): Promise<void>;
  /** True while a row is not settled. */
  waits(): Promise<boolean>;
}

export function openOutbox<Row extends OutboxRow>(
  outbox: Outbox<Row>,
  options: OutboxOptions,
  ports: OutboxPorts,
): OpenOutbox {
  const { clock, logger, webhooks: { queue } } = ports;
  const working = { ...ports, attemptLog: options.logsAttempts ? logger : null };
  const consumer = createConsumer({
    ...outbox,
    queue,
    name: outbox.queue,
    clock,
    logger,
    lease: options.lease,
    onFree: options.onFree,
    longestWait: outbox.schedule.longestWait,
    process: (job, overdue) => work(outbox, working, job, overdue),
  });
  const keep = createHousekeeping(outbox, options, ports);
  return {
    tableName: outbox.table.name,
    async tick(isQuiet) {
      await outbox.queueDue?.(isQuiet);
      if (isQuiet && queue.isInDatabase && consumer.isAtRest) return 0;
      if (!isQuiet) {
        await keep();
        await handOver(outbox, ports);
      }
      return await consumer.tick();
    },
    queueDue: async () => await outbox.queueDue?.(),
    waits: async () => (await stored.countRows(ports.database, outbox.table)).waiting > 0,
    get isAtRest() {
      return consumer.isAtRest;
    },
    settled: () => consumer.settled(),
  };
}

type Queued = Pick<Outbox<OutboxRow>, "queue" | "table" | "retentionDays" | "prune">;

/**
 * The queue knows a job by its id: whoever ends between the two steps has only handed over something that will be handed over
 * again, to no effect.
 */
async function handOver(
  { queue: name, table }: Queued,
  { database, clock, webhooks: { queue } }: OutboxPorts,
): Promise<void> {
  const dueAt = clock.now();
  const now = isoOf(dueAt);
  const rows = await stored.selectUnqueued(database, table, { now, limit: HANDED_OVER_AT_ONCE });
  if (rows.length === 0) return;
  await queue.add(name, rows.map(({ id, payload }) => ({ id, payload, dueAt })));
  const ids = rows.map(({ rowId }) => rowId);
  await database.write((transaction) => stored.markQueued(transaction, table, ids, now));
}

const DAY_MS = 24 * 60 * 60 * 1000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
/** Rows changed in one transaction: others wait for it. */
const ROWS_AT_ONCE = 500;

/**
 * Housekeeping: requeues rows that a queue may have lost, and prunes old ones; cheap when nothing is due. The rows are the
 * truth, so that a queue need not be more durable than its host makes it.
 */
function createHousekeeping(
  { queue: name, table, retentionDays, prune }: Queued,
  { requeueAfter }: OutboxOptions,
  { database, clock, webhooks: { queue } }: OutboxPorts,
): () => Promise<void> {
  let requeuedAt: number | null = null;
  /** Of the last time that left nothing to prune. */
  let prunedAt: number | null = null;
  return async () => {
    const now = clock.now();
    if (requeuedAt === null || hasPassed(requeueAfter / 2, requeuedAt, now)) {
      requeuedAt = now;
      const range = { before: isoOf(now - requeueAfter), after: isoOf(now + requeueAfter) };
      await database.write((transaction) =>
        stored.requeueOverdue(transaction, table, range, ROWS_AT_ONCE)
      );
    }
    if (retentionDays === null) return;
    if (prunedAt !== null && !hasPassed(PRUNE_EVERY_MS, prunedAt, now)) return;
    const before = now - retentionDays * DAY_MS;
    const count = await database.write((transaction) =>
      prune?.(transaction, now, ROWS_AT_ONCE) ??
        stored.pruneRows(transaction, table, isoOf(before), ROWS_AT_ONCE)
    );
    await queue.forget(name, before);
    // A full batch means that there is more: the next one follows soon, in a transaction of its own.
    prunedAt = count < ROWS_AT_ONCE ? now : null;
  };
}

/** One attempt, and what becomes of its row. */
async function work<Row extends OutboxRow>(
  { queue, table, schedule, select, attempt }: Outbox<Row>,
  { database, clock, attemptLog }: OutboxPorts & { readonly attemptLog: Logger | null },
  job: Lease,
  overdue: AbortSignal,
): Promise<JobOutcome> {
  const row = await select(database, stored.rowIdOf(table, job.id));
  // Settled by a worker that ended before it could tell the queue.
  if (row === null) return { kind: "done" };
  const { id, nextAttemptAt: next = null } = row;
  const dueAt = next === null ? null : Date.parse(next);
  const waiting = { now: clock.now(), longestWait: schedule.longestWait };
  if (dueAt !== null && !hasCome(dueAt, waiting)) return { kind: "again", dueAt };
  const { fence: last = null } = row;
  if (table.states?.begun !== undefined) {
    const beginning = { id, fence: last, now: isoOf(clock.now()) };
    const isBegun = await database.write((transaction) =>
      stored.beginAttempt(transaction, table, beginning)
    );
    if (!isBegun) return { kind: "done" };
  }
  const result = await attempt(row, overdue);
  const attempts = row.attempts + (result.kind === "skipped" ? 0 : 1);
  const outcome = outcomeOf(result, schedule, attempts, clock.now());
  const settlement: stored.Settlement = {
    fence: last === null ? null : last + 1,
    state: outcome.kind,
    attempts,
    nextAttemptAt: outcome.kind === "again" ? isoOf(outcome.dueAt) : null,
    columns: result.columns ?? {},
  };
  await database.write(async (transaction) => {
    await stored.settleRow(transaction, table, id, settlement);
    await result.also?.(transaction);
  });
  const answered = result.columns?.["response_status"];
  const status = typeof answered === "number" ? answered : null;
  // With a status, the reason is the receiver's own text.
  const reason = result.kind === "done" || status !== null ? null : result.reason;
  const fields = { queue, job: id, attempts, outcome: outcome.kind, status, reason };
  attemptLog?.log({ level: "info", message: "Attempted", fields });
  return outcome;
}

function outcomeOf(
  end: AttemptEnd,
  schedule: RetrySchedule,
  failures: number,
  now: number,
): JobOutcome {
  if (end.kind === "done") return { kind: "done" };
  const { reason } = end;
  if (end.kind !== "failed") return { kind: "dead", reason };
  const dueAt = nextAttemptAt(schedule, { failures, retryAfter: end.retryAfter, now });
  return dueAt === null ? { kind: "dead", reason } : { kind: "again", dueAt };
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
