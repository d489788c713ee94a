/**
 * What a worker does now and then: has queued anew what a queue may have lost, and forgets what is long over. The tables
 * are the outbox, so that a queue need not be more durable than its host makes it (contract 3.3, 3.4).
 */
import { PROCESSING_ATTEMPTS } from "../../contract/webhooks.ts";
import { hasPassed } from "../../lib/clock_steps.ts";
import type { ProjectModel } from "../../model/project.ts";
import { receives } from "../../model/webhooks.ts";
import { requeueOverdueMessages } from "../data/push/messages.ts";
import { pruneDeliveries, type QueuedRange, requeueOverdue } from "../data/webhooks/deliveries.ts";
import { pruneEvents, requeueOverdueEvents } from "../data/webhooks/events.ts";
import type { Clock, Database, Queue } from "../ports.ts";

interface HousekeepingPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly webhooks: { readonly queue: Queue };
}

interface HousekeepingOptions {
  readonly project: ProjectModel;
  /** Milliseconds after which a job that should have been done is taken for lost. */
  readonly requeueAfter: number;
}

interface Housekeeping {
  /** Does what is due by now; cheap when nothing is. */
  tick(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
/** Rows changed in one transaction: others wait for it. */
const ROWS_AT_ONCE = 500;

export function createHousekeeping(
  { project, requeueAfter }: HousekeepingOptions,
  ports: HousekeepingPorts,
): Housekeeping {
  const { clock } = ports;
  let requeuedAt: number | null = null;
  /** Of the last time that left nothing to prune. */
  let prunedAt: number | null = null;
  return {
    async tick() {
      const now = clock.now();
      if (requeuedAt === null || hasPassed(requeueAfter / 2, requeuedAt, now)) {
        requeuedAt = now;
        await requeueLost(project, ports, {
          before: isoOf(now - requeueAfter),
          after: isoOf(now + requeueAfter),
        });
      }
      const { retentionDays } = project.webhooks;
      if (retentionDays === null) return;
      if (prunedAt === null || hasPassed(PRUNE_EVERY_MS, prunedAt, now)) {
        // A full batch means that there is more: the next one follows soon, in a transaction of its own.
        const isMore = await prune(project, ports, now - retentionDays * DAY_MS);
        prunedAt = isMore ? null : now;
      }
    },
  };
}

/** Reads happen in the write's transaction: what is found is still so. */
async function requeueLost(
  { webhooks, realtime }: ProjectModel,
  { database }: HousekeepingPorts,
  range: QueuedRange,
): Promise<void> {
  await database.write(async (transaction) => {
    if (webhooks.outbound) await requeueOverdue(transaction, range, ROWS_AT_ONCE);
    if (receives(webhooks)) {
      const options = { limit: ROWS_AT_ONCE, attempts: PROCESSING_ATTEMPTS };
      await requeueOverdueEvents(transaction, range, options);
    }
    if (realtime.push) await requeueOverdueMessages(transaction, range, ROWS_AT_ONCE);
  });
}

/** True when there may be more. */
async function prune(
  { webhooks, realtime }: ProjectModel,
  { database, webhooks: { queue } }: HousekeepingPorts,
  before: number,
): Promise<boolean> {
  const counts: number[] = [];
  if (realtime.push) await queue.forget("push-messages", before);
  const pruned = { limit: ROWS_AT_ONCE, attempts: PROCESSING_ATTEMPTS };
  if (webhooks.outbound) {
    counts.push(
      await database.write((transaction) =>
        pruneDeliveries(transaction, isoOf(before), ROWS_AT_ONCE)
      ),
    );
    await queue.forget("webhook-deliveries", before);
  }
  if (receives(webhooks)) {
    counts.push(
      await database.write((transaction) => pruneEvents(transaction, isoOf(before), pruned)),
    );
    await queue.forget("webhook-events", before);
  }
  return counts.some((count) => count >= ROWS_AT_ONCE);
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
