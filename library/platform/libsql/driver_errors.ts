/** Meanings of libSQL's errors by their codes (ports `ConstraintError`, `DatabaseUnavailableError`). */
import { brokenConstraint, constraintSubjects } from "../../../shared/lib/sql_text.ts";
import type { ConstraintKind, WriteOutcome } from "../../../shared/runtime/ports.ts";
import { ConstraintError, DatabaseUnavailableError } from "../../../shared/runtime/ports.ts";

/** Seconds until another attempt: short for a lock, longer for a server, longest for faults that need an operator. */
const RETRY_BUSY = 1;
const RETRY_AWAY = 5;
const RETRY_BROKEN = 30;

/** Another process held the lock for the whole busy timeout. Nothing of the write was kept. */
export class DatabaseBusyError extends DatabaseUnavailableError {
  override readonly name = "DatabaseBusyError";
  constructor(options?: ErrorOptions) {
    super("The database is locked by another process", RETRY_BUSY, options);
  }
}

/** Faults of the database's file, by the beginning of the engine's code. */
const BROKEN_BY_CODE: readonly (readonly [string, string])[] = [
  ["SQLITE_FULL", "The disk of the database is full"],
  ["SQLITE_IOERR", "The disk of the database fails"],
  ["SQLITE_READONLY", "The database cannot be written"],
  ["SQLITE_CANTOPEN", "The database cannot be opened"],
  ["SQLITE_CORRUPT", "The database is damaged"],
  ["SQLITE_NOTADB", "The file is no database"],
];

/** The file is no longer as it was opened, or the database needs an operator. */
export function brokenError(message: string, options?: ErrorOptions): DatabaseUnavailableError {
  return new DatabaseUnavailableError(message, RETRY_BROKEN, options);
}

const KIND_BY_CODE: ReadonlyMap<string, ConstraintKind> = new Map([
  ["SQLITE_CONSTRAINT_UNIQUE", "unique"],
  ["SQLITE_CONSTRAINT_PRIMARYKEY", "primaryKey"],
  ["SQLITE_CONSTRAINT_ROWID", "primaryKey"],
  ["SQLITE_CONSTRAINT_NOTNULL", "notNull"],
  ["SQLITE_CONSTRAINT_FOREIGNKEY", "foreignKey"],
  ["SQLITE_CONSTRAINT_CHECK", "check"],
]);

/**
 * Codes whose cause is in the message. A server passes on the primary code only, and a `RESTRICT` foreign key is reported as a
 * trigger.
 */
const CODES_TOLD_BY_TEXT: readonly string[] = ["SQLITE_CONSTRAINT", "SQLITE_CONSTRAINT_TRIGGER"];

/** Makes the error for a server that did not answer, or answered outside of the protocol. */
export function unreachableError(
  cause: unknown,
  outcome: WriteOutcome = "undone",
): DatabaseUnavailableError {
  return new DatabaseUnavailableError("The database server cannot be reached", RETRY_AWAY, {
    cause,
    outcome,
  });
}

/** Converts an error to that of the ports; returns any other unchanged. */
export function portError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") {
    return error;
  }
  const { code } = error;
  // A server takes the lock from a client that held it for too long, and rolls it back.
  if (code.startsWith("SQLITE_BUSY") || code === "TRANSACTION_TIMEOUT") {
    return new DatabaseBusyError({ cause: error });
  }
  const broken = BROKEN_BY_CODE.find(([beginning]) => code.startsWith(beginning));
  if (broken) return brokenError(broken[1], { cause: error });
  const kind = constraintKindOf(code, error.message);
  if (kind === null) return error;
  return new ConstraintError(kind, constraintSubjects(error.message), { cause: error });
}

function constraintKindOf(code: string, message: string): ConstraintKind | null {
  const kind = KIND_BY_CODE.get(code);
  if (kind !== undefined) return kind;
  return CODES_TOLD_BY_TEXT.includes(code) ? brokenConstraint(message) : null;
}

/** Makes the error for a migration that leaves dangling foreign keys. It names the tables. */
export function danglingError(tables: readonly string[]): Error {
  return new ConstraintError("foreignKey", [...new Set(tables)]);
}
