/**
 * One writer at a time per process and database, with group commit: writes that wait together share one transaction
 * and one sync to disk, each in its own savepoint (traps.md "Acknowledged writes are lost").
 */
import { setImmediate } from "node:timers";
import type { ResultSet, Statement, Transaction } from "../../shared/runtime/ports.ts";
import type { Connection } from "./connection.ts";
import { DatabaseBusyError } from "./driver_errors.ts";

/** Writes that may share one commit. */
const GROUP_MAX = 64;
const RETRY_FIRST_MS = 2;
const RETRY_MAX_MS = 50;

interface WriteQueueOptions {
  open(): Connection;
  /** Milliseconds that a write waits for another process's lock, without blocking this one. */
  readonly busyTimeout: number;
}

interface WriteQueue {
  write<T>(body: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs alone, outside a transaction, on the writing connection, which is replaced afterwards.
   * A body that meets a lock runs again, so it keeps everything in one transaction.
   */
  alone(body: (connection: Connection) => void): Promise<void>;
  close(): Promise<void>;
}

/** What became of a body: `settle` tells its caller, once the commit has succeeded. */
interface Outcome {
  readonly kept: boolean;
  readonly busy: boolean;
  settle(): void;
}

type Job =
  & { fail(error: unknown): void }
  & (
    | { readonly kind: "write"; attempt(transaction: Transaction): Promise<Outcome> }
    | { readonly kind: "alone"; perform(connection: Connection): void; done(): void }
  );

interface Queue {
  readonly options: WriteQueueOptions;
  readonly jobs: Job[];
  connection: Connection | null;
  draining: Promise<void> | null;
  closed: boolean;
}

export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  const queue: Queue = {
    options,
    jobs: [],
    connection: null,
    draining: null,
    closed: false,
  };
  return {
    write: (body) =>
      new Promise((resolve, reject) => {
        add(queue, {
          kind: "write",
          attempt: (transaction) => attempt(body, { transaction, resolve, reject }),
          fail: reject,
        });
      }),
    alone: (body) =>
      new Promise((resolve, reject) => {
        add(queue, { kind: "alone", perform: body, done: resolve, fail: reject });
      }),
    async close() {
      queue.closed = true;
      await queue.draining;
      discardConnection(queue);
    },
  };
}

function add(queue: Queue, job: Job): void {
  if (queue.closed) return job.fail(new Error("The database is closed"));
  queue.jobs.push(job);
  queue.draining ??= drain(queue);
}

async function drain(queue: Queue): Promise<void> {
  while (queue.jobs.length > 0) {
    // Requests that arrived during the last commit get to queue up, so that they share the next one.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const group = nextGroup(queue.jobs);
    try {
      await runGroup(queue, group);
    } catch (error) {
      discardConnection(queue);
      for (const job of group) job.fail(error);
    }
  }
  queue.draining = null;
}

function nextGroup(jobs: Job[]): readonly Job[] {
  const alone = jobs.findIndex((job) => job.kind === "alone");
  const size = alone === 0 ? 1 : Math.min(GROUP_MAX, alone === -1 ? jobs.length : alone);
  return jobs.splice(0, size);
}

async function runGroup(queue: Queue, group: readonly Job[]): Promise<void> {
  const [first] = group;
  if (first?.kind === "alone") return runAlone(queue, first);
  const connection = await begun(queue);
  const outcomes: Outcome[] = [];
  for (const job of group) {
    if (job.kind !== "write") continue;
    outcomes.push(
      await (group.length === 1 ? runOnly : runInSavepoint)(connection, job.attempt),
    );
  }
  if (connection.inTransaction) connection.run({ sql: "COMMIT", args: [] });
  for (const outcome of outcomes) outcome.settle();
}

async function runAlone(queue: Queue, job: Job & { readonly kind: "alone" }): Promise<void> {
  await onceUnlocked(queue, job.perform);
  discardConnection(queue);
  job.done();
}

type Attempt = (transaction: Transaction) => Promise<Outcome>;

async function runOnly(connection: Connection, attempt: Attempt): Promise<Outcome> {
  const outcome = await withTransaction(connection, attempt);
  if (!outcome.kept) connection.run({ sql: "ROLLBACK", args: [] });
  return outcome;
}

async function runInSavepoint(connection: Connection, attempt: Attempt): Promise<Outcome> {
  connection.run({ sql: "SAVEPOINT one_write", args: [] });
  const outcome = await withTransaction(connection, attempt);
  if (!outcome.kept) connection.run({ sql: "ROLLBACK TO one_write", args: [] });
  connection.run({ sql: "RELEASE one_write", args: [] });
  return outcome;
}

/** Runs one body; a transaction that the engine gave up, or a lock inside it, fails everyone who shares it. */
async function withTransaction(connection: Connection, attempt: Attempt): Promise<Outcome> {
  let open = true;
  const run = (statement: Statement): ResultSet => {
    if (!open) throw new Error("The transaction is over");
    return connection.run(statement);
  };
  const outcome = await attempt({
    writable: true,
    run: (statement) => settled(() => run(statement)),
    runAll: (statements) => settled(() => statements.map(run)),
  });
  open = false;
  if (outcome.busy) throw new DatabaseBusyError();
  if (!connection.inTransaction) throw new Error("The database gave up the transaction");
  return outcome;
}

/** A synchronous result as the promise that the port wants; a throw becomes a rejection. */
function settled<T>(run: () => T): Promise<T> {
  try {
    return Promise.resolve(run());
  } catch (error) {
    return Promise.reject(error);
  }
}

interface Settling<T> {
  readonly transaction: Transaction;
  resolve(value: T): void;
  reject(error: unknown): void;
}

async function attempt<T>(
  body: (transaction: Transaction) => Promise<T>,
  { transaction, resolve, reject }: Settling<T>,
): Promise<Outcome> {
  try {
    const value = await body(transaction);
    return { kept: true, busy: false, settle: () => resolve(value) };
  } catch (error) {
    const busy = error instanceof DatabaseBusyError;
    return { kept: false, busy, settle: () => reject(error) };
  }
}

/** A connection with an open write transaction. */
function begun(queue: Queue): Promise<Connection> {
  return onceUnlocked(queue, (connection) => {
    connection.run({ sql: "BEGIN IMMEDIATE", args: [] });
    return connection;
  });
}

/** Tries again while another process holds the lock. Every refusal replaces the connection before the next try. */
async function onceUnlocked<T>(queue: Queue, perform: (connection: Connection) => T): Promise<T> {
  let waited = 0;
  for (let pause = RETRY_FIRST_MS;; pause = Math.min(pause * 2, RETRY_MAX_MS)) {
    try {
      queue.connection ??= queue.options.open();
      return perform(queue.connection);
    } catch (error) {
      discardConnection(queue);
      if (!(error instanceof DatabaseBusyError) || waited >= queue.options.busyTimeout) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    waited += pause;
  }
}

function discardConnection(queue: Queue): void {
  queue.connection?.close();
  queue.connection = null;
}
