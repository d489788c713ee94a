/** The contract's numbers and names for webhooks (contract 4.5, 5.7, 6.1, 8) and push messages. Times are milliseconds. */
/** Recommended event names (contract 6.1.2); a project may name others. */
export const RECOMMENDED_EVENTS: readonly string[] = [
  "user.created",
  "user.updated",
  "user.deleted",
  "subscription.created",
  "subscription.updated",
  "subscription.cancelled",
  "subscription.renewed",
  "organization.created",
  "organization.updated",
  "organization.deleted",
  "organization.member_added",
  "organization.member_removed",
  "file.uploaded",
  "file.deleted",
];

/** Event of a test delivery (contract 4.5). */
export const TEST_EVENT = "webhook.test";

/** Statuses of a delivery (contract 2.9) and of an inbound event (contract 2.10). */
export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export const EVENT_STATUSES = ["received", "processing", "processed", "failed"] as const;

/** Inbound providers that work without an author's code (definitions 6). */
export const BUILT_IN_PROVIDERS = ["stripe", "standard"] as const;

/** A part of an event name between dots. Any custom name is allowed (contract 6.1.2). */
const WORD = "[^\\s*.\\x00-\\x1f\\x7f\\ud800-\\udfff]+";
const NAME = `${WORD}(?:\\.${WORD})*`;

/** Anchored pattern of an event's name. */
export const EVENT_NAME = `^${NAME}$`;

/** Anchored pattern of an exact name, `<prefix>.*`, or `*` (contract 6.1.4). */
export const EVENT_PATTERN = `^(?:\\*|${NAME}(?:\\.\\*)?)$`;
/** Anchored pattern of a subscription with a star. */
export const EVENT_WILDCARD_PATTERN = `^(?:\\*|${NAME}\\.\\*)$`;

export const MAX_ENDPOINTS_DEFAULT = 25;
export const ENDPOINT_NAME_MAX = 100;
export const ENDPOINT_PATTERNS_MAX = 100;
/** Longest URL of an endpoint. */
export const ENDPOINT_URL_MAX = 2048;
/** Largest body of a delivery. */
export const DELIVERY_BODY_MAX_BYTES = 256 * 1024;

/** Most attempts of a delivery (definitions 7 "outbound attempts"). */
export const DELIVERY_ATTEMPTS = 3;
/** Attempts of an inbound event: the first and three retries (definitions 7). */
export const PROCESSING_ATTEMPTS = 4;
/** Time limit of processing an event, so that a handler that never ends does not block others. */
export const PROCESSING_MAX_MS = 5 * 60 * 1000;
export const BACKOFF_FIRST_MS = 2000;
export const BACKOFF_MAX_MS = 60 * 60 * 1000;
/** `standard`: the contract's three attempts. `extended`: attempts over a day and a half (definitions 2, `webhooks.schedule`). */
export const SCHEDULES = ["standard", "extended"] as const;
export type ScheduleName = typeof SCHEDULES[number];
/** Waits between attempts of `extended`: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h. */
export const EXTENDED_WAITS_MS: readonly number[] = [
  5000,
  300_000,
  1_800_000,
  7_200_000,
  18_000_000,
  36_000_000,
  50_400_000,
];
/** Longest wait that an endpoint's `Retry-After` can cause. */
export const RETRY_AFTER_MAX_MS = 24 * 60 * 60 * 1000;
/** Days for which settled deliveries and events are kept, unless the project sets them. */
export const RETENTION_DAYS_DEFAULT = 90;
/** Number of jobs taken from the queue at a time (contract 8). */
export const QUEUE_BATCH_SIZE = 10;
/** Most secrets of one endpoint that sign a delivery: the present one, and earlier ones within the overlap. */
export const SIGNING_SECRETS_MAX = 5;
/** Time for which an earlier secret still signs after a rotation (definitions 7). */
export const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1000;

export const SECRET_PREFIX = "whsec_";
/** Text that reads show instead of the secret. */
export const MASKED_SECRET = "whsec_***";
/** Text that an organization's admin reads instead of an event's payload. It is JSON, as payloads are. */
export const MASKED_PAYLOAD = '"[REDACTED]"';

/* Push subscriptions and messages to them (contract 8, RFC 8030, RFC 8291). */

/** Most subscriptions of one user. The newest are kept. */
export const PUSH_SUBSCRIPTIONS_KEPT = 10;
/**
 * Largest payload that fits into the single record of 4,096 bytes that every push service accepts, without header, delimiter
 * and tag.
 */
export const PUSH_PAYLOAD_MAX_BYTES = 3993;
/** Most recipients of one message. */
export const PUSH_RECIPIENTS_MAX = 1000;
/** Seconds for which a push service keeps a message, at most and by default: four weeks. */
export const PUSH_TTL_MAX_SECONDS = 28 * 24 * 60 * 60;
export const PUSH_URGENCIES = ["very-low", "low", "normal", "high"] as const;
export type PushUrgency = typeof PUSH_URGENCIES[number];
/** Pattern of a topic. A later message with the same topic replaces an undelivered one (RFC 8030, 5.4). */
export const PUSH_TOPIC = "^[A-Za-z0-9_-]{1,32}$";

/** An inbound event as the provider's code parsed it (contract 4.6, definitions 6). */
export interface ParsedWebhook {
  /** Type without the provider's prefix. */
  readonly type: string;
  readonly data: unknown;
  /** The provider's id of the event, by which repetitions are recognized. */
  readonly externalId?: string | undefined;
}
