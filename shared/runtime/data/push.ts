/** Push subscriptions as rows: their owners, and which of them are kept (contract 8, definitions 7). */
import { columnNamed } from "../../surface/mod.ts";
import { PUSH_SUBSCRIPTIONS_KEPT, PUSH_URGENCIES, type PushUrgency } from "../../contract/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { outboxOf, PUSH_SUBSCRIPTIONS } from "../../model/mod.ts";
import type { ProjectModel, TableModel } from "../../model/mod.ts";
import type { PushTarget, Reader, SqlValue, Transaction } from "../ports.ts";
import { insertRows } from "./outbox_rows.ts";
import { fragment, jsonList } from "./sql.ts";

/** SQL names, which depend on the project's naming convention. */
export interface SubscriptionNames {
  readonly table: string;
  readonly id: string;
  readonly owner: string;
  readonly createdAt: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Null: the project has no push subscriptions. */
export function subscriptionNames({ realtime, tables }: ProjectModel): SubscriptionNames | null {
  if (!realtime.push) return null;
  const table = tables.find(({ name }) => name === PUSH_SUBSCRIPTIONS);
  if (!table) throw new Error("The model has push messages and no table of subscriptions");
  return namesIn(table);
}

export function namesIn(table: TableModel): SubscriptionNames {
  const name = (column: string) => sqlIdentifier(columnNamed(column, table).sqlName);
  return {
    table: sqlIdentifier(table.sqlName),
    id: name(table.primaryKey),
    owner: name("ownerId"),
    createdAt: name("createdAt"),
    endpoint: name("endpoint"),
    p256dh: name("p256dh"),
    auth: name("auth"),
  };
}

/** Keeps the latest registration of an endpoint, and the newest ones of a user. */
export async function keepNewest(
  transaction: Transaction,
  { table, id, owner, endpoint, createdAt }: SubscriptionNames,
  registered: {
    readonly id: SqlValue;
    readonly ownerId: string;
    readonly endpoint: SqlValue;
  },
): Promise<void> {
  const { ownerId } = registered;
  await transaction.runAll([
    fragment(
      `DELETE FROM ${table} WHERE ${owner} = ? AND ${endpoint} = ? AND ${id} <> ?`,
      ownerId,
      registered.endpoint,
      registered.id,
    ),
    fragment(
      `DELETE FROM ${table} WHERE ${owner} = ? AND ${id} NOT IN (SELECT ${id} FROM ${table}
        WHERE ${owner} = ? ORDER BY ${createdAt} DESC, rowid DESC LIMIT ?)`,
      ownerId,
      ownerId,
      PUSH_SUBSCRIPTIONS_KEPT,
    ),
  ]);
}

/** Returns the ids of all subscriptions of these users, as text. */
export async function selectSubscriptionIds(
  reader: Reader,
  { table, id, owner }: SubscriptionNames,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await reader.run(fragment(
    `SELECT ${id} FROM ${table} WHERE ${owner} IN (SELECT value FROM json_each(?)) ORDER BY ${id}`,
    jsonList(userIds),
  ));
  return rows.map(([one]) => String(one));
}

/** Deletes a subscription that the push service does not know. */
export async function deleteSubscription(
  transaction: Transaction,
  { table, id }: SubscriptionNames,
  subscriptionId: string,
): Promise<void> {
  await transaction.run(
    fragment(`DELETE FROM ${table} WHERE CAST(${id} AS TEXT) = ?`, subscriptionId),
  );
}

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
export const MESSAGES = outboxOf("push_messages");

/**
 * Push messages as rows: the outbox that `sendPush` fills in the transaction of its cause, and a worker empties (definitions
 * 7).
 */
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

/**
 * Inserts messages. `directory` has the subscriptions if organizations have databases of their own; undefined: the transaction
 * has both.
 */
export async function selectMessage(
  reader: Reader,
  messageId: string,
  { names, directory }: {
    readonly names: SubscriptionNames;
    readonly directory: Reader | undefined;
  },
): Promise<WaitingMessage | null> {
  const { table, id, endpoint, p256dh, auth } = names;
  const keys = `target.${endpoint}, target.${p256dh}, target.${auth}`;
  const { rows: [row] } = await reader.run(fragment(
    `SELECT message.id, message.subscription_id, message.payload, message.ttl, message.urgency,
      message.topic, message.attempts, message.next_attempt_at, message.created_at, ${keys}
      FROM push_messages AS message
      LEFT JOIN ${table} AS target ON CAST(target.${id} AS TEXT) = message.subscription_id
      WHERE message.id = ?`,
    messageId,
  ));
  if (row === undefined) return null;
  const message = messageRow(row);
  if (directory === undefined) return { ...message, target: targetOf(row.slice(MESSAGE_CELLS)) };
  const { rows: [found = []] } = await directory.run(fragment(
    `SELECT ${keys} FROM ${table} AS target WHERE CAST(target.${id} AS TEXT) = ?`,
    message.subscriptionId,
  ));
  return { ...message, target: targetOf(found) };
}

const MESSAGE_CELLS = 9;

export async function deleteMessagesTo(
  transaction: Transaction,
  subscriptionId: string,
): Promise<void> {
  await transaction.run(
    fragment("DELETE FROM push_messages WHERE subscription_id = ?", subscriptionId),
  );
}

function messageRow(cells: readonly SqlValue[]): MessageRow {
  const [id, subscriptionId, payload, ttl, urgency, topic, attempts, nextAttemptAt, createdAt] =
    cells;
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
  };
}

function targetOf([endpoint, p256dh, auth]: readonly SqlValue[]): PushTarget | null {
  return typeof endpoint === "string"
    ? { endpoint, p256dh: String(p256dh), auth: String(auth) }
    : null;
}
