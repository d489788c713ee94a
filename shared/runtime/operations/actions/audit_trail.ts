/** The audit of one call of an action. */
import type { AuditEvent } from "../../data/types.ts";
import type { Transaction } from "../../database_ports.ts";

/** Audit rows of one call: a row for each record, and for each scope that is named for it. */
export interface AuditTrail {
  /** A database for the rows of this organization was asked for. */
  reached(organizationId: string | null): void;
  /** The records of a bulk call, before the first of them is judged. */
  concerns(ids: readonly string[]): void;
  /** Begins the part of this record. */
  turnsTo(at: number): void;
  /** The record at hand was refused; the others go on. */
  refused(ended: Ended): void;
  /** In the transaction of what succeeded. */
  succeed(transaction: Transaction): Promise<void>;
  /** Writes the end of the call, in a transaction of its own; does nothing after a success that was committed. */
  end(ended: Ended): Promise<void>;
}

export interface Ended {
  readonly result: AuditEvent["result"];
  readonly code: string | null;
}
