/** The age of what decides rights (definitions 8, `RIGHTS_MAX_AGE_MS`): of what a process keeps, and of its copy of the database. */
import { RIGHTS_MAX_AGE_MS } from "../../../contract/mod.ts";
import type { Soon } from "../../../lib/soon.ts";
import { hasPassed } from "../../../lib/times.ts";
import type { Ports, Settings } from "../../ports.ts";

/** Part of the age that rights may have after which the next look begins, with nobody waiting for it. */
const AGING = 3 / 4;

interface Look<T> {
  /** Of the clock, or of the copy's last pull. */
  readonly at: number;
  readonly turn: number;
  readonly answer: T;
}

/**
 * Keeps what a look reads from the database. The result gives it at once while it is younger than rights may be, and waits
 * for a look where it is not: callers share one that is under way. Where there is a copy, a look sees no more than its last
 * pull. Those who wait are told of a failure, and the next caller looks again.
 */
export function keptFresh<T>(
  look: () => Promise<T>,
  { clock, copy }: Pick<Ports, "clock" | "copy">,
  { rightsMaxAgeMs = RIGHTS_MAX_AGE_MS }: Pick<Settings, "rightsMaxAgeMs">,
): () => Soon<T> {
  let turn = 0;
  let kept: Look<T> | null = null;
  let asking: Look<Promise<T>> | null = null;
  const begin = (at: number) => {
    const begun = { at, turn: ++turn, answer: look() };
    asking = begun;
    begun.answer.then((answer) => {
      // Of two at once the later one counts, whichever ends first.
      if (kept === null || kept.turn < begun.turn) kept = { ...begun, answer };
      if (asking === begun) asking = null;
    }, () => {
      if (asking === begun) asking = null;
    });
    return begun;
  };
  return () => {
    const now = copy ? copy.state().pulledAt : clock.now();
    const isOver = ({ at }: { readonly at: number }, part = 1) =>
      copy ? now !== at : hasPassed(part * rightsMaxAgeMs, at, now);
    if (kept !== null && !isOver(kept, AGING)) return kept.answer;
    const under = asking === null || isOver(asking) ? begin(now) : asking;
    return kept !== null && !isOver(kept) ? kept.answer : under.answer;
  };
}

/** Brings the copy up to the age that rights may have. Throws `DatabaseUnavailableError` when its primary is away too long. */
export function requireFreshRights(
  { copy }: Pick<Ports, "copy">,
  { rightsMaxAgeMs = RIGHTS_MAX_AGE_MS }: Pick<Settings, "rightsMaxAgeMs">,
): Soon<void> {
  return copy?.fresh(rightsMaxAgeMs);
}
