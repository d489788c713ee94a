/** Finds rows that wait for their vector, and queues the jobs that make it (definitions 3). */
import { hasPassed } from "../../lib/times.ts";
import { type Home, homeOf, type ProjectModel } from "../../model/mod.ts";
import { madeVectorsOf } from "../../surface/mod.ts";
import { queueWaiting, someWait } from "../data/embeddings.ts";
import type { Clock, Database, WebhookPorts } from "../ports.ts";

/** Milliseconds between two looks while nothing else is new. */
const QUIET_MS = 1250;

/** Makes the queueing; null: no row has a made vector, or no service makes it. */
export function createVectorQueue(
  project: ProjectModel,
  { database, home, clock, webhooks }: {
    readonly database: Database;
    /** Home of the rows in this database; null: it has all rows. */
    readonly home: Home | null;
    readonly clock: Clock;
    readonly webhooks: Pick<WebhookPorts, "embeddings">;
  },
): ((isQuiet?: "quiet") => Promise<void>) | null {
  const vectors = madeVectorsOf(project)
    .filter(({ table }) => home === null || homeOf(table) === home);
  if (vectors.length === 0 || !webhooks.embeddings) return null;
  let lookedAt: number | null = null;
  return async (isQuiet) => {
    const now = clock.now();
    if (isQuiet && lookedAt !== null && !hasPassed(QUIET_MS, lookedAt, now)) return;
    lookedAt = now;
    for (const vector of vectors) {
      if (!await someWait(database, vector)) continue;
      const time = new Date(now).toISOString();
      await database.write((transaction) => queueWaiting(transaction, vector, time));
    }
  };
}
