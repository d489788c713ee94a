/**
 * The author's code outside of features: which file makes what (definitions 6). Modules are paths in the project; the code
 * itself meets the runtime in `surface/authored_code.ts`.
 */

import type { JobModel, ScheduleModel } from "./jobs.ts";

interface ServiceModel {
  /** `services.<name>` of handlers. */
  readonly name: string;
  readonly module: string;
}

interface ProviderModel {
  readonly name: string;
  readonly module: string;
}

/** One `onWebhookEvent(…)`. */
export interface WebhookHandlerModel {
  /** `<provider>:<type>` or `<provider>:*`. */
  readonly on: string;
  readonly module: string;
  /** Its place among those of its file. */
  readonly index: number;
}

export interface AuthHooksModel {
  readonly module: string;
  /** Sorted by name; `isNamed` ones are exports of their own, the others stand in the default export. */
  readonly hooks: readonly { readonly name: AuthHookName; readonly isNamed: boolean }[];
}

export interface AuthoredModel {
  /** Sorted by name. */
  readonly services: readonly ServiceModel[];
  /** Sorted by name. */
  readonly providers: readonly ProviderModel[];
  /** In the order of their files' paths, and within a file as they stand there. */
  readonly webhookHandlers: readonly WebhookHandlerModel[];
  /** In the order in which requests pass them. */
  readonly middlewares: readonly string[];
  readonly authHooks: AuthHooksModel | null;
  /** The file of `defineRealtime`. */
  readonly realtime: string | null;
  /** Sorted by name; absent: none. */
  readonly jobs?: readonly JobModel[];
  /** Sorted by name; absent: none. */
  readonly schedules?: readonly ScheduleModel[];
}

/** The files that this code begins in; `verifiers` are those of delegated principals. */
export function authoredModules(
  authored: AuthoredModel,
  verifiers: readonly string[],
): readonly string[] {
  const { services, providers, webhookHandlers, middlewares, authHooks, realtime } = authored;
  const { jobs = [], schedules = [] } = authored;
  return [
    ...new Set([
      ...[...services, ...providers, ...webhookHandlers].map(({ module }) => module),
      ...[...jobs, ...schedules].map(({ module }) => module),
      ...middlewares,
      ...verifiers,
      ...(authHooks ? [authHooks.module] : []),
      ...(realtime === null ? [] : [realtime]),
    ]),
  ].sort();
}

/** Hooks that `hooks/auth.ts` may define in the life of an account (definitions 6), before an event: an error that they throw refuses it. */
const BEFORE_AUTH_HOOKS = ["beforeSignUp", "beforeOrganizationCreated"] as const;

/** Hooks that run after an event: an error that they throw is logged. */
const AFTER_AUTH_HOOKS = [
  "onSignUp",
  "onSignIn",
  "onUserUpdated",
  "onUserDeleted",
  "onOrganizationCreated",
  "onOrganizationUpdated",
  "onOrganizationDeleted",
  "onMemberAdded",
  "onMemberRemoved",
] as const;

export const AUTH_HOOKS: readonly AuthHookName[] = [...BEFORE_AUTH_HOOKS, ...AFTER_AUTH_HOOKS];

export type BeforeAuthHook = typeof BEFORE_AUTH_HOOKS[number];
export type AfterAuthHook = typeof AFTER_AUTH_HOOKS[number];
type AuthHookName = BeforeAuthHook | AfterAuthHook;

/*
 * Hidden members of the `env` of authored code. Functions that authors import, such as `emitWebhookEvent`, find there which
 * transaction they belong to: nothing else could tell them. Symbols of the registry, so that two copies of this module
 * agree.
 */

/** Under it stands what `emitWebhookEvent` calls. */
export const EMIT_WEBHOOK_EVENT: unique symbol = Symbol.for("quickback.emitWebhookEvent");

/** Under it stands what `sendPush` calls. */
export const SEND_PUSH: unique symbol = Symbol.for("quickback.sendPush");

/** Variables of the process, and what is bound to the call. */
export type HandlerEnv = Readonly<Record<string, string | undefined>>;

/**
 * Marks that distinguish errors thrown by authors from all others (contract 3.2, 4.4 rule 6). Marks, not classes: an
 * author's file has its own copy of the library wherever it is bundled apart, and a minified one has lost its classes'
 * names.
 */
export const ACTION_ERROR: unique symbol = Symbol.for("quickback.ActionError");
export const TRANSITION_LOST: unique symbol = Symbol.for("quickback.TransitionLostError");
