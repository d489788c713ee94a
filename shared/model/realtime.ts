/** Messages that an API sends unasked: frames about changed records, and signals of actions (contract 6.3, definitions 6). */
import { type SqlTable, textColumn as text } from "./sql_table.ts";

/** Largest audiences of a signal, relative to the caller of the action that sends it. */
export const SIGNAL_SCOPES = ["organization", "team", "user", "all"] as const;
type SignalScope = typeof SIGNAL_SCOPES[number];

/** One `<binding>.<variant>` of the realtime registry. */
export interface SignalModel {
  /** `<binding>.<variant>`. */
  readonly name: string;
  /** Members of the payload that are sent. All others are dropped. */
  readonly keys: readonly string[];
  readonly scope: SignalScope;
  /** Roles that receive the signal; null: any. */
  readonly roles: readonly string[] | null;
  /** True when the registry's code names the receiving users (`surface/authored_code.ts`). */
  readonly hasRecipients: boolean;
}

export interface RealtimeModel {
  readonly enabled: boolean;
  /** True when writes of handlers make frames too (contract 6.3). */
  readonly emitFromActions: boolean;
  /** True when push subscriptions exist, and messages to them (`PUSH_MESSAGES`). Push does not require streams. */
  readonly push: boolean;
  /** Sorted by name. */
  readonly signals: readonly SignalModel[];
}

/** `realtime` of a resource (definitions 4): which changes make frames, for whom, with which columns. */
export interface ResourceRealtime {
  readonly onInsert: boolean;
  readonly onUpdate: boolean;
  readonly onDelete: boolean;
  /** Roles that receive frames, beside the rule for reading; null: no further rule. */
  readonly roles: readonly string[] | null;
  /** Columns of `data`, in table order. */
  readonly fields: readonly string[];
}

/** Name of the table, and of the resource, of push subscriptions (definitions 7, "push subscriptions"). */
export const PUSH_SUBSCRIPTIONS = "pushSubscriptions";

/**
 * One row per message and subscription, written in the transaction of its cause and removed when it is settled: the outbox of
 * the queue.
 */
export const PUSH_MESSAGES: SqlTable = {
  name: "push_messages",
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("subscription_id"), notNull: true },
    /** Plain text for the subscriber's device; it is encrypted when it is sent. */
    { ...text("payload"), notNull: true },
    /** Seconds for which a push service keeps the message. */
    { ...text("ttl"), type: "integer", notNull: true },
    { ...text("urgency"), notNull: true },
    text("topic"),
    { ...text("attempts"), type: "integer", notNull: true },
    text("next_attempt_at"),
    { ...text("created_at"), notNull: true },
    /** Null until the row is handed to the queue. */
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
