/**
 * A wall clock may go back: by little when it is corrected or read on another machine, by an hour when it was wrong. Times
 * that were stored before then lie too far ahead, and must not be waited for (docs/decisions/webhooks.md).
 */

/** A time ahead by no more than this is one to wait for: clocks of instances may differ by it. */
export const CLOCK_STEP_MS = 10_000;

interface WaitLimits {
  readonly now: number;
  /** Milliseconds that lay at most between the instant and when it was stored. */
  readonly longestWait: number;
}

/** True when an instant is over, or further ahead than it can ever have been set. */
export function hasCome(instant: number, { now, longestWait }: WaitLimits): boolean {
  return instant <= now || instant > now + longestWait + CLOCK_STEP_MS;
}

/** True when so much time is over since then; a clock that went back says nothing about it, and counts as a yes. */
export function hasPassed(milliseconds: number, since: number, now: number): boolean {
  return now < since || now - since >= milliseconds;
}
