/**
 * Housekeeping of a worker: requeues jobs that a queue may have lost, and prunes old rows. The tables are the outbox, so
 * that a queue need not be more durable than its host makes it (contract 3.3, 3.4).
 */
import { hasPassed } from "../../lib/clock_steps.ts";
import type { Clock, Database } from "../ports.ts";
import type { OpenOutbox } from "./outbox.ts";

interface HousekeepingOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Milliseconds after which a job that should have been done is taken for lost. */
  readonly requeueAfter: number;
  /** Null: everything is kept. */
  readonly retentionDays: number | null;
}

interface Housekeeping {
  /** Does what is due by now; cheap when nothing is. */
  tick(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;

export function createHousekeeping(
  outboxes: readonly OpenOutbox[],
  { database, clock, requeueAfter, retentionDays }: HousekeepingOptions,
): Housekeeping {
  let requeuedAt: number | null = null;
  /** Of the last time that left nothing to prune. */
  let prunedAt: number | null = null;
  return {
    async tick() {
      if (outboxes.length === 0) return;
      const now = clock.now();
      if (requeuedAt === null || hasPassed(requeueAfter / 2, requeuedAt, now)) {
        requeuedAt = now;
        const range = { before: isoOf(now - requeueAfter), after: isoOf(now + requeueAfter) };
        // Reads happen in the write's transaction: what is found is still so.
        await database.write(async (transaction) => {
          for (const outbox of outboxes) await outbox.requeue(transaction, range);
        });
      }
      if (retentionDays === null) return;
      if (prunedAt === null || hasPassed(PRUNE_EVERY_MS, prunedAt, now)) {
        let isMore = false;
        for (const outbox of outboxes) {
          if (await outbox.prune(now - retentionDays * DAY_MS)) isMore = true;
        }
        // A full batch means that there is more: the next one follows soon, in a transaction of its own.
        prunedAt = isMore ? null : now;
      }
    },
  };
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
