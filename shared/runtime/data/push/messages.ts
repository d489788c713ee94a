/** Push messages as rows: the outbox that `sendPush` fills and a worker empties (definitions 7). */
import { PUSH_URGENCIES, type PushUrgency } from "../../../contract/push.ts";
import type { PushTarget, Reader, SqlValue, Transaction } from "../../ports.ts";
import { fragment, jsonList } from "../sql.ts";
import type { QueuedRange } from "../webhooks/deliveries.ts";
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

/** Part of the transaction of what caused the message. */
export async function insertMessages(
  transaction: Transaction,
  messages: readonly NewMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await transaction.runAll(messages.map((message) =>
    fragment(
      `INSERT INTO push_messages
        (id, subscription_id, payload, ttl, urgency, topic, attempts, created_at)
        VALUES (?, ?, ?, ?, ?, ?, 0, ?)`,
      message.id,
      message.subscriptionId,
      message.payload,
      message.ttl,
      message.urgency,
      message.topic,
      message.createdAt,
    )
  ));
}

/** The oldest messages that no queue knows yet. */
export async function selectUnqueuedMessages(
  reader: Reader,
  limit: number,
): Promise<readonly Pick<MessageRow, "id" | "subscriptionId">[]> {
  const { rows } = await reader.run(fragment(
    `SELECT id, subscription_id FROM push_messages WHERE queued_at IS NULL
      ORDER BY created_at LIMIT ?`,
    limit,
  ));
  return rows.map(([id, subscriptionId]) => ({
    id: String(id),
    subscriptionId: String(subscriptionId),
  }));
}

export async function markMessagesQueued(
  transaction: Transaction,
  ids: readonly string[],
  now: string,
): Promise<void> {
  await transaction.run(fragment(
    "UPDATE push_messages SET queued_at = ? WHERE id IN (SELECT value FROM json_each(?))",
    now,
    jsonList(ids),
  ));
}

/** Has messages queued anew that should have been tried before a time: a queue that lost them gets them back. */
export async function requeueOverdueMessages(
  transaction: Transaction,
  { before, after }: QueuedRange,
  limit: number,
): Promise<void> {
  await transaction.run(fragment(
    `UPDATE push_messages SET queued_at = NULL WHERE id IN (
      SELECT id FROM push_messages
        WHERE queued_at > ? OR queued_at < ? AND coalesce(next_attempt_at, '') < ?
        ORDER BY created_at LIMIT ?)`,
    after,
    before,
    before,
    limit,
  ));
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

export async function postponeMessage(
  transaction: Transaction,
  id: string,
  { attempts, nextAttemptAt }: Pick<MessageRow, "attempts" | "nextAttemptAt">,
): Promise<void> {
  await transaction.run(fragment(
    "UPDATE push_messages SET attempts = ?, next_attempt_at = ? WHERE id = ?",
    attempts,
    nextAttemptAt,
    id,
  ));
}

export async function deleteMessage(transaction: Transaction, id: string): Promise<void> {
  await transaction.run(fragment("DELETE FROM push_messages WHERE id = ?", id));
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
