/**
 * `sendPush` of one call: in its transaction, to users whom the call may reach (definitions 7, contract 4.4 rule 3). Refuses
 * with `FIREWALL_USER_ISOLATION`.
 */
import { z } from "zod";
import * as limits from "../../contract/webhooks.ts";
import { membersAmong } from "../data/organization_rows.ts";
import { insertMessages, selectSubscriptionIds, subscriptionNames } from "../data/push.ts";
import type { Reader, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { payloadText } from "./payload_text.ts";
import type { EmissionPlace, EmissionScope } from "./emit_event.ts";

const id = z.string().min(1);
const message = z.strictObject({
  payload: z.unknown(),
  userId: id.nullish(),
  userIds: z.array(id).max(limits.PUSH_RECIPIENTS_MAX).default([]),
  ttl: z.int().min(0).max(limits.PUSH_TTL_MAX_SECONDS).default(limits.PUSH_TTL_MAX_SECONDS),
  urgency: z.enum(limits.PUSH_URGENCIES).default("normal"),
  topic: z.string().regex(new RegExp(limits.PUSH_TOPIC)).nullable().default(null),
});

/** Queues a message given to `sendPush` in a transaction. */
export async function pushWithin(
  transaction: Transaction,
  given: unknown,
  { scope, means: { project, ports, directory } }: EmissionPlace,
): Promise<void> {
  const { userId, userIds: others, ...asked } = requireMessage(given);
  const names = subscriptionNames(project);
  if (names === null) {
    const text = "A push message reaches nobody: realtime.push is off";
    return ports.logger.log({ level: "warn", message: text });
  }
  const userIds = [...new Set(userId ? [userId, ...others] : others)];
  if (userIds.length === 0) {
    return ports.logger.log({
      level: "warn",
      message: "A push message without users reaches nobody",
    });
  }
  // Organizations' databases contain no users and no subscriptions.
  const accounts = directory ?? transaction;
  if (project.multiTenant) await requireReach(accounts, userIds, scope);
  const { payload, ttl, urgency, topic } = asked;
  const text = payloadText(payload, "push message", limits.PUSH_PAYLOAD_MAX_BYTES);
  const createdAt = new Date(ports.clock.now()).toISOString();
  const ids = await selectSubscriptionIds(accounts, names, userIds);
  await insertMessages(
    transaction,
    ids.map((subscriptionId) => {
      const id = `psh_${ports.random.bytes(16).toHex()}`;
      return { id, subscriptionId, payload: text, ttl, urgency, topic, createdAt };
    }),
  );
}

function requireMessage(given: unknown): z.infer<typeof message> {
  const { data } = message.safeParse(given);
  if (data) return data;
  throw new TypeError(
    "sendPush takes a payload and { userId?, userIds?, ttl?, urgency?, topic? }",
  );
}

/** Refuses users other than the caller and the members of the caller's organization. */
async function requireReach(
  reader: Reader,
  userIds: readonly string[],
  scope: EmissionScope,
): Promise<void> {
  const others = userIds.filter((one) => one !== scope.userId);
  if (scope.reachesAll || others.length === 0) return;
  const { organizationId } = scope;
  const members = organizationId === null
    ? new Set<string>()
    : await membersAmong(reader, { organizationId, userIds: others });
  if (!others.every((one) => members.has(one))) refuse("FIREWALL_USER_ISOLATION");
}
