/** The contract's numbers (contract 8). Sizes are bytes, times are milliseconds unless the name says otherwise. */

export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MIN = 1;
export const PAGE_SIZE_MAX = 100;
export const BATCH_SIZE_DEFAULT = 100;
/** Most digits of a decimal. Integers of SQLite have 63 bits. */
export const DECIMAL_PRECISION_MAX = 18;
export const BODY_MAX_BYTES = 1024 * 1024;
/** Time limit for receiving a body. */
export const BODY_RECEIVED_MAX_MS = 30_000;
export const PROBLEM_BODY_MAX_BYTES = 4 * 1024;
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;
export const CHANGESET_OPERATIONS_MAX = 100;
export const TOKEN_LIFETIME_SECONDS = 900;
export const TOKEN_LIFETIME_MAX_SECONDS = 24 * 60 * 60;
export const SESSION_DAYS = 7;
/** Age limit of cached rights, unless the operator sets it (definitions 8, `RIGHTS_MAX_AGE_MS`). */
export const RIGHTS_MAX_AGE_MS = 1000;
/** Milliseconds for which a process uses its counts of rows and bytes. Its own writes change them. */
export const COUNT_MAX_AGE_MS = 600_000;
/** Time limits of any statement, and of a statement of a read (definitions 8). */
export const STATEMENT_TIMEOUT_MS = 5000;
export const READ_TIMEOUT_MS = 2000;
/** Time limits of an action's code, and of its transaction while others wait (definitions 8). */
export const ACTION_TIMEOUT_MS = 30_000;
/** Time of all hooks of one request. */
export const HOOK_TIMEOUT_MS = 2_000;
/** Hooks that the writes of hooks call, one below the other. */
export const HOOK_DEPTH_MAX = 5;
export const TRANSACTION_MAX_MS = 5000;
export const DIAGNOSTICS_LISTED_MAX = 100;
export const RESPONSE_BODY_STORED_CHARACTERS = 1000;
export const SIGNATURE_TOLERANCE_SECONDS = 300;
/** Most addresses of a name. An answer with more is refused, never cut. */
export const DNS_ANSWERS_MAX = 32;
/** Limits of a query string, far below what SQLite can bind (32,766 values, LIKE patterns of 50,000 bytes). */
export const QUERY_PARAMETERS_MAX = 100;
export const QUERY_VALUE_MAX_BYTES = 8 * 1024;
export const QUERY_VALUES_MAX = 1000;
/** Limits of `near`: characters of each number of the vector, and of `near.text`. */
export const VECTOR_NUMBER_MAX_BYTES = 32;
export const NEAR_TEXT_MAX_LENGTH = 2000;
/** Most child rows that are included with one record. */
export const CHILDREN_MAX = 20;
/** Limits of a `where`: depth of objects, comparisons (a relation counts as one), and relations. */
export const WHERE_DEPTH_MAX = 5;
export const WHERE_COMPARISONS_MAX = 50;
export const WHERE_RELATIONS_MAX = 20;
/** Limits of an unfolded rule that follows relations: comparisons, relations, and keys on one path. */
export const RULE_COMPARISONS_MAX = 50;
export const RULE_RELATIONS_MAX = 8;
export const RULE_DEPTH_MAX = 3;
/** Most sort fields. A page by cursor repeats its conditions for each. */
export const SORT_FIELDS_MAX = 8;
/**
 * Limits of realtime: streams of one caller and of one instance, and bytes that wait in one stream
 * (docs/decisions/realtime.md).
 */
export const STREAMS_PER_CALLER_MAX = 20;
export const STREAMS_MAX = 10_000;
export const STREAM_FRAMES_WAITING_MAX = 256;
export const STREAM_BYTES_WAITING_MAX = 1024 * 1024;
/** Most events that are kept for streams that reconnect. */
export const EVENTS_KEPT_MAX = 10_000;
/** Length of a random default in characters (definitions 3, made defaults). */
export const RANDOM_LENGTH = { min: 16, max: 128 } as const;
/** Greatest first number of a sequence. The sequence itself has no end. */
export const SEQUENCE_START_MAX = 1_000_000_000_000;
/** Digits of the greatest number of a sequence. */
export const SEQUENCE_DIGITS_MAX = 16;
/** Most numbers that a sequence tries for one row when clients have taken the values. */
export const SEQUENCE_TRIES = 10;
/** Days for which the history of a record is kept by default (definitions 4). */
export const AUDIT_KEEP_DAYS = 365;
export const AUDIT_KEEP_DAYS_MAX = 36_500;
/** Most rows of one transaction that make frames of their own. */
export const CHANGES_TOLD_MAX = 1000;

/** Length of a new password, in code points. */
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

/* Rate limits per authenticated user, resource and operation (contract 8.1). */

export const RATE_OPERATIONS = ["read", "create", "update", "delete"] as const;
export type RateOperation = typeof RATE_OPERATIONS[number];

/** Allowed periods of a rate limit in seconds. */
export const RATE_PERIODS = [10, 60] as const;

export interface RateLimit {
  readonly limit: number;
  /** Period in seconds. */
  readonly period: 10 | 60;
}

export const DEFAULT_RATE_LIMITS: Readonly<Record<RateOperation, RateLimit>> = {
  read: { limit: 1000, period: 60 },
  create: { limit: 200, period: 60 },
  update: { limit: 200, period: 60 },
  delete: { limit: 200, period: 60 },
};

/** Refused credentials of one address before `AUTH_RATE_LIMITED` (contract 7.2 names no number). */
export const FAILED_ATTEMPTS: RateLimit = { limit: 600, period: 60 };

/** Wrong passwords of one client and account before `AUTH_RATE_LIMITED` (contract 7.2 names no number). */
export const PASSWORD_ATTEMPTS: RateLimit = { limit: 10, period: 60 };

/**
 * Wrong codes of one account and way in, over all clients, before `AUTH_RATE_LIMITED` (contract 7.2 names no number). The
 * period is in seconds.
 */
export const CODE_GUESSES = { limit: 10, period: 3600 } as const;

/** Seconds in `Retry-After` and `retryAfter` of a 429, whatever the period (contract 8.1.6). */
export const RETRY_AFTER_SECONDS = 60;

/**
 * Returns the name of a rate limit's binding on the edge platform, which counts each limit in a binding of its own (contract
 * 8.1). `RATE_LIMIT_200_60` is 200 hits in 60 seconds.
 */
export function rateBindingName({ limit, period }: RateLimit): string {
  return `RATE_LIMIT_${limit}_${period}`;
}

/** Least characters of a random text by which an anonymous call finds its tenant: 132 bits. */
export const RANDOM_TENANT_KEY_MIN = 22;
