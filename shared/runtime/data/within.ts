/** A transaction used as a database: its writes are savepoints, which can be rolled back alone. */
import { allInOrder } from "../../lib/all_in_order.ts";
import type { Database, Statement, Transaction } from "../ports.ts";
import { changeLogOf, unwatched, WatchedTransaction } from "./changes/change_log.ts";

/** Reads see what the transaction wrote; each write is a savepoint of it. */
export function databaseWithin(transaction: Transaction): Database {
  return {
    run: (statement) => transaction.run(statement),
    runAll: (statements) => transaction.runAll(statements),
    write: (body) => inSavepoint(transaction, body),
    migrate: () => Promise.reject(new Error("A transaction cannot change the schema")),
    close: () => Promise.reject(new Error("A transaction is closed by whoever opened it")),
  };
}

/** Runs a part of a transaction. If it throws, its writes are rolled back and the rest stays. */
export async function inSavepoint<T>(
  transaction: Transaction,
  body: (part: Transaction) => Promise<T>,
): Promise<T> {
  const changes = changeLogOf(transaction);
  const noted = changes?.mark() ?? 0;
  const savepoint = await begin(transaction);
  let value: T;
  try {
    value = await body(partOf(transaction));
  } catch (error) {
    changes?.rewind(noted);
    await savepoint.undo();
    throw error;
  }
  await savepoint.keep();
  return value;
}

/** Runs a part of a transaction for its result, and rolls it back. */
export async function rolledBack<T>(
  transaction: Transaction,
  body: (part: Transaction) => Promise<T>,
): Promise<T> {
  const savepoint = await begin(transaction);
  try {
    return await body(partOf(transaction));
  } finally {
    await savepoint.undo();
  }
}

interface Savepoint {
  keep(): Promise<unknown>;
  undo(): Promise<unknown>;
}

/** SQLite takes the innermost savepoint of that name. */
const BEGIN: Statement = { sql: "SAVEPOINT part", args: [] };
const KEEP: Statement = { sql: "RELEASE part", args: [] };
const UNDO: Statement = { sql: "ROLLBACK TO part", args: [] };

async function begin(transaction: Transaction): Promise<Savepoint> {
  const { line } = transaction;
  if (line) {
    const mark = line.mark();
    // The commit keeps what was not undone.
    return { keep: () => Promise.resolve(), undo: () => Promise.resolve(line.rewind(mark)) };
  }
  await transaction.run(BEGIN);
  return {
    keep: () => transaction.run(KEEP),
    undo: () => transaction.runAll([UNDO, KEEP]),
  };
}

/** Returns the transaction for a part of it, whose last statements are not the transaction's last. */
export function partOf(transaction: Transaction): Transaction {
  const { line } = transaction;
  if (!line) return transaction;
  const log = changeLogOf(transaction);
  const inner = unwatched(transaction);
  const part: Transaction = {
    writable: true,
    run: (statement) => inner.run(statement),
    runAll: (statements) => inner.runAll(statements),
    line: { ...line, conclude: () => {} },
  };
  return log ? new WatchedTransaction(part, log) : part;
}

type Results<Steps extends readonly (() => Promise<unknown>)[]> = {
  -readonly [At in keyof Steps]: Awaited<ReturnType<Steps[At]>> | null;
};

/**
 * Runs the last steps of a transaction in order and throws the first failure. A step that returns false, like a failing one,
 * ends them, and the remaining results are null. On a server all steps travel at once with the commit, so results behind a
 * false one have no meaning.
 */
export async function lastSteps<const Steps extends readonly (() => Promise<unknown>)[]>(
  transaction: Transaction,
  steps: Steps,
): Promise<Results<Steps>>;
export async function lastSteps(
  { line }: Transaction,
  steps: readonly (() => Promise<unknown>)[],
): Promise<readonly unknown[]> {
  line?.conclude();
  if (line) return await allInOrder(steps.map((step) => step()));
  const results: unknown[] = steps.map(() => null);
  for (const [at, step] of steps.entries()) {
    results[at] = await step();
    if (results[at] === false) break;
  }
  return results;
}
