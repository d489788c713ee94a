/**
 * A write that leaves a row in `audit_events`, whatever becomes of it (contract 4.4 rule 3): a success commits together
 * with what it reports, a denial or an error is written after everything else was taken back.
 */
import type { Database, Transaction } from "../ports.ts";
import { insertAudit } from "./insert_audit.ts";
import type { AuditEvent } from "./types.ts";

/** How a failure is reported. */
interface AuditedFailure {
  readonly result: "denied" | "error";
  readonly errorCode: string;
}

/** Everything of the row that is known before the outcome. */
type AuditSubject = Omit<AuditEvent, "result" | "errorCode">;

interface AuditedWrite<T> {
  readonly subject: AuditSubject;
  readonly body: (transaction: Transaction) => Promise<T>;
  readonly failureOf: (error: unknown) => AuditedFailure;
}

export async function auditedWrite<T>(database: Database, write: AuditedWrite<T>): Promise<T> {
  const { subject, body, failureOf } = write;
  try {
    return await database.write(async (transaction) => {
      const value = await body(transaction);
      await insertAudit(transaction, { ...subject, result: "success", errorCode: null });
      return value;
    });
  } catch (error) {
    await auditFailure(database, { ...subject, ...failureOf(error) }, error);
    throw error;
  }
}

/** For a refusal before anything was written. */
export async function auditDenial(
  database: Database,
  subject: AuditSubject,
  errorCode: string,
): Promise<void> {
  await database.write((transaction) =>
    insertAudit(transaction, { ...subject, result: "denied", errorCode })
  );
}

/** What could not be audited is never answered as if it had been: both errors reach the caller. */
async function auditFailure(
  database: Database,
  event: AuditEvent,
  cause: unknown,
): Promise<void> {
  try {
    await database.write((transaction) => insertAudit(transaction, event));
  } catch (error) {
    throw new AggregateError([cause, error], "The failure of an unsafe action was not audited");
  }
}
