/** Forgets what the log of accounts has kept for a year (docs/decisions/accounts.md, "Security events"). */
import { hasPassed } from "../../lib/times.ts";
import { pruneSecurityEvents } from "../data/security_events.ts";
import type { Clock, Database } from "../ports.ts";

const EVERY_MS = 60 * 60 * 1000;

/** Others wait for each step. */
const ROWS_AT_ONCE = 500;

/** True while there is more to forget. */
export function createLogPruning(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): () => Promise<boolean> {
  /** Of the last time that left nothing. */
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
