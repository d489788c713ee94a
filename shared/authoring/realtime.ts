/** `defineRealtime`: the signals that actions may send after their commit (contract 6.3, definitions 6). */
import type { SignalScope } from "../model/realtime.ts";
import type { ActionContext } from "./handler.ts";

/** Payload of a signal. */
export type SignalPayload = Readonly<Record<string, unknown>>;

export interface SignalDefinition {
  /** Members of the payload that leave; all others are dropped. */
  readonly keys: readonly string[];
  /** Subscribers that are in the scope, hold one of the roles and are among the recipients. */
  readonly audience: {
    /** The organization, the team or the user of the action's caller; `all` only without organizations. */
    readonly scope: SignalScope;
    readonly roles?: readonly string[];
    /** User ids. One that throws or gives none reaches nobody. */
    readonly recipients?: (
      ctx: ActionContext,
      payload: SignalPayload,
    ) => readonly string[] | Promise<readonly string[]>;
  };
}

export interface RealtimeDefinition {
  readonly [binding: string]: { readonly [variant: string]: SignalDefinition };
}

/** The project's one registry, in a file of `services/`. */
export function defineRealtime<const Registry extends RealtimeDefinition>(
  registry: Registry,
): Registry {
  return registry;
}
