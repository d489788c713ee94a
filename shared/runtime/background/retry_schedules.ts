/** Times of the attempts that follow a failed one (contract 8; definitions 7 "outbound attempts"). */
import * as schedule from "../../contract/webhooks.ts";

export interface RetrySchedule {
  /** Milliseconds between one attempt and the next; after the last wait comes the last attempt. */
  readonly waits: readonly number[];
  /** Milliseconds that anything is ever put off: what waits longer was put off by a clock that has gone back since. */
  readonly longestWait: number;
  /** A receiver may ask for more time than the schedule gives it, not for less. */
  readonly obeysRetryAfter: boolean;
}

export const DELIVERY_SCHEDULES: Readonly<Record<schedule.ScheduleName, RetrySchedule>> = {
  standard: backoff(schedule.DELIVERY_ATTEMPTS),
  extended: {
    waits: schedule.EXTENDED_WAITS_MS,
    longestWait: Math.max(...schedule.EXTENDED_WAITS_MS, schedule.RETRY_AFTER_MAX_MS),
    obeysRetryAfter: true,
  },
};

export const PROCESSING_SCHEDULE = backoff(schedule.PROCESSING_ATTEMPTS);

/** 2 s after the first failure, twice as much after each other one (contract 8). */
export function backoff(attempts: number): RetrySchedule {
  const wait = (at: number) =>
    Math.min(schedule.BACKOFF_FIRST_MS * 2 ** at, schedule.BACKOFF_MAX_MS);
  const waits = Array.from({ length: attempts - 1 }, (_, at) => wait(at));
  return { waits, longestWait: Math.max(...waits), obeysRetryAfter: false };
}

interface FailedAttempt {
  /** This one included. */
  readonly failures: number;
  /** The answer's `Retry-After`, as it was sent; null: none. */
  readonly retryAfter: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Schedules retries of failed attempts (contract 8; definitions 7 "outbound attempts"; decisions, "Extended schedule").
 * Time of the next attempt, in milliseconds since the epoch; null: none.
 */
export function nextAttemptAt(
  { waits, obeysRetryAfter }: RetrySchedule,
  { failures, retryAfter, now }: FailedAttempt,
): number | null {
  const wait = waits[failures - 1];
  if (wait === undefined) return null;
  const asked = obeysRetryAfter ? readRetryAfter(retryAfter, now) : 0;
  return now + Math.max(wait, Math.min(asked, schedule.RETRY_AFTER_MAX_MS));
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
