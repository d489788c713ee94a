/** Times of the attempts after a failed one (contract 8; definitions 7 "outbound attempts"). */
import * as schedule from "../../contract/webhooks.ts";

export interface RetrySchedule {
  /** Milliseconds between attempts. The attempt after the last wait is the last one. */
  readonly waits: readonly number[];
  /** Longest delay in milliseconds. A row that waits longer was delayed by a clock that has gone back since. */
  readonly longestWait: number;
  /** True when a receiver may ask for a longer wait than the schedule's. */
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

/** Makes a schedule: 2 s after the first failure, then twice as long each time (contract 8). */
export function backoff(attempts: number): RetrySchedule {
  const wait = (at: number) =>
    Math.min(schedule.BACKOFF_FIRST_MS * 2 ** at, schedule.BACKOFF_MAX_MS);
  const waits = Array.from({ length: attempts - 1 }, (_, at) => wait(at));
  return { waits, longestWait: Math.max(...waits), obeysRetryAfter: false };
}

/**
 * Returns the time of the next attempt in milliseconds since the epoch; null: there is none (contract 8; definitions 7
 * "outbound attempts"; decisions, "Extended schedule").
 */
export function nextAttemptAt(
  { waits, obeysRetryAfter }: RetrySchedule,
  { failures, retryAfter, now }: {
    /** Number of failures, this one included. */
    readonly failures: number;
    /** `Retry-After` of the answer as it was sent; null: none. */
    readonly retryAfter: string | null;
    /** Milliseconds since the epoch. */
    readonly now: number;
  },
): number | null {
  const wait = waits[failures - 1];
  if (wait === undefined) return null;
  const asked = obeysRetryAfter ? readRetryAfter(retryAfter, now) : 0;
  return now + Math.max(wait, Math.min(asked, schedule.RETRY_AFTER_MAX_MS));
}

/** The date format that senders must use (RFC 9110, 5.6.7). */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Parses seconds or a date (RFC 9110, 10.2.3) to milliseconds; 0 for a past date and for any other text. */
function readRetryAfter(text: string | null, now: number): number {
  if (text === null) return 0;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
