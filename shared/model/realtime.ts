/**
 * Messages that an API sends on its own: frames about changed records, and signals of actions (contract 6.3, definitions 6).
 */
import { type SqlTable, textColumn as text } from "./sql_table.ts";

/** Widest audiences of a signal, relative to the caller of the action that sends it. */
export const SIGNAL_SCOPES = ["organization", "team", "user", "all"] as const;
type SignalScope = typeof SIGNAL_SCOPES[number];

/** One `<binding>.<variant>` of the realtime registry. */
export interface SignalModel {
  /** `<binding>.<variant>`. */
  readonly name: string;
  /** Members of the payload that leave; all others are dropped. */
  readonly keys: readonly string[];
  readonly scope: SignalScope;
  /** Null: no role is asked for. */
  readonly roles: readonly string[] | null;
  /** The registry's code says which users it reaches (`surface/authored_code.ts`). */
  readonly hasRecipients: boolean;
}

export interface RealtimeModel {
  readonly enabled: boolean;
  /** Writes of handlers make frames too (contract 6.3). */
  readonly emitFromActions: boolean;
  /** There are push subscriptions, and messages to them (`PUSH_MESSAGES`); streams need not be on for it. */
  readonly push: boolean;
  /** Sorted by name. */
  readonly signals: readonly SignalModel[];
}

/** `realtime` of a resource (definitions 4): which changes make frames, for whom, with which columns. */
export interface ResourceRealtime {
  readonly onInsert: boolean;
  readonly onUpdate: boolean;
  readonly onDelete: boolean;
  /** Besides what reading asks for; null: nothing. */
  readonly roles: readonly string[] | null;
  /** Columns of `data`, in table order. */
  readonly fields: readonly string[];
}

/**
 * Push subscriptions and the messages that wait for them (definitions 7, "push subscriptions"). Name of the table and
 * its resource.
 */
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
