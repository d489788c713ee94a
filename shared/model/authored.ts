/**
 * The author's code outside of features: which file makes what (definitions 6). Modules are paths in the project; the code
 * itself meets the runtime in `surface/authored_code.ts`.
 */

import type { AuthHookName } from "./auth_hooks.ts";

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
}

/** The files that this code begins in; `verifiers` are those of delegated principals. */
export function authoredModules(
  { services, providers, webhookHandlers, middlewares, authHooks, realtime }: AuthoredModel,
  verifiers: readonly string[],
): readonly string[] {
  return [
    ...new Set([
      ...[...services, ...providers, ...webhookHandlers].map(({ module }) => module),
      ...middlewares,
      ...verifiers,
      ...(authHooks ? [authHooks.module] : []),
      ...(realtime === null ? [] : [realtime]),
    ]),
  ].sort();
}
