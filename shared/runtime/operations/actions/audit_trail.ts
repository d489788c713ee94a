/** Declares the audit trail of one call of an action. */
import type { AuditEvent } from "../../data/types.ts";
import type { Transaction } from "../../database_ports.ts";

/** Collects the audit rows of one call: a row for each record, and a row for each scope that the call names. */
export interface AuditTrail {
  /** Notes that the call opened a database for the rows of this organization. */
  reached(organizationId: string | null): void;
  /** Notes the records of a bulk call, before the first of them is judged. */
  concerns(ids: readonly string[]): void;
  /** Begins the part of the record at this index. */
  turnsTo(at: number): void;
  /** Notes that the current record was refused; the call goes on with the others. */
  refused(ended: Ended): void;
  /** Writes the rows of a success, in the transaction of its effect. */
  succeed(transaction: Transaction): Promise<void>;
  /** Writes the end of the call, in a transaction of its own; does nothing after a success that was committed. */
  end(ended: Ended): Promise<void>;
}

export interface Ended {
  readonly result: AuditEvent["result"];
  readonly code: string | null;
}
