/** Writes a message for each subscription of its recipients, in the transaction of what caused it (definitions 7). */
import { PUSH_PAYLOAD_MAX_BYTES, type PushUrgency } from "../../contract/push.ts";
import { insertMessages } from "../data/push/messages.ts";
import { selectSubscriptionIds, type SubscriptionNames } from "../data/push/subscriptions.ts";
import type { Clock, Randomness, Transaction } from "../ports.ts";

interface PushMessage {
  /** Anything that JSON can say; undefined is null. */
  readonly payload: unknown;
  readonly userIds: readonly string[];
  /** Seconds. */
  readonly ttl: number;
  readonly urgency: PushUrgency;
  readonly topic: string | null;
}

interface EnqueueOptions {
  readonly names: SubscriptionNames;
  readonly ports: { readonly clock: Clock; readonly random: Randomness };
}

/** Throws for a payload that no push service would take. */
export async function enqueuePush(
  transaction: Transaction,
  { payload, userIds, ttl, urgency, topic }: PushMessage,
  { names, ports: { clock, random } }: EnqueueOptions,
): Promise<void> {
  const text = payloadText(payload);
  const createdAt = new Date(clock.now()).toISOString();
  const ids = await selectSubscriptionIds(transaction, names, userIds);
  await insertMessages(
    transaction,
    ids.map((subscriptionId) => ({
      id: `psh_${random.bytes(16).toHex()}`,
      subscriptionId,
      payload: text,
      ttl,
      urgency,
      topic,
      createdAt,
    })),
  );
}

function payloadText(payload: unknown): string {
  const text = JSON.stringify(payload ?? null);
  if (text === undefined) throw new TypeError("The payload of a push message must be JSON");
  if (new TextEncoder().encode(text).byteLength > PUSH_PAYLOAD_MAX_BYTES) {
    throw new TypeError(`The payload of a push message exceeds ${PUSH_PAYLOAD_MAX_BYTES} bytes`);
  }
  return text;
}
