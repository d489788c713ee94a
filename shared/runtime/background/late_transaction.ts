/**
 * A write transaction that begins with a run's first write and ends within some seconds, so that a waiting job does not hold
 * the database's only writer (definitions 6). Earlier reads see what others have committed by then.
 */
import { JOB_WRITES_MAX_MS } from "../../contract/mod.ts";
import { isQuery } from "../data/read_only.ts";
import type { Watching } from "../data/changes/change_log.ts";
import { ChangeLog, changeLogOf, WatchedTransaction } from "../data/changes/change_log.ts";
import {
  type HeldTransaction,
  holdTransaction,
  type LastWrites,
} from "../data/held_transaction.ts";
import type { Database, Timer, Transaction } from "../ports.ts";

export interface LateTransaction {
  readonly transaction: Transaction;
  /** True when a write was made, so that others wait. */
  readonly isBegun: boolean;
  /** Rejects when the transaction was open for too long. */
  readonly expired: Promise<never>;
  /** Commits all writes together with these last ones. Throws, and keeps nothing, if one fails. */
  commit(last: LastWrites): Promise<void>;
  rollBack(): Promise<void>;
}

export function lateTransaction({ database, timer, watching }: {
  readonly database: Database;
  readonly timer: Timer;
  /** Tables whose changes are recorded; null: none. */
  readonly watching: Watching | null;
}): LateTransaction {
  let begun: Promise<HeldTransaction> | null = null;
  const expiry = Promise.withResolvers<never>();
  expiry.promise.catch(() => {});
  let takeBack = () => {};
  const begin = async () => {
    const opened = await holdTransaction(database, { unbounded: "write" });
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

class HeldTooLongError extends Error {
  override readonly name = "HeldTooLongError";
  constructor() {
    super(
      `The run was still writing ${JOB_WRITES_MAX_MS / 1000} s after its first write: ` +
        "put each part that writes into a step()",
    );
  }
}
