/** Limits the age of facts about rights (definitions 8, `RIGHTS_MAX_AGE_MS`): of cached ones, and of a copy of the database. */
import { RIGHTS_MAX_AGE_MS } from "../../../contract/mod.ts";
import type { Soon } from "../../../lib/soon.ts";
import { hasPassed } from "../../../lib/times.ts";
import type { Ports, Settings } from "../../ports.ts";

/** Part of the maximum age of rights after which the next read begins, without a caller that waits for it. */
const AGING = 3 / 4;

interface Look<T> {
  /** Time of the clock, or of the copy's last pull. */
  readonly at: number;
  readonly turn: number;
  readonly answer: T;
}

/**
 * Caches the result of a read. A value that is young enough is returned at once; otherwise callers share one read. With a copy
 * a read is as old as the copy's last pull. A failure is thrown to the callers that wait, and the next caller tries again.
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
      // Of two reads at once the later one counts, whichever ends first.
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

/**
 * Brings the copy up to the age that rights may have. Throws `DatabaseUnavailableError` when its primary is unreachable for too
 * long.
 */
export function requireFreshRights(
  { copy }: Pick<Ports, "copy">,
  { rightsMaxAgeMs = RIGHTS_MAX_AGE_MS }: Pick<Settings, "rightsMaxAgeMs">,
): Soon<void> {
  return copy?.fresh(rightsMaxAgeMs);
}
