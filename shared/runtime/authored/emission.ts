/**
 * `emitWebhookEvent` of one call: in its transaction, to scopes that the call may reach (contract 6.1, 4.4 rule 3). Refuses
 * with `FIREWALL_ORG_ISOLATION` and `FIREWALL_USER_ISOLATION`.
 */
import { z } from "zod";
import type { ProjectModel } from "../../model/project.ts";
import { isMember } from "../data/memberships.ts";
import type { Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { type EmissionPorts, emitEvent, type WebhookEvent } from "./emit_event.ts";

/** Scopes besides the caller's own whose endpoints a call may reach. */
export interface EmissionScope {
  readonly organizationId: string | null;
  readonly userId: string | null;
  /** Nobody's rows in particular: an action across tenants, and code that no caller started. */
  readonly reachesAll: boolean;
}

export interface EmissionMeans {
  readonly project: ProjectModel;
  readonly ports: EmissionPorts;
}

const id = z.string().min(1).nullish();
const event = z.object({
  type: z.string(),
  payload: z.unknown(),
  organizationId: id,
  userId: id,
});

/** Emits an event given to `emitWebhookEvent`, in a transaction. */
export async function emitWithin(
  transaction: Transaction,
  given: unknown,
  { scope, means: { project, ports } }: {
    readonly scope: EmissionScope;
    readonly means: EmissionMeans;
  },
): Promise<void> {
  const asked = requireEvent(given);
  if (!project.webhooks.outbound) {
    const message = "A webhook event reaches nobody: webhooks.outbound is off";
    return ports.logger.log({ level: "warn", message, fields: { type: asked.type } });
  }
  await requireReach(transaction, asked, scope);
  await emitEvent(transaction, asked, ports);
}

function requireEvent(given: unknown): WebhookEvent {
  const { data } = event.safeParse(given);
  if (!data) {
    throw new TypeError(
      "emitWebhookEvent takes a type, a payload and { organizationId?, userId? }",
    );
  }
  const { type, payload, organizationId = null, userId = null } = data;
  return { type, payload, organizationId, userId };
}

/** The caller's organization, and its members; without one the caller alone. */
async function requireReach(
  transaction: Transaction,
  { organizationId, userId }: WebhookEvent,
  scope: EmissionScope,
): Promise<void> {
  if (scope.reachesAll) return;
  if (organizationId && organizationId !== scope.organizationId) refuse("FIREWALL_ORG_ISOLATION");
  if (!userId || userId === scope.userId) return;
  const isKnown = scope.organizationId !== null &&
    await isMember(transaction, { userId, organizationId: scope.organizationId });
  if (!isKnown) refuse("FIREWALL_USER_ISOLATION");
}
