/**
 * The author's code outside of features: which file defines what (definitions 6). Modules are project paths.
 * `surface/authored_code.ts` describes the code as the runtime calls it.
 */

import type { JobModel, ScheduleModel } from "./jobs.ts";
import type { RecordHooksModel } from "./record_hooks.ts";

interface ServiceModel {
  /** Name under which handlers find it: `services.<name>`. */
  readonly name: string;
  readonly module: string;
}

interface ProviderModel {
  readonly name: string;
  readonly module: string;
}

/** One `onWebhookEvent(…)`. */
export interface WebhookHandlerModel {
  /** The events that it handles: `<provider>:<type>` or `<provider>:*`. */
  readonly on: string;
  readonly module: string;
  /** Position among the handlers of its file. */
  readonly index: number;
}

export interface AuthHooksModel {
  readonly module: string;
  /** Sorted by name. One with `isNamed` is an export of its own, the others are members of the default export. */
  readonly hooks: readonly { readonly name: AuthHookName; readonly isNamed: boolean }[];
}

export interface AuthoredModel {
  /** Sorted by name. */
  readonly services: readonly ServiceModel[];
  /** Sorted by name. */
  readonly providers: readonly ProviderModel[];
  /** In the order of their files' paths, and within a file in the order of declaration. */
  readonly webhookHandlers: readonly WebhookHandlerModel[];
  /** In the order in which a request passes them. */
  readonly middlewares: readonly string[];
  readonly authHooks: AuthHooksModel | null;
  /** Path of the file that calls `defineRealtime`; null: there is none. */
  readonly realtime: string | null;
  /** Sorted by name; absent: none. */
  readonly jobs?: readonly JobModel[];
  /** Sorted by name; absent: none. */
  readonly schedules?: readonly ScheduleModel[];
  /** Sorted by table; absent: none. */
  readonly recordHooks?: readonly RecordHooksModel[];
}

/** Returns the entry files of this code. `verifiers` are those of delegated principals. */
export function authoredModules(
  authored: AuthoredModel,
  verifiers: readonly string[],
): readonly string[] {
  const { services, providers, webhookHandlers, middlewares, authHooks, realtime } = authored;
  const { jobs = [], schedules = [], recordHooks = [] } = authored;
  return [
    ...new Set([
      ...[...services, ...providers, ...webhookHandlers].map(({ module }) => module),
      ...[...jobs, ...schedules, ...recordHooks].map(({ module }) => module),
      ...middlewares,
      ...verifiers,
      ...(authHooks ? [authHooks.module] : []),
      ...(realtime === null ? [] : [realtime]),
    ]),
  ].sort();
}

/**
 * Hooks of `hooks/auth.ts` that run before an event of an account (definitions 6). An error that one throws refuses the event.
 */
const BEFORE_AUTH_HOOKS = ["beforeSignUp", "beforeOrganizationCreated"] as const;

/** Hooks that run after an event. An error that one throws is logged. */
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

/** Global symbol under which the runtime registers the function behind `emitWebhookEvent`. */
export const EMIT_WEBHOOK_EVENT: unique symbol = Symbol.for("quickback.emitWebhookEvent");

/** Global symbol under which the runtime registers the function behind `sendPush`. */
export const SEND_PUSH: unique symbol = Symbol.for("quickback.sendPush");

/** Variables of the process, and the bindings of the call. */
export type HandlerEnv = Readonly<Record<string, string | undefined>>;

/**
 * Global symbols that mark errors thrown by authors (contract 3.2, 4.4 rule 6). They are not classes, because an author's
 * bundle may hold its own copy of the library, and minified classes lose their names.
 */
export const ACTION_ERROR: unique symbol = Symbol.for("quickback.ActionError");
export const TRANSITION_LOST: unique symbol = Symbol.for("quickback.TransitionLostError");
