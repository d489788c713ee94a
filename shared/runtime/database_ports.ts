/**
 * Ports of the database: statements, transactions, copies, migrations, and the errors of drivers (definitions 8,
 * `DATABASE_URL`).
 */
import type { BeyondScope, Home } from "../model/mod.ts";
import { Refusal } from "./refusal.ts";

export type SqlValue = string | number | bigint | Uint8Array | null;

export interface Statement {
  readonly sql: string;
  readonly args: readonly SqlValue[];
  /** True when at most one row answers, so that a driver searches for no other. */
  readonly isSingle?: boolean;
  /**
   * Set when no index and `LIMIT` bounds the statement. A driver then runs it beside others, in this tenant's turn, and ends it
   * when it takes too long.
   */
  readonly unboundedFor?: string;
  /** Facts that the statement reads beyond its caller's rows. Absent: none. */
  readonly beyondScope?: BeyondScope;
  /** Least number of rows that must be returned. Otherwise the transaction that it ends is not committed. */
  readonly rowsRequired?: number;
}

export interface ResultSet {
  /** Cells in the order of the select list. Integers that fit are numbers. */
  readonly rows: readonly (readonly SqlValue[])[];
  /** Names of the cells, as SQLite makes them; empty for a statement without rows. */
  readonly columns?: readonly string[];
  /** Rows changed by an insert, update or delete, `RETURNING` or not. */
  readonly changes: number;
}

/** Runs statements. Outside of a transaction only reads are allowed; a host may refuse or discard writes. */
export interface Reader {
  run(statement: Statement): Promise<ResultSet>;
  /** Runs the statements in order, in one round trip where the driver has one, on one snapshot. */
  runAll(statements: readonly Statement[]): Promise<readonly ResultSet[]>;
}

/** A write transaction. While one is open, nothing is awaited but the database. */
export interface Transaction extends Reader {
  readonly writable: true;
  /** Ways to save round trips to a server; absent: each statement is answered at once. */
  readonly line?: TransactionLine | undefined;
}

/** Calls that are sent with the next statements, or with the commit. */
export interface TransactionLine {
  /** Sets a savepoint and returns its number. */
  mark(): number;
  /** Undoes all changes since the savepoint. */
  rewind(mark: number): void;
  /**
   * Declares that the calls in progress are the last of the transaction, so that the commit is sent with them. If all succeed,
   * the body must succeed, too. `apart`: they neither read nor write any data of other writes.
   */
  conclude(how?: "apart"): void;
}

/** Kinds of constraints, by the driver's error codes and never by an error's text alone. */
export type ConstraintKind = "unique" | "notNull" | "foreignKey" | "check" | "primaryKey";

/** Thrown by a driver for a refused write. */
export class ConstraintError extends Error {
  override readonly name = "ConstraintError";
  constructor(
    readonly kind: ConstraintKind,
    /** SQL names `table.column` or the index name, when the driver identified them. */
    readonly subjects: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`Constraint ${kind} refused the write`, options);
  }
}

/**
 * Thrown for a stored value that does not fit its column's type, because another tool wrote it. An answer with it would
 * contradict the description. Names are SQL names; an id of null: the answer has none.
 */
export class StoredMisfitError extends Error {
  override readonly name = "StoredMisfitError";
  constructor(
    readonly subject: { readonly table: string; readonly column: string },
    readonly id: string | null,
  ) {
    const row = id === null ? "a row whose id was not asked for" : `row ${JSON.stringify(id)}`;
    super(
      `${subject.table}.${subject.column} holds a value in ${row} that is none of the column's type`,
    );
  }
}

/**
 * Thrown for migrations that cannot be applied. The message is for the operator: the reason is in the project or in its
 * database.
 */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Thrown by a driver whose database is unusable at the moment: locked, full, unreachable, or replaced. Any other error is
 * internal.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = "DatabaseUnavailableError";
  readonly outcome: WriteOutcome;
  constructor(
    message: string,
    /** Seconds after which another try may succeed. */
    readonly retryAfter: number,
    { outcome = "undone", ...options }: ErrorOptions & { readonly outcome?: WriteOutcome } = {},
  ) {
    super(message, options);
    this.outcome = outcome;
  }
}

/** Thrown by a driver for a statement that took longer than is allowed. Nothing of its transaction was kept. */
export class StatementTimeoutError extends Error {
  override readonly name = "StatementTimeoutError";
  constructor(readonly milliseconds: number) {
    super(`A statement took longer than ${milliseconds} ms`);
  }
}

/** Outcome of a failed write: it was and will be undone, or the outcome is unknown. */
export type WriteOutcome = "undone" | "unknown";

/**
 * Thrown where values are bound, for text that the database would cut: its sender is refused with `VALIDATION_ERROR`, whichever
 * way the text took.
 */
export class UnstorableTextError extends Refusal {
  constructor() {
    super("VALIDATION_ERROR", {
      detail: "A text contains a NUL character",
      hint: "Send text without NUL characters",
    });
  }
}

export interface WriteOptions {
  /**
   * Marks a write that may contain unbounded statements, of a caller's read or any other. It commits alone, because ending it
   * rolls back everything in its transaction.
   */
  readonly unbounded?: "read" | "write" | undefined;
}

export interface Database extends Reader {
  /** Runs a write; one writer at a time. Commits when `body` resolves, rolls back when it throws. */
  write<T>(body: (transaction: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Changes the schema: all or nothing. Foreign keys are not enforced meanwhile, so that a rebuilt table fires no cascade.
   * Refused when it leaves a foreign key without its target.
   */
  migrate(steps: readonly MigrationStep[]): Promise<void>;
  close(): Promise<void>;
  /** Positions of commits; absent: every process reads the commits of all others. */
  readonly positions?: Positions;
  /** Calls once, when another process is known to have committed something; absent: the driver cannot know. */
  watchOthers?(seen: () => void): void;
}

/** A statement, or code that changes rows in the same transaction. */
export type MigrationStep = Statement | ((transaction: Transaction) => Promise<void>);

/** Places of commits in a database's history, as a server names them. */
export interface Positions {
  /** Returns the place of the newest commit that this process knows of; null: it knows of none. */
  last(): string | null;
  /** Calls back whenever this process learns of a newer commit. */
  listen(heard: () => void): void;
  /**
   * Called when the server may have started a new numbering. Returns a function that takes a position of the new one; only
   * later positions count then.
   */
  restart(): (place: string) => void;
}

/** A copy of the database in this process: its answers were true a known time ago (definitions 8, `DATABASE_REPLICA`). */
export interface DatabaseCopy extends Reader {
  /**
   * Resolves when the copy's content was true at most this many milliseconds ago. Throws `DatabaseUnavailableError` when the
   * primary does not answer.
   */
  fresh(maxAgeMs: number): Promise<void>;
  /** Resolves when the copy has this commit, or the primary has no such commit. Throws as `fresh` does. */
  reach(position: string): Promise<void>;
  state(): CopyState;
  close(): Promise<void>;
}

export interface CopyState {
  /** True when the primary answered the last request. */
  readonly reachable: boolean;
  /** Frames of the primary's log that this process knows of and the copy lacks. */
  readonly behindFrames: number;
  /** Milliseconds since the copy was known to be complete. */
  readonly behindMs: number;
  /** A number that changes whenever the copy's content may have changed. */
  readonly pulledAt: number;
  /** False while the copy is made anew: reads go to the primary then. */
  readonly isMade: boolean;
}

/** The number of rows that a tenant may have, with the known counts of the tenants (definitions 8, `ROWS_MAX_PER_TENANT`). */
export interface RowQuota {
  readonly max: number;
  /** Counts new rows; returns false, and counts nothing, where there is no room. `count` reads how many the tenant has. */
  take(tenant: string, rows: number, count: () => Promise<number>): Promise<boolean>;
  /** Adds this number to the count of rows; a negative number removes. */
  add(tenant: string, rows: number): void;
}

/** One entry of a migration journal with its SQL. */
export interface Migration {
  readonly tag: string;
  /** Increases from entry to entry: separates applied migrations from new ones. */
  readonly when: number;
  /** Statements separated by `--> statement-breakpoint`; for a data step in TypeScript its text, which identifies it. */
  readonly sql: string;
  /** Present: the entry changes rows, in the transaction of the migration before it where that is not applied yet. */
  readonly step?: DataStep;
}

/** Facts about a data step (definitions 1, `migrations/`). */
export interface DataStep {
  /** The kind of database in which the step runs, where each organization has its own; null: in all. */
  readonly home: Home | null;
  /** Imports the default export of a step in TypeScript; null: it is SQL. */
  readonly code: (() => Promise<DataStepCode>) | null;
  /** True when it changes rows so that its migration succeeds: it runs before the migration where that is not applied yet. */
  readonly isBefore?: boolean;
}

/** `db`: drizzle over all rows, in the migration's transaction. */
export type DataStepCode = (given: { readonly db: unknown }) => unknown;

/** The migration at which a database is assumed to be, with the snapshots of the schema after it and after the last one. */
export interface Baseline {
  readonly migration: Migration;
  readonly first: string;
  readonly last: string;
}
