/** The age of what decides rights (definitions 8, `RIGHTS_MAX_AGE_MS`): of what a process keeps, and of its copy of the database. */
import { RIGHTS_MAX_AGE_MS } from "../../../contract/limits.ts";
import type { Soon } from "../../../lib/soon.ts";
import { hasPassed } from "../../../lib/times.ts";
import type { Ports, Settings } from "../../ports.ts";

/** Begins a look when the last one is too old; null: it is not. The result is called when the look has succeeded. */
export type Look = () => (() => void) | null;

type AgePorts = Pick<Ports, "clock" | "copy">;

/** Of something that is read from the database and kept. Where there is a copy, a look sees no more than its last pull. */
export function createLook(
  { clock, copy }: AgePorts,
  { rightsMaxAgeMs = RIGHTS_MAX_AGE_MS }: Pick<Settings, "rightsMaxAgeMs">,
): Look {
  let last: number | null = null;
  return () => {
    const now = copy ? copy.state().pulledAt : clock.now();
    const isDue = last === null || (copy ? now !== last : hasPassed(rightsMaxAgeMs, last, now));
    return isDue ? () => void (last = now) : null;
  };
}

/** Brings the copy up to the age that rights may have. Throws `DatabaseUnavailableError` when its primary is away too long. */
export function requireFreshRights(
  { copy }: Pick<Ports, "copy">,
  { rightsMaxAgeMs = RIGHTS_MAX_AGE_MS }: Pick<Settings, "rightsMaxAgeMs">,
): Soon<void> {
  return copy?.fresh(rightsMaxAgeMs);
}
