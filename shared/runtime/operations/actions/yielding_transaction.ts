/**
 * The one transaction of a handler (definitions 8, `TRANSACTION_MAX_MS`): a handler that asks nothing of the database while it
 * waits for something else holds no writer. Its transaction is given back, and begins anew with its first statement.
 */
import { ChangeLog, changeLogOf, WatchedTransaction } from "../../data/changes/change_log.ts";
import { type HeldTransaction, holdTransaction } from "../../data/held_transaction.ts";
import type { Database, ResultSet, Timer, Transaction, WriteOptions } from "../../ports.ts";

/** Milliseconds that a handler which was just begun may hold the writer without a statement. */
const IDLE_MS = 10;

/** Judges in the transaction what was judged before it; throws where it does not hold any more. */
type Judge = (transaction: Transaction) => Promise<void>;

/** Has a transaction given back if nothing is asked of it; what is given judges when it is taken anew. */
export type YieldTransaction = (judge: Judge) => void;

interface YieldingOptions<T> extends WriteOptions {
  readonly database: Database;
  readonly timer: Timer;
  /** What the result must come to before what was written is kept; where nothing was, nobody waits for it. Null: nothing. */
  readonly begun: (result: T) => Promise<void> | null;
}

/** Commits when `body` resolves, and rolls back when it throws. */
export async function inYieldingTransaction<T>(
  { database, timer, begun, ...options }: YieldingOptions<T>,
  body: (transaction: Transaction, yieldIt: YieldTransaction) => Promise<T>,
): Promise<T> {
  const broken = Promise.withResolvers<never>();
  let held: Promise<HeldTransaction> | null = null;
  let current: HeldTransaction | null = null;
  let asked = 0;
  let judgeAnew: Judge | null = null;
  let isOver = false;
  const hold = async () => {
    const opened = await holdTransaction(database, options);
    current = opened;
    // The database may end it, whatever its handler does.
    opened.ended.catch((error) => {
      if (current === opened) broken.reject(error);
    });
    try {
      // Nobody is left to decide what becomes of it.
      if (isOver) throw new Error("The transaction is over");
      await judgeAnew?.(opened.transaction);
    } catch (error) {
      current = null;
      await opened.decide(null);
      throw error;
    }
    return opened;
  };
  const take = () => {
    if (isOver) return Promise.reject(new Error("The transaction is over"));
    asked += 1;
    return held ??= hold();
  };
  const giveBack = () => {
    const given = current;
    current = null;
    held = null;
    void given?.decide(null).catch(broken.reject);
  };
  const first = await take();
  const log = changeLogOf(first.transaction);
  const changes = log && new ChangeLog(log);
  const { line } = first.transaction;
  let hasWritten = false;
  const noted = <R extends ResultSet>(result: R) => {
    hasWritten ||= result.changes > 0;
    return result;
  };
  const inner: Transaction = {
    writable: true,
    run: async (statement) => noted(await (await take()).transaction.run(statement)),
    runAll: async (statements) => (await (await take()).transaction.runAll(statements)).map(noted),
    line: line && {
      mark: () => current?.transaction.line?.mark() ?? 0,
      rewind: (mark) => current?.transaction.line?.rewind(mark),
      conclude: (how) => current?.transaction.line?.conclude(how),
    },
  };
  const transaction = changes ? new WatchedTransaction(inner, changes) : inner;
  const keep = async () => {
    // Signals are sent by a commit.
    if (held === null && !changes?.mark()) return void (isOver = true);
    const { decide } = await take();
    current = null;
    isOver = true;
    await decide((last) => {
      if (changes) changeLogOf(last)?.addAll(changes);
      return Promise.resolve();
    });
  };
  let stop = () => {};
  const yieldIt: YieldTransaction = (judge) => {
    judgeAnew = judge;
    const before = asked;
    stop = timer.after(IDLE_MS, () => {
      if (asked === before) giveBack();
    });
  };
  broken.promise.catch(() => {});
  try {
    const done = body(transaction, yieldIt);
    done.catch(() => {});
    const value = await Promise.race([done, broken.promise]);
    stop();
    const beginning = begun(value);
    beginning?.catch(() => {});
    if (hasWritten || changes?.mark()) await Promise.race([beginning, broken.promise]);
    await keep();
    await beginning;
    return value;
  } catch (error) {
    stop();
    isOver = true;
    if (current !== null) {
      const { decide }: HeldTransaction = current;
      current = null;
      await decide(null);
    }
    throw error;
  }
}
