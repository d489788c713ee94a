/** Times: the one form in which they are stored, and comparisons that tolerate changed clocks. */

/* ISO 8601 date-times in the one form that is stored and answered: `YYYY-MM-DDTHH:mm:ss.sssZ`. */

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const STORED_LENGTH = "2026-01-31T00:00:00.000Z".length;

/** Converts a date-time with `Z` or an offset to UTC with milliseconds; null for any other text. */
export function normalizedDateTime(text: string): string | null {
  const parts = DATE_TIME.exec(text);
  if (!parts) return null;
  const [, year = "", month = "", day = "", hour = "", minute = "", second = "00"] = parts;
  const [fraction = "", zone = ""] = parts.slice(7);
  if (Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (zone !== "Z" && (Number(zone.slice(1, 3)) > 23 || Number(zone.slice(4)) > 59)) return null;
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  const instant = Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${zone}`,
  );
  const stored = new Date(instant).toISOString();
  // An offset may shift the first or last hours of the calendar out of four-digit years.
  return stored.length === STORED_LENGTH ? stored : null;
}

/** Converts a date to the midnight in UTC that begins it; null for any other text. */
export function normalizedDate(text: string): string | null {
  return DATE.test(text) ? normalizedDateTime(`${text}T00:00:00Z`) : null;
}

/** Returns the days of a month; 0 for a month that does not exist. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/*
 * A wall clock may go back: by little when it is corrected or read on another machine, by an hour when it was wrong. Times
 * that were stored before then lie too far ahead, and must not be waited for (docs/decisions/webhooks.md).
 */

/** Greatest difference between instances' clocks. A time that is ahead by no more is worth waiting for. */
export const CLOCK_STEP_MS = 10_000;

/** True when an instant is past, or further ahead than it can have been set. */
export function hasCome(instant: number, { now, longestWait }: {
  readonly now: number;
  /** Greatest number of milliseconds between the time of storing an instant and the instant itself. */
  readonly longestWait: number;
}): boolean {
  return instant <= now || instant > now + longestWait + CLOCK_STEP_MS;
}

/** True when this much time has passed. If the clock went back, the answer is true. */
export function hasPassed(milliseconds: number, since: number, now: number): boolean {
  return now < since || now - since >= milliseconds;
}
