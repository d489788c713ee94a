/** Parameters of a handler (contract 2.11, 4.4, definitions 5). */
import type { SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "hono";
import type { ProjectJobs } from "./job.ts";
import type { ProjectActions, ProjectServices, ProjectSignals, UnknownRow } from "./register.ts";
import { ActionContext, HandlerFiles, ScopedDatabase, UnsafeDatabase } from "./handler_context.ts";

export interface ScopeToken {
  readonly token: string;
  readonly tokenType: "Bearer";
  /** Seconds. */
  readonly expiresIn: number;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** By which it is taken back, where `auth.jwt.revocationCheck` is on. */
  readonly jti: string;
}

/** The file of a column, as a record holds it; its bytes stand in the store. */
export type { FileValue } from "../contract/files.ts";

/** Stamps of an action's writes, ready to be spread into `values` or `set`. */
export interface AuditFields {
  readonly modifiedAt: string;
  readonly modifiedBy: string | null;
}

export interface ActionParameters<Row = UnknownRow, Input = unknown, Refs = UnknownRow> {
  /** The project's tables behind the caller's firewall, in the action's transaction. */
  readonly db: ScopedDatabase;
  /** Stands there only where the action declares `unsafe`. */
  readonly unsafeDb: UnsafeDatabase;
  /** The caller. */
  readonly ctx: ActionContext;
  /** The record that `:id` names; of a standalone action nothing. */
  readonly record: Row;
  /** The input, as its schema gives it. */
  readonly input: Input;
  /** The records that the input names. */
  readonly refs: Refs;
  /** Services of `services/*.ts`, by file name. */
  readonly services: ProjectServices;
  /** `jobs.<name>.enqueue(input)`: queued if the action's transaction commits. */
  readonly jobs: ProjectJobs;
  /** Stands there only where a table has a file column. */
  readonly files: HandlerFiles;
  /** The request, as Hono has it. */
  readonly c: Context;
  /** Variables of the process; binds events and push messages to the transaction. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the action takes too long: what it writes then is not kept. */
  readonly signal: AbortSignal;
  /** Stamps of a write, ready to be spread into `set`. */
  readonly auditFields: AuditFields;
  /** The record, for a `where` of its own. */
  readonly whereRecord: (table: SQLiteTable) => SQL;
  /** The record as long as it is in the state in which the action found it. A move left alone is made by the service. */
  readonly whereTransition: (table: SQLiteTable) => SQL;
  /** `invalidate.<binding>.<variant>(payload)`: a signal after commit. */
  readonly invalidate: ProjectSignals;
  /**
   * A bearer token without a session, which acts as `SCOPED` in this organization alone. `expiresIn`: seconds, at most a day;
   * else `auth.jwt.expiresIn`.
   */
  readonly mintScopeToken: (
    scope: string,
    options?: { readonly expiresIn?: number },
  ) => Promise<ScopeToken>;
}

/** Passes for every type: where a handler's file does not say whose handler it is, nothing can. */
// deno-lint-ignore no-explicit-any
type Unchecked = any;

type ExecuteOf<Definition> = Definition extends { readonly execute?: infer Execute }
  ? NonNullable<Execute>
  : ActionExecutor;

/**
 * A handler in a file of its own: `export const execute: ActionExecutor<"jobs.close"> = async ({ … }) => { … }`, with the action's
 * key or with the types of its record, input and refs.
 */
export type ActionExecutor<
  Of extends keyof ProjectActions | object = Readonly<Record<string, Unchecked>>,
  Input = Unchecked,
  Refs = Unchecked,
> = Of extends keyof ProjectActions ? ExecuteOf<ProjectActions[Of]>
  : (parameters: ActionParameters<Of, Input, Refs>) => unknown;
