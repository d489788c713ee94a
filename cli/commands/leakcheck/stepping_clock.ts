/** A clock that only requests move on: the same for both databases. */

export interface SteppingClock {
  now(): number;
  /** A second passes. */
  step(): void;
}

const START = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const STEP_MILLISECONDS = 1000;

export function steppingClock(): SteppingClock {
  let now = START;
  return { now: () => now, step: () => void (now += STEP_MILLISECONDS) };
}
