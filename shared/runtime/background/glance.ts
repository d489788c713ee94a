/**
 * A single question that decides if a worker has to look at all. On a server each look is a round trip, and an idle process
 * makes at most one per second (definitions 8).
 */
import { hasPassed } from "../../lib/times.ts";
import { somethingWaits, type Waiting } from "../data/outbox_rows.ts";
import type { Clock, Database, Queue } from "../ports.ts";

/** Milliseconds between two questions, unless this process learned of a commit. */
const QUIET_MS = 1250;
/** Milliseconds after which everything is looked at in any case: overdue rows, and rows that a changed clock has stranded. */
const FULL_EVERY_MS = 60_000;

/**
 * Makes a function that tells if there may be work. It is always true for a database that is no server, and before the first
 * answer.
 */
export function createGlance(
  options: Omit<Waiting, "dueBefore"> & {
    readonly database: Database;
    readonly clock: Clock;
    readonly queue: Queue;
  },
): () => Promise<boolean> {
  const { database, clock, queue } = options;
  let fullAt: number | null = null;
  let quiet: { readonly at: number; readonly place: string | null } | null = null;
  return async () => {
    const last = () => database.positions?.last() ?? null;
    const now = clock.now();
    if (last() === null || fullAt === null || hasPassed(FULL_EVERY_MS, fullAt, now)) {
      fullAt = now;
      quiet = null;
      return true;
    }
    if (quiet?.place === last() && !hasPassed(QUIET_MS, quiet.at, now)) return false;
    // The queue's table is in the same database as the outboxes.
    const dueBefore = queue.isInDatabase && options.tables.length > 0 ? now : null;
    const isWaiting = await somethingWaits(database, { ...options, dueBefore });
    quiet = isWaiting ? null : { at: now, place: last() };
    return isWaiting;
  };
}
