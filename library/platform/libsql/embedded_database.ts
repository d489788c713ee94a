/** The `Database` port over a libSQL file in this process: one connection reads committed data, one writes. */
import type {
  Database,
  MigrationStep,
  ResultSet,
  Statement,
} from "../../../shared/runtime/ports.ts";
import { makeOwnFile } from "../own_file.ts";
import { type Connection, openConnection } from "./connection.ts";
import { type ClosedConnections, closedConnections } from "./closed_connections.ts";
import { danglingError } from "./driver_errors.ts";
import { watchFile } from "./file_watch.ts";
import { readingPool } from "./reading_pool.ts";
import { type ReadingTurns, readingTurns, type StatementLimits } from "./reading_turns.ts";
import { createWriteQueue } from "./write_queue.ts";

interface EmbeddedOptions {
  readonly path: string;
  /** Milliseconds to wait for another process's lock. */
  readonly busyTimeout: number;
  readonly synchronous: "FULL" | "NORMAL";
  /** Null: statements have no time limit and run one after the other. */
  readonly limits: StatementLimits | null;
  /** Shared with other databases of this process. Absent: its own. */
  readonly turns?: ReadingTurns;
  /** Shared with other databases of this process. Absent: its own. */
  readonly closed?: ClosedConnections;
}

const FIRST_READ: Statement = { sql: "SELECT count(*) FROM sqlite_schema", args: [] };
const BEGIN: Statement = { sql: "BEGIN", args: [] };
const COMMIT: Statement = { sql: "COMMIT", args: [] };

/** Opens the file and creates it, readable by its owner only, if it is missing. Its folder must exist. */
export function openEmbedded(options: EmbeddedOptions): Database {
  const { busyTimeout, limits, turns = readingTurns(TURNS), ...own } = options;
  const file = { ...own, closed: own.closed ?? closedConnections() };
  makeOwnFile(file.path);
  const connection = openConnection({
    ...file,
    readOnly: true,
    runsBeside: false,
    timeout: busyTimeout,
  });
  // Reading once keeps the write-ahead log in place, whichever connections come and go.
  connection.run(FIRST_READ);
  const watch = watchFile(file.path);
  const queue = createWriteQueue({
    // A lock is awaited between attempts. Inside the driver it would block this thread.
    open: () =>
      openConnection({ ...file, readOnly: false, runsBeside: limits !== null, timeout: 0 }),
    busyTimeout,
    watch,
    limits,
  });
  const long = longReads(
    () => openConnection({ ...file, readOnly: true, runsBeside: true, timeout: busyTimeout }),
    limits,
    turns,
  );
  return {
    run: (statement) =>
      new Promise((resolve) => {
        watch.requireLately();
        resolve(long.read([statement])?.then(firstOf) ?? connection.run(statement));
      }),
    runAll: (statements) =>
      new Promise((resolve) => {
        watch.requireLately();
        resolve(long.read(statements) ?? readAll(connection, statements));
      }),
    write: queue.write,
    watchOthers: queue.watchOthers,
    migrate: (steps) => queue.alone((writing) => migrate(writing, steps)),
    async close() {
      await queue.close();
      long.close();
      connection.close();
      if (own.closed === undefined) file.closed.close();
    },
  };
}

/** Number of reads beside the event loop: one for each processor, so that long reads do not block each other. */
export const TURNS = Math.max(2, navigator.hardwareConcurrency);

export interface LongReads {
  /** Runs the statements beside the event loop on one snapshot; null: each of them is bounded. */
  read(statements: readonly Statement[]): Promise<readonly ResultSet[]> | null;
  close(): void;
}

export function longReads(
  open: () => Connection,
  limits: StatementLimits | null,
  turns: ReadingTurns,
): LongReads {
  const pool = readingPool(open);
  return {
    read(statements) {
      const name = limits && statements.find((one) => one.unboundedFor !== undefined)?.unboundedFor;
      if (!limits || name === null || name === undefined) return null;
      return turns.take(
        name,
        () => pool.use((connection) => readBeside(connection, statements, limits.readMs)),
      );
    },
    close: () => pool.close(),
  };
}

async function readBeside(
  connection: Connection,
  statements: readonly Statement[],
  milliseconds: number,
): Promise<readonly ResultSet[]> {
  if (statements.length > 1) connection.run(BEGIN);
  const results: ResultSet[] = [];
  for (const statement of statements) {
    results.push(
      statement.unboundedFor === undefined
        ? connection.run(statement)
        : await connection.runBeside(statement, milliseconds),
    );
  }
  if (statements.length > 1) connection.run(COMMIT);
  return results;
}

export function firstOf([result]: readonly ResultSet[]): ResultSet {
  if (!result) throw new Error("A statement has no result");
  return result;
}

/** Runs several reads on one snapshot. A single read needs no transaction. */
export function readAll(
  connection: Connection,
  statements: readonly Statement[],
): readonly ResultSet[] {
  if (statements.length < 2) return statements.map((statement) => connection.run(statement));
  connection.run(BEGIN);
  try {
    return statements.map((statement) => connection.run(statement));
  } finally {
    connection.run(COMMIT);
  }
}

/**
 * Migrates. `PRAGMA foreign_keys` has an effect only outside of a transaction. The queue discards this connection afterwards.
 */
async function migrate(connection: Connection, steps: readonly MigrationStep[]): Promise<void> {
  connection.execute("PRAGMA foreign_keys = OFF");
  connection.run({ sql: "BEGIN IMMEDIATE", args: [] });
  for (const step of steps) {
    if (typeof step === "function") {
      await step({
        writable: true,
        run: (statement) => Promise.try(() => connection.run(statement)),
        runAll: (statements) => Promise.try(() => statements.map((one) => connection.run(one))),
      });
    } else if (step.args.length > 0) {
      connection.run(step);
    } else {
      connection.execute(step.sql);
    }
  }
  const dangling = connection.run({ sql: "PRAGMA foreign_key_check", args: [] }).rows;
  if (dangling.length > 0) throw danglingError(dangling.map((row) => String(row[0])));
  connection.run(COMMIT);
}
