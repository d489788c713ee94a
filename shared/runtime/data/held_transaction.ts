/** A write transaction that stays open until somebody decides about it, beyond the run of a function. */
import type { Database, Transaction } from "../ports.ts";
import { DatabaseUnavailableError, type WriteOptions } from "../ports.ts";

export type LastWrites = (transaction: Transaction) => Promise<void>;

export interface HeldTransaction {
  readonly transaction: Transaction;
  /** Settles when the transaction is over, however it ended. */
  readonly ended: Promise<void>;
  /** Commits all writes with these last ones; null rolls back. */
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
        // A transaction that the database has ended counts as rolled back.
        const isUndone = error instanceof UndoneError || error instanceof DatabaseUnavailableError;
        if (last !== null || !isUndone) throw error;
      }
    },
  };
}

/** Thrown to make the database roll back. */
class UndoneError extends Error {
  override readonly name = "UndoneError";
  constructor() {
    super("The run's writes were undone");
  }
}
