/** A transaction as a database: what asks for a database of its own then reads and writes inside it, undone apart. */
import type { Database, Statement, Transaction } from "../ports.ts";
import { changeLogOf } from "./changes/change_log.ts";

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

/** SQLite takes the innermost savepoint of that name. */
const BEGIN: Statement = { sql: "SAVEPOINT part", args: [] };
const KEEP: Statement = { sql: "RELEASE part", args: [] };
const UNDO: Statement = { sql: "ROLLBACK TO part", args: [] };

/** Runs a part of a transaction: when it throws, what it did is undone and the rest stands. */
export async function inSavepoint<T>(
  transaction: Transaction,
  body: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const changes = changeLogOf(transaction);
  const mark = changes?.mark() ?? 0;
  await transaction.run(BEGIN);
  let value: T;
  try {
    value = await body(transaction);
  } catch (error) {
    changes?.rewind(mark);
    await transaction.runAll([UNDO, KEEP]);
    throw error;
  }
  await transaction.run(KEEP);
  return value;
}

/** Runs a part of a transaction for its result, and rolls it back. */
export async function rolledBack<T>(
  transaction: Transaction,
  body: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  await transaction.run(BEGIN);
  try {
    return await body(transaction);
  } finally {
    await transaction.runAll([UNDO, KEEP]);
  }
}
