/** Push messages as rows: the outbox that `sendPush` fills and a worker empties (definitions 7). */
import { PUSH_URGENCIES, type PushUrgency } from "../../../contract/push.ts";
import { PUSH_MESSAGES } from "../../../model/push.ts";
import type { PushTarget, Reader, SqlValue, Transaction } from "../../ports.ts";
import { insertRows, type OutboxTable } from "../outbox_rows.ts";
import { fragment } from "../sql.ts";
import type { SubscriptionNames } from "./subscriptions.ts";

interface MessageRow {
  readonly id: string;
  readonly subscriptionId: string;
  readonly payload: string;
  /** Seconds. */
  readonly ttl: number;
  readonly urgency: PushUrgency;
  readonly topic: string | null;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
}

type NewMessage = Omit<MessageRow, "attempts" | "nextAttemptAt">;

export interface WaitingMessage extends MessageRow {
  /** Null: the subscription is gone. */
  readonly target: PushTarget | null;
}

/** One row per message and subscription. */
export const MESSAGES: OutboxTable = {
  name: PUSH_MESSAGES.name,
  receiver: "subscription_id",
  nextAttempt: "next_attempt_at",
};

/** Part of the transaction of what caused the message. */
export async function insertMessages(
  transaction: Transaction,
  messages: readonly NewMessage[],
): Promise<void> {
  const rows = messages.map(({ subscriptionId, createdAt, ...same }) => ({
    ...same,
    subscription_id: subscriptionId,
    created_at: createdAt,
  }));
  await insertRows(transaction, MESSAGES, rows);
}

export async function selectMessage(
  reader: Reader,
  { table, id, endpoint, p256dh, auth }: SubscriptionNames,
  messageId: string,
): Promise<WaitingMessage | null> {
  const { rows } = await reader.run(fragment(
    `SELECT message.id, message.subscription_id, message.payload, message.ttl, message.urgency,
      message.topic, message.attempts, message.next_attempt_at, message.created_at,
      target.${endpoint}, target.${p256dh}, target.${auth}
      FROM push_messages AS message
      LEFT JOIN ${table} AS target ON CAST(target.${id} AS TEXT) = message.subscription_id
      WHERE message.id = ?`,
    messageId,
  ));
  return rows[0] ? waitingMessage(rows[0]) : null;
}

export async function deleteMessagesTo(
  transaction: Transaction,
  subscriptionId: string,
): Promise<void> {
  await transaction.run(
    fragment("DELETE FROM push_messages WHERE subscription_id = ?", subscriptionId),
  );
}

function waitingMessage(cells: readonly SqlValue[]): WaitingMessage {
  const [id, subscriptionId, payload, ttl, urgency, topic, attempts, ...rest] = cells;
  const [nextAttemptAt, createdAt, endpoint, p256dh, auth] = rest;
  const isThere = typeof endpoint === "string";
  return {
    id: String(id),
    subscriptionId: String(subscriptionId),
    payload: String(payload),
    ttl: Number(ttl),
    urgency: PUSH_URGENCIES.find((known) => known === urgency) ?? "normal",
    topic: typeof topic === "string" ? topic : null,
    attempts: Number(attempts),
    nextAttemptAt: typeof nextAttemptAt === "string" ? nextAttemptAt : null,
    createdAt: String(createdAt),
    target: isThere ? { endpoint, p256dh: String(p256dh), auth: String(auth) } : null,
  };
}
