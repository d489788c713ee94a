/** Push subscriptions and the messages that wait for them (definitions 7, "push subscriptions"). */
import { type SqlTable, textColumn as text } from "./sql_table.ts";

/** Name of the table and its resource. */
export const PUSH_SUBSCRIPTIONS = "pushSubscriptions";

/** One row per message and subscription, written with what caused the message, gone when it is settled: the outbox of the queue. */
export const PUSH_MESSAGES: SqlTable = {
  name: "push_messages",
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("subscription_id"), notNull: true },
    /** Plain text for the subscriber's device, before it is encrypted. */
    { ...text("payload"), notNull: true },
    /** Seconds for which a push service keeps it. */
    { ...text("ttl"), type: "integer", notNull: true },
    { ...text("urgency"), notNull: true },
    text("topic"),
    { ...text("attempts"), type: "integer", notNull: true },
    text("next_attempt_at"),
    { ...text("created_at"), notNull: true },
    /** Null: not yet handed to the queue. */
    text("queued_at"),
  ],
  indexes: [
    {
      name: "push_messages_outbox_idx",
      columns: ["created_at"],
      unique: false,
      where: '"queued_at" IS NULL',
    },
    {
      name: "push_messages_subscription_id_idx",
      columns: ["subscription_id"],
      unique: false,
      where: null,
    },
  ],
};
