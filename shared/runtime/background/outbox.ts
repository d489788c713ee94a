/**
 * Does one kind of background work (contract 3.3, 3.4): hands its rows to a queue, processes them under a lease, retries them
 * on a schedule, requeues lost ones, and deletes old ones.
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

/** A row being processed. */
export interface OutboxRow {
  readonly id: string;
  /** Number of earlier attempts. */
  readonly attempts: number;
  /** ISO 8601. Null or absent: at once. */
  readonly nextAttemptAt?: string | null;
  /** Number of the previous attempt, if the table counts attempts over all rounds. */
  readonly fence?: number;
}

/** Attempts at one kind of work. Its record (`SERVICE_TABLES`) describes its rows. */
export interface OutboxWork<Row extends OutboxRow> {
  readonly schedule: RetrySchedule;
  /** Most concurrent attempts in one process. */
  readonly slots: number;
  /** Places shared by the outboxes of several databases. Absent: each has its own. */
  readonly shared?: Slots;
  /** Places that one receiver may always have. */
  readonly slotsPerReceiver: number;
  /** True when that limit applies only while others wait. */
  readonly yields?: boolean;
  /** Milliseconds after which an attempt is overdue. Absent: an attempt ends by itself. */
  readonly patience?: number;
  /** Days for which settled rows are kept; null: for ever. */
  readonly retentionDays: number | null;
  /**
   * Inserts rows of work that is due by itself. Absent: only other transactions insert rows. `isQuiet`: the database has
   * nothing new.
   */
  queueDue?(isQuiet?: "quiet"): Promise<void>;
  /** Returns the row; null: it is settled or gone. */
  select(reader: Reader, id: string): Promise<Row | null>;
  attempt(row: Row, overdue: AbortSignal): Promise<Attempt>;
  /** Deletes at most `limit` old rows and returns their number. Absent: `retentionDays` applies. */
  prune?(transaction: Transaction, now: number, limit: number): Promise<number>;
}

export interface Outbox<Row extends OutboxRow> extends OutboxWork<Row> {
  readonly queue: QueueName;
  readonly table: OutboxTable;
}

/** Result of one attempt. */
export type Attempt = AttemptEnd & {
  /** Columns to store in its row. */
  readonly columns?: stored.OutboxColumns;
  /** Further changes in the same transaction. */
  readonly also?: (transaction: Transaction) => Promise<void>;
};

/** End of an attempt. A `reason` is stored with a dead letter. */
type AttemptEnd =
  | { readonly kind: "done" }
  /** It is retried as the schedule says. */
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
  /** Milliseconds after which the jobs of a dead worker continue. */
  readonly lease: number;
  /** Milliseconds after which an overdue job counts as lost by the queue. */
  readonly requeueAfter: number;
  /** True to log every attempt. */
  readonly logsAttempts: boolean;
  /** Is called when an attempt has ended. */
  readonly onFree?: (() => void) | undefined;
}

/** Most rows handed to the queue at a time. */
const HANDED_OVER_AT_ONCE = 200;

/** An outbox that is processed in this process. */
export interface OpenOutbox extends Pick<Consumer, "settled" | "isAtRest"> {
  readonly tableName: string;
  /** Does all that is due and starts claimed jobs. `isQuiet`: the database has nothing new. */
  tick(isQuiet?: "quiet"): Promise<number>;
  /** Inserts rows for work that no request caused, such as due schedules. */
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
 * Hands rows to the queue. The queue knows a job by its id, so a crash between the two steps only hands the row over again,
 * without effect.
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
/** Most rows changed in one transaction, because others wait for it. */
const ROWS_AT_ONCE = 500;

/**
 * Requeues rows that a queue may have lost, and deletes old ones. It is cheap when nothing is due. The rows are authoritative,
 * so the queue need not be durable.
 */
function createHousekeeping(
  { queue: name, table, retentionDays, prune }: Queued,
  { requeueAfter }: OutboxOptions,
  { database, clock, webhooks: { queue } }: OutboxPorts,
): () => Promise<void> {
  let requeuedAt: number | null = null;
  /** Time at which nothing was left to delete; null: not yet. */
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
    // A full batch means that there is more. The next one follows soon in its own transaction.
    prunedAt = count < ROWS_AT_ONCE ? now : null;
  };
}

/** Makes one attempt and stores its end in the row. */
async function work<Row extends OutboxRow>(
  { queue, table, schedule, select, attempt }: Outbox<Row>,
  { database, clock, attemptLog }: OutboxPorts & { readonly attemptLog: Logger | null },
  job: Lease,
  overdue: AbortSignal,
): Promise<JobOutcome> {
  const row = await select(database, stored.rowIdOf(table, job.id));
  // Another worker settled the row and ended before it could tell the queue.
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
  // If there is a status, the reason is the receiver's own text.
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
