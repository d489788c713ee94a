/**
 * Log of a transaction's changes for publication after its commit (contract 6.3): rows of watched tables, and signals of
 * actions. A savepoint that is rolled back takes its entries out again.
 */
import { CHANGES_TOLD_MAX } from "../../../contract/limits.ts";
import type { Caller } from "../../context.ts";
import type { SqlValue, Statement, Transaction } from "../../ports.ts";
import type { StoredRow } from "../types.ts";

export type ChangeKind = "insert" | "update" | "delete";

/** A row of a watched table; `before` is null when it was made, `after` when it is gone. */
interface RowChange {
  readonly kind: ChangeKind;
  readonly table: string;
  readonly id: SqlValue;
  readonly before: StoredRow | null;
  readonly after: StoredRow | null;
}

/** `invalidate.<binding>.<variant>(payload)`. */
export interface SentSignal {
  readonly name: string;
  /** Plain JSON. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
}

type Entry =
  | { readonly kind: "row"; readonly change: RowChange }
  | { readonly kind: "signal"; readonly signal: SentSignal };

/** Changes and signals to publish of a committed transaction. */
export interface CommittedChanges {
  /** Each row once: as it was before the transaction and as it is after it. */
  readonly rows: readonly RowChange[];
  readonly signals: readonly SentSignal[];
  /** Tables of which too many rows changed to publish each of them. */
  readonly crowded: readonly string[];
}

/** Tables whose changes are published, each with the columns that publishing needs. */
export type WatchedTables = ReadonlyMap<string, readonly string[]>;

export class ChangeLog {
  #entries: Entry[] = [];

  constructor(readonly watched: WatchedTables) {}

  add(change: RowChange): void {
    this.#entries.push({ kind: "row", change });
  }

  send(signal: SentSignal): void {
    this.#entries.push({ kind: "signal", signal });
  }

  addAll(others: ChangeLog): void {
    this.#entries.push(...others.#entries);
  }

  /** A place to come back to. */
  mark(): number {
    return this.#entries.length;
  }

  rewind(mark: number): void {
    this.#entries = this.#entries.slice(0, mark);
  }

  get aftermath(): CommittedChanges {
    const signals = this.#entries.flatMap((one) => one.kind === "signal" ? [one.signal] : []);
    const merged = mergedRows(
      this.#entries.flatMap((one) => one.kind === "row" ? [one.change] : []),
    );
    if (merged.length <= CHANGES_TOLD_MAX) return { rows: merged, signals, crowded: [] };
    return { rows: [], signals, crowded: [...new Set(merged.map(({ table }) => table))] };
  }
}

/** Joins several changes of a row into one; a row that was made and removed leaves none. */
function mergedRows(changes: readonly RowChange[]): readonly RowChange[] {
  const merged = new Map<string, RowChange>();
  for (const change of changes) {
    const key = JSON.stringify([change.table, typeof change.id, String(change.id)]);
    const earlier = merged.get(key);
    const { before } = earlier ?? change;
    const { after } = change;
    if (before === null && after === null) merged.delete(key);
    else {merged.set(key, {
        ...change,
        before,
        after,
        kind: before === null
          ? "insert"
          : after === null || change.kind === "delete"
          ? "delete"
          : "update",
      });}
  }
  return [...merged.values()];
}

/** A transaction that logs its changes for publication: the same object goes to everything that writes in it. */
export class WatchedTransaction implements Transaction {
  readonly writable = true;

  constructor(readonly inner: Transaction, readonly changes: ChangeLog) {}

  run(statement: Statement) {
    return this.inner.run(statement);
  }

  runAll(statements: readonly Statement[]) {
    return this.inner.runAll(statements);
  }

  get line() {
    return this.inner.line;
  }
}

/** The log of a transaction; null: its changes are not published. */
export function changeLogOf(transaction: Transaction): ChangeLog | null {
  return transaction instanceof WatchedTransaction ? transaction.changes : null;
}

/** The same transaction for writes that are not published. */
export function unwatched(transaction: Transaction): Transaction {
  return transaction instanceof WatchedTransaction ? transaction.inner : transaction;
}
