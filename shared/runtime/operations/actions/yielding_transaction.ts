/**
 * Runs the one transaction of a handler (definitions 8, `TRANSACTION_MAX_MS`). A handler that sends no statement while it waits
 * for something else does not keep the writer: its transaction ends, and begins anew with its next statement.
 */
import { ChangeLog, changeLogOf, WatchedTransaction } from "../../data/changes/change_log.ts";
import { type HeldTransaction, holdTransaction } from "../../data/held_transaction.ts";
import type { Database, ResultSet, Timer, Transaction, WriteOptions } from "../../ports.ts";

/** Milliseconds that a handler that was just begun may keep the writer without a statement. */
const IDLE_MS = 10;

/** Repeats in the new transaction the checks made before it; throws where they fail now. */
type Judge = (transaction: Transaction) => Promise<void>;

/**
 * Ends a transaction if no statement arrives; the judge that it is given repeats the checks when the transaction begins anew.
 */
export type YieldTransaction = (judge: Judge) => void;

interface YieldingOptions<T> extends WriteOptions {
  readonly database: Database;
  readonly timer: Timer;
  /** Returns what must resolve before the writes are committed; without writes nothing waits. Null: nothing to wait for. */
  readonly begun: (result: T) => Promise<void> | null;
}

/** Runs `body` in a transaction: commits when it resolves, and rolls back when it throws. */
export async function inYieldingTransaction<T>(
  { database, timer, begun, ...options }: YieldingOptions<T>,
  body: (transaction: Transaction, yieldIt: YieldTransaction) => Promise<T>,
): Promise<T> {
  const held = new YieldedTransaction(database, options);
  const { transaction, broken } = await held.begin();
  let stop = () => {};
  const yieldIt: YieldTransaction = (judge) => {
    stop = held.yieldAfter(timer, judge);
  };
  try {
    const done = body(transaction, yieldIt);
    done.catch(() => {});
    const value = await Promise.race([done, broken]);
    stop();
    const beginning = begun(value);
    beginning?.catch(() => {});
    if (held.hasWritten) await Promise.race([beginning, broken]);
    await held.keep();
    await beginning;
    return value;
  } catch (error) {
    stop();
    await held.giveUp();
    throw error;
  }
}

/** A transaction that ends while no statement arrives, and begins anew with the next one. */
class YieldedTransaction {
  readonly #broken = Promise.withResolvers<never>();
  #held: Promise<HeldTransaction> | null = null;
  #current: HeldTransaction | null = null;
  #asked = 0;
  #judgeAnew: Judge | null = null;
  #isOver = false;
  #hasWritten = false;
  #changes: ChangeLog | null = null;

  constructor(private readonly database: Database, private readonly options: WriteOptions) {}

  /** Begins the transaction. `broken` rejects with the error with which the database ends it. */
  async begin(): Promise<{ readonly transaction: Transaction; readonly broken: Promise<never> }> {
    this.#broken.promise.catch(() => {});
    const first = await this.#take();
    const log = changeLogOf(first.transaction);
    this.#changes = log && new ChangeLog(log);
    const { line } = first.transaction;
    const noted = <R extends ResultSet>(result: R) => {
      this.#hasWritten ||= result.changes > 0;
      return result;
    };
    const inner: Transaction = {
      writable: true,
      run: async (statement) => noted(await (await this.#take()).transaction.run(statement)),
      runAll: async (statements) =>
        (await (await this.#take()).transaction.runAll(statements)).map(noted),
      line: line && {
        mark: () => this.#current?.transaction.line?.mark() ?? 0,
        rewind: (mark) => this.#current?.transaction.line?.rewind(mark),
        conclude: (how) => this.#current?.transaction.line?.conclude(how),
      },
    };
    const transaction = this.#changes ? new WatchedTransaction(inner, this.#changes) : inner;
    return { transaction, broken: this.#broken.promise };
  }

  /** True when rows were written, or signals wait for the commit. */
  get hasWritten(): boolean {
    return this.#hasWritten || Boolean(this.#changes?.mark());
  }

  /** Ends the transaction unless a statement arrives meanwhile; `judge` repeats the checks when it begins anew. */
  yieldAfter(timer: Timer, judge: Judge): () => void {
    this.#judgeAnew = judge;
    const before = this.#asked;
    return timer.after(IDLE_MS, () => {
      if (this.#asked !== before) return;
      const given = this.#current;
      this.#current = null;
      this.#held = null;
      void given?.decide(null).catch(this.#broken.reject);
    });
  }

  /** Commits the writes. */
  async keep(): Promise<void> {
    // Signals are sent by a commit.
    if (this.#held === null && !this.#changes?.mark()) return void (this.#isOver = true);
    const { decide } = await this.#take();
    this.#current = null;
    this.#isOver = true;
    await decide((last) => {
      if (this.#changes) changeLogOf(last)?.addAll(this.#changes);
      return Promise.resolve();
    });
  }

  /** Rolls back the open transaction. */
  async giveUp(): Promise<void> {
    this.#isOver = true;
    const current = this.#current;
    this.#current = null;
    await current?.decide(null);
  }

  #take(): Promise<HeldTransaction> {
    if (this.#isOver) return Promise.reject(new Error("The transaction is over"));
    this.#asked += 1;
    return this.#held ??= this.#hold();
  }

  async #hold(): Promise<HeldTransaction> {
    const opened = await holdTransaction(this.database, this.options);
    this.#current = opened;
    // The database may end the transaction at any time, whatever its handler does.
    opened.ended.catch((error) => {
      if (this.#current === opened) this.#broken.reject(error);
    });
    try {
      // A transaction that began after the end would never be committed or rolled back.
      if (this.#isOver) throw new Error("The transaction is over");
      await this.#judgeAnew?.(opened.transaction);
    } catch (error) {
      this.#current = null;
      await opened.decide(null);
      throw error;
    }
    return opened;
  }
}
