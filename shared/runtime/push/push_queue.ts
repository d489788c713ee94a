/** Push messages in the worker: handed over to the queue, and worked off (definitions 7). */
import type { ProjectModel } from "../../model/project.ts";
import { markMessagesQueued, selectUnqueuedMessages } from "../data/push/messages.ts";
import { subscriptionNames } from "../data/push/subscriptions.ts";
import type { Clock, Database, Logger, WebhookPorts } from "../ports.ts";
import { type Consumer, createConsumer } from "../worker/consumer.ts";
import { longestWait } from "../worker/retry_schedule.ts";
import { deliverPush } from "./deliver_push.ts";

interface PushQueuePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly webhooks: WebhookPorts;
}

const SLOTS = 64;
const SLOTS_PER_SUBSCRIPTION = 4;

/** Null: the project sends none. Throws when the host brings nothing to encrypt them with. */
export function pushConsumer(
  project: ProjectModel,
  { database, clock, logger, webhooks }: PushQueuePorts,
  lease: number,
): Consumer | null {
  const names = subscriptionNames(project);
  if (names === null) return null;
  const { queue, resolver, dialer, push } = webhooks;
  if (!push) {
    throw new Error("Cannot start: the project has push messages, and the host no keys for them");
  }
  const ports = { database, clock, logger, resolver, dialer, push };
  const rules = { names, schedule: project.webhooks.schedule };
  return createConsumer({
    queue,
    clock,
    logger,
    name: "push-messages",
    slots: SLOTS,
    slotsPerPayload: SLOTS_PER_SUBSCRIPTION,
    lease,
    longestWait: longestWait(rules.schedule),
    process: (job) => deliverPush(job, ports, rules),
  });
}

/** As deliveries of webhooks are: what is handed over twice is known to the queue. */
export async function queueMessages(
  { database, clock, webhooks }: PushQueuePorts,
  limit: number,
): Promise<void> {
  const rows = await selectUnqueuedMessages(database, limit);
  if (rows.length === 0) return;
  const dueAt = clock.now();
  const jobs = rows.map(({ id, subscriptionId }) => ({ id, payload: subscriptionId, dueAt }));
  await webhooks.queue.add("push-messages", jobs);
  const now = new Date(dueAt).toISOString();
  const ids = rows.map(({ id }) => id);
  await database.write((transaction) => markMessagesQueued(transaction, ids, now));
}
