/** Parameters of a handler (contract 2.11, 4.4, definitions 5). */
import type { SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "hono";
import type { ProjectJobs } from "./job.ts";
import type { ProjectActions, ProjectServices, ProjectSignals, UnknownRow } from "./register.ts";
import { ActionContext, HandlerDatabase, HandlerFiles, UnsafeDatabase } from "./handler_context.ts";

export interface ScopeToken {
  readonly token: string;
  readonly tokenType: "Bearer";
  /** Lifetime in seconds. */
  readonly expiresIn: number;
  /** Time as ISO 8601. */
  readonly expiresAt: string;
  /** Id for revoking the token, if `auth.jwt.revocationCheck` is on. */
  readonly jti: string;
}

/** A file as a record contains it. Its bytes are in the file store. */
export type { FileValue } from "../contract/files.ts";

/** Stamps of an action's writes, to be spread into `values` or `set`. */
export interface AuditFields {
  readonly modifiedAt: string;
  readonly modifiedBy: string | null;
}

export interface ActionParameters<Row = UnknownRow, Input = unknown, Refs = UnknownRow> {
  /** The project's tables behind the caller's firewall, in the action's transaction. */
  readonly db: HandlerDatabase;
  /** Exists only if the action declares `unsafe`. */
  readonly unsafeDb: UnsafeDatabase;
  /** The caller. */
  readonly ctx: ActionContext;
  /** The record that `:id` names. A standalone action has none. */
  readonly record: Row;
  /** The parsed input. */
  readonly input: Input;
  /** The records that the input names in `refs`. */
  readonly refs: Refs;
  /** Services of `services/*.ts`, by file name. */
  readonly services: ProjectServices;
  /** `jobs.<name>.enqueue(input)`. The job is queued if the action's transaction commits. */
  readonly jobs: ProjectJobs;
  /** Exists only if a table has a file column. */
  readonly files: HandlerFiles;
  /** Hono's context of the request. */
  readonly c: Context;
  /** Variables of the process. It also binds events and push messages to the transaction. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Is aborted when the action exceeds its time. Later writes are not kept. */
  readonly signal: AbortSignal;
  /** Stamps of a write, to be spread into `set`. */
  readonly auditFields: AuditFields;
  /** Condition that selects the record, for a `where` of your own. */
  readonly whereRecord: (table: SQLiteTable) => SQL;
  /**
   * Condition that selects the record while it is in the state in which the action found it. The service itself makes a move
   * that the handler leaves alone.
   */
  readonly whereTransition: (table: SQLiteTable) => SQL;
  /** `invalidate.<binding>.<variant>(payload)` sends a signal after the commit. */
  readonly invalidate: ProjectSignals;
  /**
   * Makes a bearer token without a session, which acts as `SCOPED` in this organization only. `expiresIn` is in seconds, at
   * most a day. Default: `auth.jwt.expiresIn`.
   */
  readonly mintScopeToken: (
    scope: string,
    options?: { readonly expiresIn?: number },
  ) => Promise<ScopeToken>;
}

/** Matches every type, for a handler whose file does not name its action. */
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
