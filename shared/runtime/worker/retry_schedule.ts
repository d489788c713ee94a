/** When a failed delivery is tried again (contract 8; definitions 7 "outbound attempts"; decisions, "Extended schedule"). */
import {
  BACKOFF_FIRST_MS,
  BACKOFF_MAX_MS,
  DELIVERY_ATTEMPTS,
  EXTENDED_WAITS_MS,
  RETRY_AFTER_MAX_MS,
  type ScheduleName,
} from "../../contract/webhooks.ts";

interface FailedAttempt {
  /** This one included. */
  readonly failures: number;
  /** The answer's `Retry-After`, as it was sent; null: none. */
  readonly retryAfter: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** When to try again, in milliseconds since the epoch; null: never. */
export function nextAttemptAt(schedule: ScheduleName, attempt: FailedAttempt): number | null {
  const { failures, retryAfter, now } = attempt;
  if (schedule === "standard") {
    return failures < DELIVERY_ATTEMPTS ? now + backoff(failures) : null;
  }
  const wait = EXTENDED_WAITS_MS[failures - 1];
  if (wait === undefined) return null;
  // The endpoint may ask for more time than the schedule gives it, not for less.
  return now + Math.max(wait, Math.min(readRetryAfter(retryAfter, now), RETRY_AFTER_MAX_MS));
}

/** The longest time between a failure and the next attempt, in milliseconds. */
export function longestWait(schedule: ScheduleName): number {
  return schedule === "standard"
    ? backoff(DELIVERY_ATTEMPTS - 1)
    : Math.max(...EXTENDED_WAITS_MS, RETRY_AFTER_MAX_MS);
}

/** 2 s after the first failure, twice as much after each other one (contract 8). */
export function backoff(failures: number): number {
  return Math.min(BACKOFF_FIRST_MS * 2 ** (failures - 1), BACKOFF_MAX_MS);
}

/** The one form of a date that senders may use (RFC 9110, 5.6.7). */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds to wait: seconds or a date (RFC 9110, 10.2.3); 0 for a date gone by and for anything else. */
function readRetryAfter(text: string | null, now: number): number {
  if (text === null) return 0;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
