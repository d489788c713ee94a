/**
 * The changes of a transaction, for publication after the commit (contract 6.3) and for the history within it (definitions 4,
 * `audit`): rows of watched tables, and signals of actions. Rolling back a savepoint removes its entries.
 */
import { CHANGES_TOLD_MAX } from "../../../contract/mod.ts";
import type { Caller } from "../../context.ts";
import type { SqlValue, Statement, Transaction } from "../../ports.ts";
import type { TableModel } from "../../../model/mod.ts";
import type { StoredRow } from "../types.ts";

export type ChangeKind = "insert" | "update" | "delete";

/** A row of a watched table. `before` is null for a new row, `after` for a deleted one. */
export interface RowChange {
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
  | { readonly kind: "row"; readonly change: RowChange; readonly isTold: boolean }
  | { readonly kind: "signal"; readonly signal: SentSignal };

/** The changes and signals of a committed transaction. */
export interface CommittedChanges {
  /** Each changed row once, before and after the transaction. */
  readonly rows: readonly RowChange[];
  readonly signals: readonly SentSignal[];
  /** Tables with too many changed rows to publish each. */
  readonly crowded: readonly string[];
}

/** Watched tables with the columns that are needed of their rows. */
export type WatchedTables = ReadonlyMap<string, readonly string[]>;

export interface Watching {
  readonly watched: WatchedTables;
  /** Tables whose history is kept; null: none. */
  readonly audited: WatchedTables | null;
  /** Rows that are counted in rows that make frames. Absent: none. */
  readonly counted?: readonly CountedRows[];
}

/** Rows of a table that another table has totals of. */
export interface CountedRows {
  readonly table: TableModel;
  /** Foreign key of the counted rows. */
  readonly key: string;
  readonly parent: TableModel;
  /** The scope that both tables have; null: they share none. */
  readonly tenant: { readonly own: string; readonly parent: string } | null;
}

export class ChangeLog implements Watching {
  readonly watched: WatchedTables;
  readonly audited: WatchedTables | null;
  readonly #isTold: boolean;
  /** The entries, shared with `quiet`. */
  readonly #log: { entries: Entry[] };

  constructor({ watched, audited }: Watching, whole: ChangeLog | null = null) {
    this.watched = watched;
    this.audited = audited;
    this.#isTold = whole === null;
    this.#log = whole === null ? { entries: [] } : whole.#log;
  }

  /** Returns the same log for writes that are not published; null: nothing is logged for them. */
  get quiet(): ChangeLog | null {
    const { audited } = this;
    return audited && new ChangeLog({ watched: audited, audited }, this);
  }

  add(change: RowChange): void {
    this.#log.entries.push({ kind: "row", change, isTold: this.#isTold });
  }

  send(signal: SentSignal): void {
    this.#log.entries.push({ kind: "signal", signal });
  }

  addAll(others: ChangeLog): void {
    this.#log.entries.push(...others.#log.entries);
  }

  /** Returns a position to roll back to. */
  mark(): number {
    return this.#log.entries.length;
  }

  rewind(mark: number): void {
    this.#log.entries = this.#log.entries.slice(0, mark);
  }

  get aftermath(): CommittedChanges {
    const { entries } = this.#log;
    const signals = entries.flatMap((one) => one.kind === "signal" ? [one.signal] : []);
    const merged = mergedRows(
      entries.flatMap((one) => one.kind === "row" && one.isTold ? [one.change] : []),
    );
    if (merged.length <= CHANGES_TOLD_MAX) return { rows: merged, signals, crowded: [] };
    return { rows: [], signals, crowded: [...new Set(merged.map(({ table }) => table))] };
  }

  /** Returns the changes for the history, each row once. */
  get kept(): readonly RowChange[] {
    const { audited } = this;
    if (audited === null) return [];
    return mergedRows(
      this.#log.entries.flatMap((one) =>
        one.kind === "row" && audited.has(one.change.table) ? [one.change] : []
      ),
    );
  }
}

/** Merges several changes of a row. A row that was made and deleted leaves none. */
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

/** A transaction that logs its changes. The same object is passed to everything that writes in it. */
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

/** Returns the log of a transaction; null: it is not logged. */
export function changeLogOf(transaction: Transaction): ChangeLog | null {
  return transaction instanceof WatchedTransaction ? transaction.changes : null;
}

/** Returns the transaction for writes that are not published. The history is kept in any case. */
export function unpublished(transaction: Transaction): Transaction {
  const log = changeLogOf(transaction)?.quiet ?? null;
  const inner = unwatched(transaction);
  return log ? new WatchedTransaction(inner, log) : inner;
}

/** Returns the transaction for writes that are not logged. */
export function unwatched(transaction: Transaction): Transaction {
  return transaction instanceof WatchedTransaction ? transaction.inner : transaction;
}
