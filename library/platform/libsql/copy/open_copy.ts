/**
 * A copy of a server's database in a local file (definitions 8, `DATABASE_REPLICA`). It answers reads as fast as an embedded
 * database, and repairs itself. Until it is complete, reads go to the primary.
 */
import type {
  Database,
  DatabaseCopy,
  Logger,
  ResultSet,
  Statement,
} from "../../../../shared/runtime/ports.ts";
import { DatabaseUnavailableError } from "../../../../shared/runtime/ports.ts";
import { type Connection, openConnection } from "../connection.ts";
import { DatabaseBusyError, unreachableError } from "../driver_errors.ts";
import { firstOf, type LongReads, longReads, readAll, TURNS } from "../embedded_database.ts";
import { type FileWatch, watchFile } from "../file_watch.ts";
import { type CopyFiles, openCopyFiles } from "./copy_files.ts";
import { readingTurns, type StatementLimits } from "../reading_turns.ts";
import { createPulls, type Pulls } from "./pulls.ts";
import { openReplica, type Replica, type ReplicaOptions } from "./replica.ts";

export interface CopyOptions extends ReplicaOptions {
  /** The primary. */
  readonly database: Database;
  readonly logger: Logger;
  /** Absent: statements have no time limit. */
  readonly limits?: StatementLimits | null | undefined;
  /** Most milliseconds that a caller waits for new frames. */
  readonly pullMaxMs?: number;
  /** Milliseconds within which the primary must answer while new frames take longer. */
  readonly answerMaxMs?: number;
  /** Returns milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Milliseconds between pulls in the background: without requests, and with. */
const IDLE_MS = 5000;
const BUSY_MS = 1000;
const PROBE_MAX_MS = 5000;
const ANSWER_MAX_MS = 1000;
/** Time for closing, which is less than a process has for its end. */
const CLOSING_MAX_MS = 300;
const ANSWER_KEPT_MS = 500;
const BUSY_TIMEOUT_MS = 5000;

const PRESENT: Statement = { sql: "SELECT 1", args: [] };
const CHECK: Statement = { sql: "PRAGMA quick_check(1)", args: [] };

interface Opened {
  readonly replica: Replica;
  readonly connection: Connection;
  readonly long: LongReads;
  readonly watch: FileWatch;
  /** Number of the last received frame. */
  frame: number;
}

interface Copy {
  readonly options: CopyOptions;
  readonly files: CopyFiles;
  /** Null while it is being made. */
  opened: Opened | null;
  /** Reason to make it anew; null: none. */
  damage: string | null;
  /** True after it was begun anew and until it is complete. */
  isNew: boolean;
}

/** Opens the copy. Resolves when it has all that the primary has. Throws if it cannot be made. */
export async function openCopy(options: CopyOptions): Promise<DatabaseCopy> {
  const { database, path, pullMaxMs, now = () => performance.now() } = options;
  const copy: Copy = {
    options,
    files: openCopyFiles(path),
    opened: null,
    damage: null,
    isNew: false,
  };
  const pulls = createPulls(() => pull(copy), { pullMaxMs, now });
  const idle = setInterval(pulls.kick, IDLE_MS);
  const close = async () => {
    clearInterval(idle);
    pulls.end();
    // The engine crashes when it is closed during a pull. A pull that does not end is left to the process's end.
    if (await pulls.ended(CLOSING_MAX_MS)) {
      if (copy.opened) copy.files.keep();
      discard(copy);
    }
    copy.files.close();
  };
  try {
    // The first pull may take long. A short second one brings what came meanwhile.
    await pulls.whole();
    if (pulls.isLate) await pulls.whole();
  } catch (error) {
    await close();
    throw error;
  }
  database.positions?.listen(pulls.kick);
  return { ...readingOf(copy, pulls, now), close };
}

/** Returns the port over the copy. */
function readingOf(
  copy: Copy,
  pulls: Pulls,
  now: () => number,
): Omit<DatabaseCopy, "close"> {
  const { database, answerMaxMs } = copy.options;
  const primary = watchPrimary(database, now, answerMaxMs);
  const frame = () => copy.opened?.frame ?? 0;
  const lag = () => Math.max(0, Number(database.positions?.last() ?? 0) - frame());
  // While pulls are late, because much is written or the disk is slow, reads go to the primary.
  const isPassedBy = async () => pulls.isLate && await primary.answers();
  const brought = async (since: number) => {
    try {
      await pulls.since(since);
    } catch (error) {
      unlessOutage(error);
      if (!await isPassedBy()) throw error;
    }
  };
  const read = async <T>(
    local: (opened: Opened) => T | Promise<T>,
    remote: () => Promise<T>,
  ): Promise<T> => {
    // A process must read its own writes. With the primary down, callers that require a position were refused before this.
    if (lag() > 0 && pulls.isServerThere) {
      await pulls.since(now()).catch(unlessOutage);
    } else if (now() - pulls.confirmedAt > BUSY_MS) pulls.kick();
    if (copy.opened === null || await isPassedBy()) return await remote();
    try {
      copy.opened.watch.requireLately();
      return await local(copy.opened);
    } catch (error) {
      unlessOutage(error);
      if (!(error instanceof DatabaseBusyError)) {
        copy.damage = error instanceof Error ? error.message : String(error);
      }
      pulls.kick();
      return await remote();
    }
  };
  return {
    run: (statement) =>
      read(
        ({ connection, long }) =>
          long.read([statement])?.then(firstOf) ?? connection.run(statement),
        () => database.run(statement),
      ),
    runAll: (statements) =>
      read<readonly ResultSet[]>(
        ({ connection, long }) => long.read(statements) ?? readAll(connection, statements),
        () => database.runAll(statements),
      ),
    async fresh(maxAgeMs) {
      if (copy.opened !== null) await brought(now() - maxAgeMs);
    },
    async reach(position) {
      const place = /^\d{1,15}$/.test(position) ? Number(position) : 0;
      // A position beyond the primary's does not belong to this primary.
      if (copy.opened !== null && place > frame()) await brought(now());
    },
    state: () => ({
      reachable: pulls.isServerThere || (pulls.isLate && primary.answered() === true),
      behindFrames: lag(),
      behindMs: Math.round(now() - pulls.confirmedAt),
      pulledAt: copy.opened === null || pulls.isLate ? now() : pulls.confirmedAt,
      isMade: copy.opened !== null,
    }),
  };
}

/** Asks the primary at intervals, when somebody needs to know. Nobody waits for one that did not answer the last time. */
function watchPrimary(database: Database, now: () => number, answerMaxMs = ANSWER_MAX_MS) {
  let answered: boolean | null = null;
  let asked: Promise<boolean> | null = null;
  let askedAt = -Infinity;
  const ask = async () => {
    askedAt = now();
    try {
      await database.run(PRESENT);
      return answered = true;
    } catch (error) {
      unlessOutage(error);
      return answered = false;
    } finally {
      asked = null;
    }
  };
  const inTime = async (question: Promise<boolean>) => {
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(answered = false), answerMaxMs);
    try {
      return await Promise.race([question, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    answered: () => answered,
    async answers(): Promise<boolean> {
      const isOld = now() - askedAt >= ANSWER_KEPT_MS;
      if (isOld) asked ??= ask();
      return asked === null || answered === false ? answered === true : await inTime(asked);
    },
  };
}

/** Repairs a damaged copy, opens a closed one, and pulls new frames. */
async function pull(copy: Copy): Promise<void> {
  const { files } = copy;
  if (copy.damage !== null) remove(copy, copy.damage);
  if (copy.opened === null) {
    copy.opened = await open(copy);
    return;
  }
  const frame = await copy.opened.replica.pull().catch((error: unknown) => {
    // A missing part causes the same error as a server that is down.
    copy.damage ??= files.inspect().damage;
    if (copy.damage === null) throw error;
    return 0;
  });
  copy.damage ??= files.inspect().damage ??
    (frame < copy.opened.frame ? "the primary has another history" : null);
  if (copy.damage !== null) return await pull(copy);
  if (frame === copy.opened.frame) return;
  copy.opened.frame = frame;
  files.keep();
}

/** Opens the copy with all that the primary has. An existing copy is used if it is undamaged. */
async function open(copy: Copy): Promise<Opened> {
  const { options, files } = copy;
  const { path, url } = options;
  // The engine would block this thread while the server is down.
  try {
    const address = url.replace(/^libsql:/, "https:");
    const answer = await fetch(address, { signal: AbortSignal.timeout(PROBE_MAX_MS) });
    await answer.body?.cancel();
  } catch (cause) {
    throw unreachableError(cause);
  }
  const { isPresent, damage } = files.inspect();
  if (damage !== null) remove(copy, damage);
  const isKept = isPresent && damage === null;
  copy.isNew ||= !isKept;
  // A server that lost its log starts a new one, and counts from the beginning.
  const restarted = copy.isNew ? options.database.positions?.restart() : undefined;
  const replica = openReplica(options);
  let connection: Connection | null = null;
  try {
    const frame = await replica.pull();
    const reading = {
      path,
      readOnly: true,
      timeout: BUSY_TIMEOUT_MS,
      synchronous: "FULL",
    } as const;
    connection = openConnection({ ...reading, runsBeside: false });
    connection.run(PRESENT);
    const fault = isKept ? await faultOf(copy, connection, frame) : null;
    if (fault === null) {
      files.keep();
      restarted?.(String(frame));
      copy.isNew = false;
      const long = longReads(
        () => openConnection({ ...reading, runsBeside: true }),
        options.limits ?? null,
        readingTurns(TURNS),
      );
      return { replica, connection, long, watch: watchFile(path), frame };
    }
    copy.damage = fault;
  } catch (error) {
    connection?.close();
    replica.close();
    throw error;
  }
  connection.close();
  replica.close();
  remove(copy, copy.damage);
  return await open(copy);
}

/** Returns the fault of an earlier process's copy after its first pull; null: none. */
async function faultOf(
  { options: { database }, files }: Copy,
  connection: Connection,
  frame: number,
): Promise<string | null> {
  const { damage } = files.inspect();
  if (damage !== null) return damage;
  await database.run(PRESENT);
  const last = database.positions?.last();
  if (frame === 0 || (last != null && Number(last) < frame)) {
    return "the primary has another history";
  }
  const [[found] = []] = connection.run(CHECK).rows;
  return found === "ok" ? null : `it is damaged: ${found}`;
}

function remove(copy: Copy, reason: string): void {
  const { logger, path } = copy.options;
  const message = `The copy of the database is made anew: ${reason}`;
  logger.log({ level: "warn", message, fields: { path } });
  discard(copy);
  copy.files.remove();
  copy.damage = null;
}

function discard(copy: Copy): void {
  copy.opened?.long.close();
  copy.opened?.connection.close();
  copy.opened?.replica.close();
  copy.opened = null;
}

function unlessOutage(error: unknown): void {
  if (!(error instanceof DatabaseUnavailableError)) throw error;
}
