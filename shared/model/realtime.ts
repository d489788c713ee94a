/**
 * Messages that an API sends on its own: frames about changed records, and signals of actions (contract 6.3, definitions 6).
 */

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
  /** There are push subscriptions, and messages to them (`model/push.ts`); streams need not be on for it. */
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
