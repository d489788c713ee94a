/** Numbers of push subscriptions and of messages to them (contract 8, RFC 8030, RFC 8291). */

/** Subscriptions of one user; the newest ones stay. */
export const PUSH_SUBSCRIPTIONS_KEPT = 10;
/** Room in the one record that every push service takes: 4,096 bytes without header, delimiter and tag. */
export const PUSH_PAYLOAD_MAX_BYTES = 3993;
/** Recipients of one message. */
export const PUSH_RECIPIENTS_MAX = 1000;
/** Seconds for which a push service keeps a message at most, and by default: four weeks. */
export const PUSH_TTL_MAX_SECONDS = 28 * 24 * 60 * 60;
export const PUSH_URGENCIES = ["very-low", "low", "normal", "high"] as const;
export type PushUrgency = typeof PUSH_URGENCIES[number];
/** A later message under the same topic takes the place of one that was not delivered yet (RFC 8030, 5.4). */
export const PUSH_TOPIC = "^[A-Za-z0-9_-]{1,32}$";
