/**
 * A write transaction that begins with the first write of a run and is over some seconds later: the one writer of a database is
 * not held for what a job waits for (definitions 6). Reads before it see what others have committed by then.
 */
import { JOB_WRITES_MAX_MS } from "../../contract/mod.ts";
import { isQuery } from "../data/read_only.ts";
import type { Watching } from "../data/changes/change_log.ts";
import { ChangeLog, changeLogOf, WatchedTransaction } from "../data/changes/change_log.ts";
import type { Database, Timer, Transaction } from "../ports.ts";
import { DatabaseUnavailableError } from "../ports.ts";

export interface LateTransaction {
  readonly transaction: Transaction;
  /** A write was made, and others wait for its end. */
  readonly isBegun: boolean;
  /** Rejects when the transaction was open for too long; else it never settles. */
  readonly expired: Promise<never>;
  /** Keeps what was written, together with these last writes; throws, and keeps nothing, when they do. */
  commit(last: (transaction: Transaction) => Promise<void>): Promise<void>;
  rollBack(): Promise<void>;
}

interface LatePorts {
  readonly database: Database;
  readonly timer: Timer;
  /** Tables whose changes the database asks for; null: it asks for none. */
  readonly watching: Watching | null;
}

type Last = (transaction: Transaction) => Promise<void>;

interface Begun {
  readonly transaction: Transaction;
  /** Null: undo. */
  decide(last: Last | null): Promise<void>;
}

export function lateTransaction({ database, timer, watching }: LatePorts): LateTransaction {
  let begun: Promise<Begun> | null = null;
  const expiry = Promise.withResolvers<never>();
  expiry.promise.catch(() => {});
  let takeBack = () => {};
  const begin = async () => {
    const opened = await beginOn(database);
    takeBack = timer.after(JOB_WRITES_MAX_MS, () => {
      expiry.reject(new HeldTooLongError());
      void opened.decide(null).catch(() => {});
    });
    return opened;
  };
  const open = async () => (await (begun ??= begin())).transaction;
  const inner: Transaction = {
    writable: true,
    run: async (statement) =>
      begun === null && isQuery(statement.sql)
        ? await database.run(statement)
        : await (await open()).run(statement),
    runAll: async (statements) =>
      begun === null && statements.every(({ sql }) => isQuery(sql))
        ? await database.runAll(statements)
        : await (await open()).runAll(statements),
  };
  const changes = watching && new ChangeLog(watching);
  return {
    transaction: changes ? new WatchedTransaction(inner, changes) : inner,
    get isBegun() {
      return begun !== null;
    },
    expired: expiry.promise,
    async commit(last) {
      if (begun === null) return await database.write(last);
      const { decide } = await begun;
      takeBack();
      await decide(async (transaction) => {
        await last(transaction);
        if (changes) changeLogOf(transaction)?.addAll(changes);
      });
    },
    async rollBack() {
      if (begun === null) return;
      const { decide } = await begun;
      takeBack();
      await decide(null);
    },
  };
}

async function beginOn(database: Database): Promise<Begun> {
  const opened = Promise.withResolvers<Transaction>();
  const decision = Promise.withResolvers<Last | null>();
  const done = database.write(async (transaction) => {
    opened.resolve(transaction);
    const last = await decision.promise;
    if (last === null) throw new UndoneError();
    await last(transaction);
  }, { unbounded: "write" });
  done.catch(opened.reject);
  const transaction = await opened.promise;
  return {
    transaction,
    async decide(last) {
      decision.resolve(last);
      try {
        await done;
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

class HeldTooLongError extends Error {
  override readonly name = "HeldTooLongError";
  constructor() {
    super(
      `The run was still writing ${JOB_WRITES_MAX_MS / 1000} s after its first write: ` +
        "put each part that writes into a step()",
    );
  }
}
