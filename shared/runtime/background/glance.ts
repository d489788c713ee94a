/**
 * One question before all others of a worker: each look of an idle one is a round trip where the database is a server, which
 * an idle process asks at most once a second (definitions 8).
 */
import { hasPassed } from "../../lib/times.ts";
import { somethingWaits, type Waiting } from "../data/outbox_rows.ts";
import type { Clock, Database, Queue } from "../ports.ts";

interface GlanceOptions extends Omit<Waiting, "dueBefore"> {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Queue;
}

/** Milliseconds between two questions, unless this process heard of a commit. */
const QUIET_MS = 1250;
/** Milliseconds after which everything is looked at, whatever the answer: what is overdue, or stranded by a clock. */
const FULL_EVERY_MS = 60_000;

/** Makes what tells if there may be something to do. Always true where the database is no server, or has not answered yet. */
export function createGlance(options: GlanceOptions): () => Promise<boolean> {
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
    // The queue's table stands where outboxes do.
    const dueBefore = queue.isInDatabase && options.tables.length > 0 ? now : null;
    const isWaiting = await somethingWaits(database, { ...options, dueBefore });
    quiet = isWaiting ? null : { at: now, place: last() };
    return isWaiting;
  };
}
