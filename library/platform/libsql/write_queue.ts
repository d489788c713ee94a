/**
 * One writer at a time per process and database, with group commit. Waiting writes share one transaction and one sync to disk,
 * each in a savepoint of its own (traps 22).
 */
import { setImmediate } from "node:timers";
import type {
  Database,
  ResultSet,
  Statement,
  Transaction,
  WriteOptions,
} from "../../../shared/runtime/ports.ts";
import { DatabaseUnavailableError, StatementTimeoutError } from "../../../shared/runtime/ports.ts";
import type { Connection } from "./connection.ts";
import { DatabaseBusyError } from "./driver_errors.ts";
import type { FileWatch } from "./file_watch.ts";
import type { StatementLimits } from "./reading_turns.ts";

/** Most writes that share one commit. */
const GROUP_MAX = 64;
/**
 * Milliseconds between attempts to get the lock. Others may release it for microseconds only, so a write that has waited long
 * tries several times in a row, at about 50 µs each.
 */
const RETRY_MS = 1;
const LONG_WAIT_MS = 500;
const TRIES_IN_A_ROW = 20;

interface WriteQueueOptions {
  open(): Connection;
  /** Milliseconds that a write waits for another process's lock, without blocking this one. */
  readonly busyTimeout: number;
  /** Throws if the database's files were replaced. It is called before some writes and after each commit. */
  readonly watch: FileWatch;
  /** Null: statements have no time limit. */
  readonly limits: StatementLimits | null;
}

interface WriteQueue {
  /** Implements `Database.watchOthers`. Another process's writes are noticed before a write. */
  watchOthers(seen: () => void): void;
  readonly write: Database["write"];
  /**
   * Runs alone and outside of a transaction on the writing connection, which is replaced afterwards. A body that meets a lock
   * runs again, so it must keep everything in one transaction.
   */
  alone(body: (connection: Connection) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Result of a body. `settle` answers its caller after the commit. */
interface Outcome {
  readonly kept: boolean;
  settle(): void;
}

type Job =
  & {
    /** Start time in milliseconds of `performance.now()`. */
    readonly since: number;
    fail(error: unknown): void;
  }
  & (
    | {
      readonly kind: "write";
      readonly unbounded: WriteOptions["unbounded"];
      attempt(transaction: Transaction): Promise<Outcome>;
    }
    | { readonly kind: "alone"; perform(connection: Connection): Promise<void>; done(): void }
  );

interface Queue {
  readonly options: WriteQueueOptions;
  readonly jobs: Job[];
  connection: Connection | null;
  draining: Promise<void> | null;
  closed: boolean;
  /** Null: nobody waits for the news, or it was delivered. */
  onOthers: (() => void) | null;
  /** The connection's `data_version`, which changes when others commit; null: not read yet. */
  version: unknown;
}

export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  const queue: Queue = {
    options,
    jobs: [],
    connection: null,
    draining: null,
    closed: false,
    onOthers: null,
    version: null,
  };
  return {
    watchOthers: (seen) => void (queue.onOthers = seen),
    write: (body, { unbounded } = {}) =>
      new Promise((resolve, reject) => {
        add(queue, {
          kind: "write",
          since: performance.now(),
          unbounded: options.limits === null ? undefined : unbounded,
          attempt: (transaction) => attempt(body, { transaction, resolve, reject }),
          fail: reject,
        });
      }),
    alone: (body) =>
      new Promise((resolve, reject) => {
        const since = performance.now();
        add(queue, { kind: "alone", since, perform: body, done: resolve, fail: reject });
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
    // Requests that arrived during the last commit join the queue here, so that they share the next one.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const jobs = queue.jobs;
    const alone = jobs.findIndex((job) => job.kind === "alone" || job.unbounded !== undefined);
    const size = alone === 0 ? 1 : Math.min(GROUP_MAX, alone === -1 ? jobs.length : alone);
    const group = jobs.splice(0, size);
    const watch = watchHolder(queue, group);
    try {
      await Promise.race([runGroup(queue, group, watch), watch.expired]);
    } catch (error) {
      discardConnection(queue);
      for (const job of group) job.fail(error);
    } finally {
      watch.stop();
    }
  }
  queue.draining = null;
}

/** Milliseconds between looks at the writes that wait for authored code. */
const LOOK_MS = 100;

interface HolderWatch {
  /** Rejects when the transaction is held for too long while others wait. */
  readonly expired: Promise<never>;
  /**
   * Is called when the transaction has begun, with a function that ends it. Statements are refused from then on. A write that
   * still waits for another process's lock is not ended.
   */
  begin: (end: (error: DatabaseUnavailableError) => Promise<void>) => void;
  stop: () => void;
}

/** Watches authored code, which may wait for anything. Writes behind it are told in time, and it loses the lock. */
function watchHolder({ jobs, options }: Queue, [first]: readonly Job[]): HolderWatch {
  const expiry = Promise.withResolvers<never>();
  expiry.promise.catch(() => {});
  const watch: HolderWatch = {
    expired: expiry.promise,
    begin: () => {},
    stop: () => {},
  };
  const { limits, busyTimeout } = options;
  if (limits === null || first?.kind !== "write" || first.unbounded === undefined) return watch;
  let held: { readonly since: number; readonly end: Parameters<HolderWatch["begin"]>[0] } | null =
    null;
  const timer = setInterval(() => {
    const now = performance.now();
    const isWaitedFor = jobs.length > 0;
    for (let at = jobs.length - 1; at >= 0; at -= 1) {
      const job = jobs[at];
      if (!job || now - job.since < busyTimeout) continue;
      jobs.splice(at, 1);
      job.fail(new DatabaseBusyError());
    }
    if (held === null || !isWaitedFor || now - held.since < limits.transactionMs) return;
    clearInterval(timer);
    const error = new DatabaseUnavailableError("A transaction was held for too long", 1);
    void held.end(error).then(() => expiry.reject(error));
  }, LOOK_MS);
  watch.begin = (end) => void (held = { since: performance.now(), end });
  watch.stop = () => clearInterval(timer);
  return watch;
}

async function runGroup(
  queue: Queue,
  group: readonly Job[],
  watch: HolderWatch,
): Promise<void> {
  const [first] = group;
  if (first?.kind === "alone") return runAlone(queue, first);
  queue.options.watch.requireLately();
  // A refused BEGIN must not cost the connection. A text that is executed leaves no statement behind, unlike a prepared one.
  const connection = await onceUnlocked(queue, (connection) => {
    connection.execute("BEGIN IMMEDIATE");
    return connection;
  }, { keepsConnection: true });
  if (queue.onOthers !== null) lookForOthers(queue, connection);
  const outcomes: Outcome[] = [];
  for (const job of group) {
    if (job.kind !== "write") continue;
    outcomes.push(
      await (group.length === 1 ? runOnly : runInSavepoint)(connection, {
        attempt: job.attempt,
        milliseconds: limitOf(queue, job.unbounded),
        watch,
      }),
    );
  }
  if (connection.inTransaction) connection.run({ sql: "COMMIT", args: [] });
  queue.options.watch.require();
  if (connection.isWorn) discardConnection(queue);
  for (const outcome of outcomes) outcome.settle();
}

/** Compares the number with the last one on this connection. It differs if another connection has committed since. */
function lookForOthers(queue: Queue, connection: Connection): void {
  const [[version] = []] = connection.run({ sql: "PRAGMA data_version", args: [] }).rows;
  const { version: before, onOthers } = queue;
  queue.version = version;
  if (before === null || before === version) return;
  queue.onOthers = null;
  onOthers?.();
}

async function runAlone(queue: Queue, job: Job & { readonly kind: "alone" }): Promise<void> {
  await onceUnlocked(queue, job.perform);
  discardConnection(queue);
  queue.options.watch.require();
  job.done();
}

/** Returns the limit of an unbounded statement in milliseconds; null: none. */
function limitOf(
  { options: { limits } }: Queue,
  unbounded: WriteOptions["unbounded"],
): number | null {
  return limits && (unbounded === "read" ? limits.readMs : limits.statementMs);
}

interface Attempt {
  readonly attempt: (transaction: Transaction) => Promise<Outcome>;
  readonly milliseconds: number | null;
  readonly watch: HolderWatch;
}

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

/** Runs one body. A transaction that the engine gave up fails everyone who shares it. */
async function withTransaction(
  connection: Connection,
  { attempt, milliseconds, watch }: Attempt,
): Promise<Outcome> {
  let open = true;
  // The failure is kept here, because the body may have caught it.
  let failure: DatabaseUnavailableError | StatementTimeoutError | null = null;
  const noted = (error: unknown): unknown => {
    const isOver = error instanceof DatabaseUnavailableError ||
      error instanceof StatementTimeoutError;
    if (isOver) failure ??= error;
    return error;
  };
  const requireOpen = () => {
    if (failure !== null) throw failure;
    if (!open) throw new Error("The transaction is over");
  };
  const run = (statement: Statement): ResultSet => {
    requireOpen();
    try {
      return connection.run(statement);
    } catch (error) {
      throw noted(error);
    }
  };
  /** The statement that runs beside the event loop. Later statements wait for it. */
  let beside: Promise<unknown> | null = null;
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    while (beside !== null) await beside;
    requireOpen();
    const done = work();
    const settling = done.then(() => {}, () => {}).then(() => {
      if (beside === settling) beside = null;
    });
    beside = settling;
    try {
      return await done;
    } catch (error) {
      throw noted(error);
    }
  };
  watch.begin(async (error) => {
    failure ??= error;
    while (beside !== null) await beside;
  });
  const each = async (statements: readonly Statement[], limit: number) => {
    const results: ResultSet[] = [];
    for (const one of statements) {
      results.push(isLong(one) ? await connection.runBeside(one, limit) : connection.run(one));
    }
    return results;
  };
  const runAll = (statements: readonly Statement[]): Promise<readonly ResultSet[]> =>
    milliseconds !== null && (beside !== null || statements.some(isLong))
      ? inTurn(() => each(statements, milliseconds))
      : settled(() => statements.map(run));
  const outcome = await attempt({
    writable: true,
    run: (statement) =>
      milliseconds !== null && (beside !== null || isLong(statement))
        ? runAll([statement]).then(firstOf)
        : settled(() => run(statement)),
    runAll,
  });
  while (beside !== null) await beside;
  open = false;
  if (failure !== null) throw failure;
  if (!connection.inTransaction) throw new Error("The database gave up the transaction");
  return outcome;
}

function isLong({ unboundedFor }: Statement): boolean {
  return unboundedFor !== undefined;
}

function firstOf([result]: readonly ResultSet[]): ResultSet {
  if (!result) throw new Error("A statement has no result");
  return result;
}

/** Converts a synchronous result to the promise of the port. A throw becomes a rejection. */
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
    return { kept: true, settle: () => resolve(value) };
  } catch (error) {
    return { kept: false, settle: () => reject(error) };
  }
}

/** Repeats while another process holds the lock. A failure replaces the connection, unless it left nothing in it. */
async function onceUnlocked<T>(
  queue: Queue,
  perform: (connection: Connection) => T | Promise<T>,
  { keepsConnection = false } = {},
): Promise<T> {
  const since = performance.now();
  for (let tries = 1;; tries++) {
    const waited = performance.now() - since;
    try {
      // If the path leads elsewhere, another file would be opened or created.
      const { open, watch } = queue.options;
      watch.require();
      return await perform(queue.connection ??= open());
    } catch (error) {
      const isBusy = error instanceof DatabaseBusyError;
      if (!isBusy || !keepsConnection) discardConnection(queue);
      if (!isBusy || waited >= queue.options.busyTimeout) throw error;
    }
    if (waited > LONG_WAIT_MS && keepsConnection && tries % TRIES_IN_A_ROW !== 0) continue;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

function discardConnection(queue: Queue): void {
  queue.connection?.close();
  queue.connection = null;
  queue.version = null;
}
