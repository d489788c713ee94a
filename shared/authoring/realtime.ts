/** `defineRealtime`: the signals that actions may send after their commit (contract 6.3, definitions 6). */
import type { signal } from "../definition_language/services.ts";
import type { Written } from "../definition_language/shape.ts";
import type { ActionContext } from "./handler_context.ts";

/** Payload of a signal. */
export type SignalPayload = Readonly<Record<string, unknown>>;

type Recipients = (
  ctx: ActionContext,
  payload: SignalPayload,
) => readonly string[] | Promise<readonly string[]>;

export interface SignalDefinition extends Written<typeof signal<Recipients>> {}

export interface RealtimeDefinition {
  readonly [binding: string]: { readonly [variant: string]: SignalDefinition };
}

/** Defines the project's single registry, in a file of `services/`. */
export function defineRealtime<const Registry extends RealtimeDefinition>(
  registry: Registry,
): Registry {
  return registry;
}
