/** `defineHooks`: code around the writes of a table's records (definitions 6). */
import type { SystemField } from "../contract/mod.ts";
import type { HandlerEnv, RecordHookOperation } from "../model/mod.ts";
import type { ActionContext, HandlerDatabase, HandlerFiles } from "./handler_context.ts";
import type { ProjectJobs } from "./job.ts";
import type { ChangesOf, RecordOf } from "./records.ts";
import type { EventName, ProjectServices } from "./register.ts";
import type { WebhookScope } from "./webhook.ts";

/** The transaction of the write, for the caller of the request. */
export interface HookWork {
  /** The project's tables behind the caller's firewall, in the transaction of the write. */
  readonly db: HandlerDatabase;
  /** The caller. */
  readonly ctx: ActionContext;
  /**
   * Emits a webhook event if the write commits, to the endpoints of the organization that the caller acts in, or else of the
   * caller; or to those that the scope names.
   */
  readonly emit: (type: EventName, payload: unknown, scope?: WebhookScope) => Promise<void>;
  /** `jobs.<name>.enqueue(input)`: queued if the write commits. What asks a network belongs into one. */
  readonly jobs: ProjectJobs;
  /** Services of `services/*.ts`, by file name. */
  readonly services: ProjectServices;
  /** Variables of the process; binds events and push messages to the transaction. */
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

/** A record, unmasked. It cannot be changed. */
type Shown<Of> = Readonly<RecordOf<Of>>;

/** Values by column, those of the hook among them once it has run. They cannot be changed. */
type Asked<Of> = Readonly<Partial<RecordOf<Of>>>;

/** The hooks of one table. What comes before a write refuses it by an `ActionError`; what any of them throws undoes it. */
export interface RecordHooks<Of> {
  /** Returns columns to set, also such as guards keep from callers. */
  readonly beforeCreate?: (
    given: HookWork & {
      readonly operation: "create";
      readonly changes: Asked<Of>;
      /** The record as it would be; what the service draws for it is null. */
      readonly next: Shown<Of>;
    },
  ) => Gives<Set<Of>>;
  /** Returns columns to set, also such as guards keep from callers. Sees `record` as it is and `next` as it would be. */
  readonly beforeUpdate?: (
    given: HookWork & {
      readonly operation: RecordHookOperation;
      /** The record as it is. */
      readonly record: Shown<Of>;
      readonly changes: Asked<Of>;
      /** The record as it would be. */
      readonly next: Shown<Of>;
    },
  ) => Gives<Set<Of>>;
  /** Runs before a deletion, which it may refuse. */
  readonly beforeDelete?: (
    given: HookWork & { readonly operation: "delete"; readonly record: Shown<Of> },
  ) => unknown;
  /** Runs once the record stands. */
  readonly afterCreate?: (
    given: HookWork & { readonly operation: "create"; readonly record: Shown<Of> },
  ) => unknown;
  /** Runs once the record is changed. */
  readonly afterUpdate?: (
    given: HookWork & {
      readonly operation: RecordHookOperation;
      readonly record: Shown<Of>;
      /** The record as it was. */
      readonly previous: Shown<Of>;
      readonly changes: Asked<Of>;
    },
  ) => unknown;
  /** Runs once the record is gone, and what went along with it. */
  readonly afterDelete?: (
    given: HookWork & {
      readonly operation: "delete";
      /** The record as it was. */
      readonly record: Shown<Of>;
      /** Numbers of the rows that went along, by table. */
      readonly cascaded: Readonly<Record<string, number>>;
    },
  ) => unknown;
}

/** The default export of `quickback/features/<feature>/hooks/<table>.ts`. */
export function defineHooks<Of extends object>(
  _table: Of,
  hooks: RecordHooks<Of>,
): RecordHooks<Of> {
  return hooks;
}
