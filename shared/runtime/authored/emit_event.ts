/** Emits an event: one pending delivery per listening endpoint, in the transaction of what caused it (contract 6.1). */
import { DELIVERY_BODY_MAX_BYTES, EVENT_NAME } from "../../contract/webhooks.ts";
import { insertDeliveries, type NewDelivery } from "../data/webhooks/deliveries.ts";
import { selectListeners, type WebhookScope } from "../data/webhooks/endpoints.ts";
import type { Clock, Logger, Randomness, Transaction } from "../ports.ts";
import { payloadText } from "../worker/outbox.ts";

export interface WebhookEvent {
  readonly type: string;
  /** Anything that JSON can say; undefined is null. */
  readonly payload: unknown;
  readonly organizationId?: string | null;
  readonly userId?: string | null;
}

export interface EmissionPorts {
  readonly clock: Clock;
  readonly random: Randomness;
  readonly logger: Logger;
}

const TYPE = new RegExp(EVENT_NAME, "u");

/**
 * Tells how many endpoints the event goes to. An event that names both scopes reaches endpoints of either; one that names
 * none reaches nobody, and says so in the log. Throws for a type that no pattern could name and for a body that is too large.
 */
export async function emitEvent(
  transaction: Transaction,
  event: WebhookEvent,
  ports: EmissionPorts,
): Promise<number> {
  if (!TYPE.test(event.type)) {
    throw new TypeError("A webhook event needs a type such as 'user.created'");
  }
  const payload = payloadText(event.payload, "webhook event", DELIVERY_BODY_MAX_BYTES);
  const scopes = scopesOf(event);
  if (scopes.length === 0) {
    const fields = { type: event.type };
    ports.logger.log({
      level: "warn",
      message: "A webhook event without a scope reaches nobody",
      fields,
    });
    return 0;
  }
  const listeners = (await selectListeners(transaction, scopes))
    .filter(({ events }) => matchesEvent(events, event.type));
  const deliveries = listeners.map(({ id }) =>
    newDelivery({ endpointId: id, eventType: event.type, payload }, ports)
  );
  await insertDeliveries(transaction, deliveries);
  return deliveries.length;
}

/** A delivery under an id of its own, which is its `webhook-id` in every attempt. */
export function newDelivery(
  content: Omit<NewDelivery, "id" | "createdAt">,
  { clock, random }: Pick<EmissionPorts, "clock" | "random">,
): NewDelivery {
  return {
    ...content,
    id: `whd_${random.bytes(16).toHex()}`,
    createdAt: new Date(clock.now()).toISOString(),
  };
}

function scopesOf({ organizationId, userId }: WebhookEvent): readonly WebhookScope[] {
  return [
    ...(organizationId ? [{ kind: "organization", id: organizationId } as const] : []),
    ...(userId ? [{ kind: "user", id: userId } as const] : []),
  ];
}

/** True when one of the patterns names the event: exactly, by prefix (`a.*`, which is not `a` itself), or all (`*`) (contract 6.1.4). */
function matchesEvent(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) =>
    pattern === "*" || pattern === type ||
    (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)))
  );
}
