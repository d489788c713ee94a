/** Statements sent to a database, and their answers: all that an audit sees of the code that wrote them. */
import type { BeyondScope, Principal } from "../../shared/model/mod.ts";

export type SqlValue = string | number | bigint | Uint8Array | null;

export interface RecordedStatement {
  /** What it reads beyond its caller's rows, as the data layer declares it. */
  readonly beyondScope?: BeyondScope;
  readonly sql: string;
  readonly args: readonly SqlValue[];
  /** Counts the transactions of a request; null: outside of any. */
  readonly transaction: number | null;
  /** The database's answer; empty for a refused statement. */
  readonly rows: readonly (readonly SqlValue[])[];
  readonly changes: number;
}

/** Method of a job's run, whose path is its name: no route's. */
export const JOB_RUN = "RUN";

/** One request with everything that it made the database do, in order. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  /** Name of the caller's class. */
  readonly principal: string;
  /** In the organization that scopes the request. */
  readonly caller: Principal;
  readonly statements: readonly RecordedStatement[];
}
