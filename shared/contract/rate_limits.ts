/** Rate limits per authenticated user, resource and operation (contract 8.1). */

export const RATE_OPERATIONS = ["read", "create", "update", "delete"] as const;
export type RateOperation = typeof RATE_OPERATIONS[number];

/** Seconds that a limit may span. */
export const RATE_PERIODS = [10, 60] as const;

export interface RateLimit {
  readonly limit: number;
  /** Seconds. */
  readonly period: 10 | 60;
}

export const DEFAULT_RATE_LIMITS: Readonly<Record<RateOperation, RateLimit>> = {
  read: { limit: 1000, period: 60 },
  create: { limit: 200, period: 60 },
  update: { limit: 200, period: 60 },
  delete: { limit: 200, period: 60 },
};

/** Refused credentials per address, before `AUTH_RATE_LIMITED` (contract 7.2 names no number). */
export const FAILED_ATTEMPTS: RateLimit = { limit: 600, period: 60 };

/** Passwords per client and account that were not right, before `AUTH_RATE_LIMITED` (contract 7.2 names no number). */
export const PASSWORD_ATTEMPTS: RateLimit = { limit: 10, period: 60 };

/** Seconds in `Retry-After` and `retryAfter` of a 429, whatever the period (contract 8.1.6). */
export const RETRY_AFTER_SECONDS = 60;
