/** Deletes events of accounts that are older than a year (docs/decisions/accounts.md, "Security events"). */
import { hasPassed } from "../../lib/times.ts";
import { pruneSecurityEvents } from "../data/security_events.ts";
import type { Clock, Database } from "../ports.ts";

const EVERY_MS = 60 * 60 * 1000;

/** Most rows of a step, because others wait for it. */
const ROWS_AT_ONCE = 500;

/** Makes the step. It returns true while there is more to delete. */
export function createLogPruning(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): () => Promise<boolean> {
  /** Time at which nothing was left; null: not yet. */
  let prunedAt: number | null = null;
  return async () => {
    const now = clock.now();
    if (prunedAt !== null && !hasPassed(EVERY_MS, prunedAt, now)) return false;
    const count = await database.write((transaction) =>
      pruneSecurityEvents(transaction, now, ROWS_AT_ONCE)
    );
    prunedAt = count < ROWS_AT_ONCE ? now : null;
    return prunedAt === null;
  };
}
