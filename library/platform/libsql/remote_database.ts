/**
 * The `Database` port over a libSQL server or Turso through HTTP. Reads of one request use one round trip, and waiting writes
 * share a transaction (docs/decisions/remote_writes.md).
 */
import type {
  Database,
  MigrationStep,
  ResultSet,
  Statement,
  Transaction,
  WriteOptions,
} from "../../../shared/runtime/ports.ts";
import { danglingError } from "./driver_errors.ts";
import type { Condition, HranaServer, Step, Stream } from "./hrana.ts";
import { httpBase, openStream } from "./hrana.ts";
import { abandon, type GroupOptions, runGroup, sentOnceUnlocked } from "./remote_group.ts";
import { heardPositions } from "./positions.ts";
import { isConcluding, type Member, startMember } from "./remote_member.ts";
import { watchServer } from "./server_watch.ts";

/** Most writes that share one commit. */
const GROUP_MAX = 64;
/**
 * Groups in progress at once. While they travel, the next one gathers. A distant server gets more of them, so that no write
 * waits for an unrelated answer.
 */
const GROUPS_NEAR = 2;
const GROUPS_FAR = 8;
const GATHERING_MS = 2;

interface Writes {
  readonly options: GroupOptions;
  /** Members that have asked something, in that order. */
  readonly waiting: Member[];
  readonly running: Set<Promise<void>>;
  /** A group that needs several requests and holds the lock until the last one. No other group is sent meanwhile. */
  holding: readonly Member[] | null;
  isWaking: boolean;
  /** Time since which the first waiting member waits, in milliseconds of `performance.now()`. */
  since: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  closed: boolean;
}

export type RemoteOptions = Omit<HranaServer, "sent" | "watch"> & Pick<GroupOptions, "busyTimeout">;

/** Opens the database. The first statement makes the first request. */
export function openRemote({ busyTimeout, ...server }: RemoteOptions): Database {
  const positions = heardPositions();
  const watch = watchServer(new URL("health", httpBase(server.url)));
  const writes: Writes = {
    options: { server: { ...server, watch, sent: positions.sent }, busyTimeout },
    waiting: [],
    running: new Set(),
    holding: null,
    isWaking: false,
    since: 0,
    timer: undefined,
    closed: false,
  };
  return {
    positions,
    watchOthers: positions.watchOthers,
    async run(statement) {
      const [result] = await finished(writes.options, [{ statement, condition: null }]);
      if (!result) throw new Error("The server answered without a result");
      return result;
    },
    runAll: (statements) => readAll(writes.options, statements),
    write: (body, how) => write(writes, body, how),
    migrate: (steps) => migrate(writes.options, steps),
    async close() {
      writes.closed = true;
      while (writes.running.size > 0 || writes.waiting.length > 0) {
        await Promise.all(writes.running);
        await new Promise((resolve) => setImmediate(resolve));
      }
      clearTimeout(writes.timer);
      watch.close();
    },
  };
}

/** Sends a stream's only batch. Throws the first error. */
async function finished(
  { server }: GroupOptions,
  steps: readonly Step[],
): Promise<readonly ResultSet[]> {
  const stream = openStream(server, server.limits?.readMs);
  const answers = await stream.send(steps, "last");
  return answers.flatMap((answer) => {
    if (answer.kind === "error") throw answer.error;
    return answer.kind === "ok" ? [answer.result] : [];
  });
}

/** Runs several reads on one snapshot. A single read needs no transaction. */
async function readAll(
  options: GroupOptions,
  statements: readonly Statement[],
): Promise<readonly ResultSet[]> {
  if (statements.length === 0) return [];
  const steps = inTransaction("BEGIN TRANSACTION READONLY", statements);
  return (await finished(options, steps)).slice(1, statements.length + 1);
}

/** Makes steps of which each runs only if the one before it succeeded. */
function inTransaction(begin: string, statements: readonly Statement[]): readonly Step[] {
  const steps: Step[] = [begin, ...statements, "COMMIT"].map((one, at) => ({
    statement: typeof one === "string" ? { sql: one, args: [] } : one,
    condition: at === 0 ? null : ok(at - 1),
  }));
  const failed: Condition = { type: "not", cond: ok(steps.length - 1) };
  const condition: Condition = { type: "and", conds: [ok(0), failed] };
  return [...steps, { statement: { sql: "ROLLBACK", args: [] }, condition }];
}

function ok(step: number): Condition {
  return { type: "ok", step };
}

function write<T>(
  writes: Writes,
  body: (transaction: Transaction) => Promise<T>,
  { unbounded }: WriteOptions = {},
): Promise<T> {
  if (writes.closed) return Promise.reject(new Error("The database is closed"));
  const { member, answered } = startMember(body, unbounded !== undefined);
  void member.pause().then(() => {
    if (member.outcome !== null) return member.outcome.settle();
    if (writes.waiting.length === 0) writes.since = performance.now();
    writes.waiting.push(member);
    wake(writes);
  });
  return answered;
}

/** Schedules a look at the waiting writes, so that writes of the same moment travel together. */
function wake(writes: Writes): void {
  if (writes.isWaking) return;
  writes.isWaking = true;
  setImmediate(() => {
    writes.isWaking = false;
    sendWaiting(writes);
  });
}

/**
 * Sends waiting groups. The server runs one group after the other. A group with one request holds the lock for no round trip,
 * so the next may already travel. Nothing is sent behind a group with several requests, or the server would take the lock from
 * it.
 */
function sendWaiting(writes: Writes): void {
  const { waiting, running, options } = writes;
  while (waiting.length > 0 && writes.holding === null) {
    const open = waiting.findIndex((member) => !isConcluding(member));
    const isHolding = open === 0;
    if (!isHolding && !mayGo(writes)) return;
    const alone = waiting.findIndex(({ isAlone }) => isAlone);
    const shared = alone === -1 ? waiting.length : Math.max(1, alone);
    const size = Math.min(shared, isHolding || open === -1 ? waiting.length : open);
    const group = waiting.splice(0, Math.min(GROUP_MAX, size));
    if (isHolding) writes.holding = group;
    writes.since = performance.now();
    const onLast = () => {
      if (writes.holding === group) writes.holding = null;
      wake(writes);
    };
    const run = runGroup(group, { ...options, onLast })
      .then((left) => void waiting.unshift(...left))
      .catch((error: unknown) => {
        for (const member of group) member.fail(error);
      })
      .then(() => {
        running.delete(run);
        onLast();
      });
    running.add(run);
  }
}

/** Returns false if a group should gather longer, and schedules another look. */
function mayGo(writes: Writes): boolean {
  const under = writes.running.size;
  if (under < GROUPS_NEAR) return true;
  const wait = GATHERING_MS - (performance.now() - writes.since);
  if (wait <= 0 && under < GROUPS_FAR) return true;
  clearTimeout(writes.timer);
  if (wait > 0) writes.timer = setTimeout(() => sendWaiting(writes), wait);
  return false;
}

const FOREIGN_KEYS_OFF: Statement = { sql: "PRAGMA foreign_keys = OFF", args: [] };

/** Fails the batch if foreign keys dangle: text that is not JSON makes the statement fail. */
const REFUSE_DANGLING: Statement = {
  sql: "SELECT CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN json('dangling') END",
  args: [],
};

/**
 * Migrates. `PRAGMA foreign_keys` has an effect only outside of a transaction and for this stream, which is closed afterwards.
 */
async function migrate(options: GroupOptions, work: readonly MigrationStep[]): Promise<void> {
  const statements = work.flatMap((step) => typeof step === "function" ? [] : [step]);
  const steps = inTransaction("BEGIN IMMEDIATE", [...statements, REFUSE_DANGLING]);
  const stream = openStream(options.server);
  try {
    await stream.send([{ statement: FOREIGN_KEYS_OFF, condition: null }]);
    if (statements.length < work.length) return await migrateStepByStep(stream, work, options);
    const answers = await sentOnceUnlocked(stream, steps, { ...options, isLast: false });
    for (const [at, answer] of answers.entries()) {
      if (answer.kind !== "error") continue;
      throw at === statements.length + 1 ? danglingError([]) : answer.error;
    }
  } finally {
    await abandon(stream);
  }
}

/** Migrates with code between statements, which reads what earlier statements did. Each needs one round trip. */
async function migrateStepByStep(
  stream: Stream,
  work: readonly MigrationStep[],
  options: GroupOptions,
): Promise<void> {
  const only = (statement: Statement): Step => ({ statement, condition: null });
  const run = async (statement: Statement): Promise<ResultSet> => {
    const [answer] = await stream.send([only(statement)]);
    if (answer?.kind === "error") throw answer.error;
    if (answer?.kind !== "ok") throw new Error("The server answered without a result");
    return answer.result;
  };
  const [begun] = await sentOnceUnlocked(stream, [only({ sql: "BEGIN IMMEDIATE", args: [] })], {
    ...options,
    isLast: false,
  });
  if (begun?.kind === "error") throw begun.error;
  for (const step of work) {
    if (typeof step !== "function") {
      await run(step);
      continue;
    }
    await step({
      writable: true,
      run,
      async runAll(statements) {
        const results: ResultSet[] = [];
        for (const statement of statements) results.push(await run(statement));
        return results;
      },
    });
  }
  const { rows } = await run({ sql: "SELECT 1 FROM pragma_foreign_key_check LIMIT 1", args: [] });
  if (rows.length > 0) throw danglingError([]);
  await run({ sql: "COMMIT", args: [] });
}
