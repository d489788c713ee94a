/** A write transaction that is open until somebody decides what becomes of it, not for as long as a function runs. */
import type { Database, Transaction } from "../ports.ts";
import { DatabaseUnavailableError, type WriteOptions } from "../ports.ts";

export type LastWrites = (transaction: Transaction) => Promise<void>;

export interface HeldTransaction {
  readonly transaction: Transaction;
  /** Settles when it is over, whoever ended it. */
  readonly ended: Promise<void>;
  /** Keeps what was written, together with these last writes; null: undoes it. */
  decide(last: LastWrites | null): Promise<void>;
}

export async function holdTransaction(
  database: Database,
  options: WriteOptions,
): Promise<HeldTransaction> {
  const opened = Promise.withResolvers<Transaction>();
  const decision = Promise.withResolvers<LastWrites | null>();
  const ended = database.write(async (transaction) => {
    opened.resolve(transaction);
    const last = await decision.promise;
    if (last === null) throw new UndoneError();
    await last(transaction);
  }, options);
  ended.catch(opened.reject);
  const transaction = await opened.promise;
  return {
    transaction,
    ended,
    async decide(last) {
      decision.resolve(last);
      try {
        await ended;
      } catch (error) {
        // One that the database has ended meanwhile is undone as well.
        const isUndone = error instanceof UndoneError || error instanceof DatabaseUnavailableError;
        if (last !== null || !isUndone) throw error;
      }
    },
  };
}

/** Tells the database to undo. */
class UndoneError extends Error {
  override readonly name = "UndoneError";
  constructor() {
    super("The run's writes were undone");
  }
}
