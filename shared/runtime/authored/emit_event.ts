/** Emits an event: one pending delivery per subscribed endpoint, in the transaction of its cause (contract 6.1). */
import { z } from "zod";
import { DELIVERY_BODY_MAX_BYTES, EVENT_NAME } from "../../contract/mod.ts";
import type { ProjectModel } from "../../model/mod.ts";
import { isMember } from "../data/organization_rows.ts";
import { insertDeliveries, type NewDelivery } from "../data/webhooks/deliveries.ts";
import { selectListeners } from "../data/webhooks/endpoints.ts";
import type { Clock, Logger, Randomness, Reader, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { payloadText } from "./payload_text.ts";

export interface WebhookEvent {
  readonly type: string;
  /** Any JSON value. Undefined counts as null. */
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
 * Emits an event and returns the number of endpoints. An event with both scopes reaches the endpoints of either. One without a
 * scope reaches nobody and is logged. Throws for a type that no pattern can name, and for a body that is too large.
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
  const scopes = [
    ...(event.organizationId ? [{ kind: "organization", id: event.organizationId } as const] : []),
    ...(event.userId ? [{ kind: "user", id: event.userId } as const] : []),
  ];
  if (scopes.length === 0) {
    const message = "A webhook event without a scope reaches nobody";
    ports.logger.log({ level: "warn", message, fields: { type: event.type } });
    return 0;
  }
  // A pattern is an exact name, a prefix (`a.*`, which excludes `a`), or `*` (contract 6.1.4).
  const listeners = (await selectListeners(transaction, scopes))
    .filter(({ events }) =>
      events.some((pattern) =>
        pattern === "*" || pattern === event.type ||
        (pattern.endsWith(".*") && event.type.startsWith(pattern.slice(0, -1)))
      )
    );
  const deliveries = listeners.map(({ id }) =>
    newDelivery({ endpointId: id, eventType: event.type, payload }, ports)
  );
  await insertDeliveries(transaction, deliveries);
  return deliveries.length;
}

/** Makes a delivery. Its id is the `webhook-id` of every attempt. */
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

/** Scopes, beside the caller's own, whose endpoints a call may reach. */
export interface EmissionScope {
  readonly organizationId: string | null;
  readonly userId: string | null;
  /** True for code that belongs to no tenant: an action across tenants, or code without a caller. */
  readonly reachesAll: boolean;
}

export interface EmissionMeans {
  readonly project: ProjectModel;
  readonly ports: EmissionPorts;
  /** Database with the accounts. Absent: the transaction has them. */
  readonly directory?: Reader | undefined;
}

export interface EmissionPlace {
  readonly scope: EmissionScope;
  readonly means: EmissionMeans;
}

const id = z.string().min(1).nullish();
const event = z.object({
  type: z.string(),
  payload: z.unknown(),
  organizationId: id,
  userId: id,
});

/**
 * Emits an event given to `emitWebhookEvent` in a transaction, to scopes that the call may reach (contract 6.1, 4.4 rule 3).
 * Refuses with `FIREWALL_ORG_ISOLATION` and `FIREWALL_USER_ISOLATION`.
 */
export async function emitWithin(
  transaction: Transaction,
  given: unknown,
  { scope, means: { project, ports, directory } }: EmissionPlace,
): Promise<void> {
  const { data } = event.safeParse(given);
  if (!data) {
    throw new TypeError(
      "emitWebhookEvent takes a type, a payload and { organizationId?, userId? }",
    );
  }
  const { type, payload, organizationId = null, userId = null } = data;
  if (!project.webhooks.outbound) {
    const message = "A webhook event reaches nobody: webhooks.outbound is off";
    return ports.logger.log({ level: "warn", message, fields: { type } });
  }
  const asked = { type, payload, organizationId, userId };
  await requireReach(directory ?? transaction, asked, scope);
  await emitEvent(transaction, asked, ports);
}

/** Refuses scopes other than the caller's organization and its members, or the caller without an organization. */
async function requireReach(
  reader: Reader,
  { organizationId, userId }: WebhookEvent,
  scope: EmissionScope,
): Promise<void> {
  if (scope.reachesAll) return;
  if (organizationId && organizationId !== scope.organizationId) refuse("FIREWALL_ORG_ISOLATION");
  if (!userId || userId === scope.userId) return;
  const isKnown = scope.organizationId !== null &&
    await isMember(reader, { userId, organizationId: scope.organizationId });
  if (!isKnown) refuse("FIREWALL_USER_ISOLATION");
}
