/** Statements sent to a database, and their answers: an audit sees nothing else of the code that wrote them. */
import type { BeyondScope, Principal } from "../../shared/model/mod.ts";

export type SqlValue = string | number | bigint | Uint8Array | null;

export interface RecordedStatement {
  /** Reads beyond the caller's rows that the data layer declares for the statement. */
  readonly beyondScope?: BeyondScope;
  readonly sql: string;
  readonly args: readonly SqlValue[];
  /** Number of the transaction within the request; null: outside of any. */
  readonly transaction: number | null;
  /** Rows that the database answered; empty for a refused statement. */
  readonly rows: readonly (readonly SqlValue[])[];
  readonly changes: number;
}

/** Method that records a job's run, with the job's name as path. No route has this method. */
export const JOB_RUN = "RUN";

/** Request with all statements that it made the database run, in order. */
export interface RecordedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** Name of the caller's class. */
  readonly principal: string;
  /** Caller, in the organization that scopes the request. */
  readonly caller: Principal;
  readonly statements: readonly RecordedStatement[];
}
