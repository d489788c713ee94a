/** Defines code around the writes of a table's records with `defineHooks` (definitions 6). */
import type { SystemField } from "../contract/mod.ts";
import type { HandlerEnv, RecordHookOperation } from "../model/mod.ts";
import type { ActionContext, HandlerDatabase, HandlerFiles } from "./handler_context.ts";
import type { ProjectJobs } from "./job.ts";
import type { ChangesOf, RecordOf } from "./records.ts";
import type { EventName, ProjectServices } from "./register.ts";
import type { WebhookScope } from "./webhook.ts";

/** Access of a hook: to the transaction of the write, on behalf of the caller of the request. */
export interface HookWork {
  /** Project's tables behind the caller's firewall, in the transaction of the write. */
  readonly db: HandlerDatabase;
  /** Caller of the request. */
  readonly ctx: ActionContext;
  /**
   * Emits a webhook event if the write commits: to the endpoints of the organization in which the caller acts, else of the
   * caller, or to the endpoints of the given scope.
   */
  readonly emit: (type: EventName, payload: unknown, scope?: WebhookScope) => Promise<void>;
  /** `jobs.<name>.enqueue(input)` queues a job if the write commits. Code that calls a network belongs in a job. */
  readonly jobs: ProjectJobs;
  /** Services of `services/*.ts`, by file name. */
  readonly services: ProjectServices;
  /** Environment variables of the process; binds events and push messages to the transaction. */
  readonly env: HandlerEnv;
  /** Exists only if a table has a file column. */
  readonly files: HandlerFiles;
}

/** Columns to set, or nothing. */
type Set<Of> =
  | Omit<ChangesOf<Of>, "id" | SystemField> & { readonly [Name in "id" | SystemField]?: never }
  | null
  | undefined
  | void;

type Gives<Value> = Value | Promise<Value>;

/** Record, unmasked. It cannot be changed. */
type Shown<Of> = Readonly<RecordOf<Of>>;

/** Values by column, including those that the hook has set before. They cannot be changed. */
type Asked<Of> = Readonly<Partial<RecordOf<Of>>>;

/** Hooks of one table. A hook before a write refuses it by throwing an `ActionError`; an error of any hook undoes the write. */
export interface RecordHooks<Of> {
  /** Runs before a create. Returns columns to set; guards do not apply to them. */
  readonly beforeCreate?: (
    given: HookWork & {
      readonly operation: "create";
      readonly changes: Asked<Of>;
      /** Record as it would be created; values that the service generates are null. */
      readonly next: Shown<Of>;
    },
  ) => Gives<Set<Of>>;
  /**
   * Runs before an update. Returns columns to set; guards do not apply to them. `record` is the current record, `next` the
   * changed one.
   */
  readonly beforeUpdate?: (
    given: HookWork & {
      readonly operation: RecordHookOperation;
      /** Record before the change. */
      readonly record: Shown<Of>;
      readonly changes: Asked<Of>;
      /** Record after the change. */
      readonly next: Shown<Of>;
    },
  ) => Gives<Set<Of>>;
  /** Runs before a deletion, which it may refuse. */
  readonly beforeDelete?: (
    given: HookWork & { readonly operation: "delete"; readonly record: Shown<Of> },
  ) => unknown;
  /** Runs after a record was created. */
  readonly afterCreate?: (
    given: HookWork & { readonly operation: "create"; readonly record: Shown<Of> },
  ) => unknown;
  /** Runs after a record was changed. */
  readonly afterUpdate?: (
    given: HookWork & {
      readonly operation: RecordHookOperation;
      readonly record: Shown<Of>;
      /** Record before the change. */
      readonly previous: Shown<Of>;
      readonly changes: Asked<Of>;
    },
  ) => unknown;
  /** Runs after a record was deleted, with the rows that were deleted along with it. */
  readonly afterDelete?: (
    given: HookWork & {
      readonly operation: "delete";
      /** Record before the deletion. */
      readonly record: Shown<Of>;
      /** Number of rows that were deleted along with the record, by table. */
      readonly cascaded: Readonly<Record<string, number>>;
    },
  ) => unknown;
}

/** Defines hooks. The call is the default export of `quickback/features/<feature>/hooks/<table>.ts`. */
export function defineHooks<Of extends object>(
  _table: Of,
  hooks: RecordHooks<Of>,
): RecordHooks<Of> {
  return hooks;
}
