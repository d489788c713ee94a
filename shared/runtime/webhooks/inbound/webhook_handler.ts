/** Selects the project's handlers of a received event (contract 6.2). */
import type { WebhookHandlerCode } from "../../../surface/authored_code.ts";

/** Every handler of an event: those of its exact type first, then the wildcards, each in the order of registration. */
export function handlersFor(
  handlers: readonly WebhookHandlerCode[],
  { eventType, provider }: { readonly eventType: string; readonly provider: string },
): readonly WebhookHandlerCode[] {
  return [
    ...handlers.filter(({ on }) => on === eventType),
    ...handlers.filter(({ on }) => on === `${provider}:*`),
  ];
}
