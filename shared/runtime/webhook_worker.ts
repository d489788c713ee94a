/**
 * The worker of a project: hands the outboxes of webhooks and push messages over to the queue, works the queue off, and goes
 * on with the deletion of organizations. It owns
 * no timer; its host calls `tick` (contract 3.3, 3.4, 8).
 */
import type { ProjectModel } from "../model/project.ts";
import { receives } from "../model/webhooks.ts";
import type { AuthoredCode } from "../surface/authored_code.ts";
import { handlerHomeOf } from "./authored/handler_home.ts";
import { unattendedWork } from "./authored/unattended_work.ts";
import type { DrizzleSchema } from "./data/scoped_db/open_scoped_db.ts";
import { markQueued, selectUnqueued } from "./data/webhooks/deliveries.ts";
import type { Clock, Database, Logger, Randomness, RealtimePorts, WebhookPorts } from "./ports.ts";
import { createNewId } from "./operations/new_id.ts";
import { type Consumer, createConsumer, LEASE_MS } from "./worker/consumer.ts";
import { pushConsumer, queueMessages } from "./push/push_queue.ts";
import { createPurgeWork } from "./operations/purge_work.ts";
import { createHousekeeping } from "./webhooks/housekeeping.ts";
import { inboundConsumer, queueEvents } from "./webhooks/inbound/process_event.ts";
import { deliver } from "./webhooks/outbound/deliver.ts";
import { longestWait } from "./worker/retry_schedule.ts";

interface WebhookWorkerPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly logger: Logger;
  readonly webhooks: WebhookPorts;
  /** Absent: what handlers write is told to nobody. */
  readonly realtime?: RealtimePorts;
}

export interface WebhookWorkerOptions {
  /** What `onWebhookEvent` and `defineWebhookProvider` say (contract 6.2). */
  readonly authored?: AuthoredCode;
  /** Drizzle's tables, for the databases of handlers. */
  readonly schema?: DrizzleSchema;
  /** Milliseconds after which the jobs of a dead worker go on. */
  readonly lease?: number;
  /** Milliseconds after which a job that should have been done is taken for lost by the queue. */
  readonly requeueAfter?: number;
}

export interface WebhookWorker {
  /** Starts what is due; tells how many jobs were taken. Not to be called while it runs. */
  tick(): Promise<number>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

/** Longer than any wait of a busy worker's own; a queue that still has the job is not disturbed. */
const REQUEUE_AFTER_MS = 60_000;
const DELIVERY_SLOTS = 64;
const SLOTS_PER_ENDPOINT = 4;
/** Rows handed over to the queue at a time. */
const OUTBOX_BATCH = 200;
/** Enough for several instances; what is more than that waits in the outbox, where it is in nobody's way. */
const QUEUED_PER_ENDPOINT = 64;

export function createWebhookWorker(
  project: ProjectModel,
  ports: WebhookWorkerPorts,
  options: WebhookWorkerOptions = {},
): WebhookWorker {
  const { authored, schema, lease = LEASE_MS } = options;
  const home = handlerHomeOf(project, { authored, schema, env: ports.webhooks.env });
  const work = unattendedWork({ project, ports, home, newId: createNewId(ports.random) });
  const { requeueAfter = REQUEUE_AFTER_MS } = options;
  const { outbound } = project.webhooks;
  const isReceiving = receives(project.webhooks);
  const push = pushConsumer(project, ports, lease);
  const consumers = [
    ...(outbound ? [outboundConsumer(project, ports, lease)] : []),
    ...(isReceiving ? [inboundConsumer({ code: home.code, work, lease }, ports)] : []),
    ...(push === null ? [] : [push]),
  ];
  const purge = createPurgeWork(project, ports);
  const housekeeping = createHousekeeping({ project, requeueAfter }, ports);
  return {
    async tick() {
      if (consumers.length > 0) await housekeeping.tick();
      if (outbound) await queueDeliveries(ports);
      if (isReceiving) await queueEvents(ports, OUTBOX_BATCH);
      if (push !== null) await queueMessages(ports, OUTBOX_BATCH);
      let taken = await purge() ? 1 : 0;
      for (const consumer of consumers) taken += await consumer.tick();
      return taken;
    },
    async settled() {
      for (const consumer of consumers) await consumer.settled();
    },
  };
}

function outboundConsumer(
  project: ProjectModel,
  ports: WebhookWorkerPorts,
  lease: number,
): Consumer {
  const { database, clock, logger, webhooks: { queue, resolver, dialer, secrets } } = ports;
  const rules = {
    allowInsecure: project.database.webhookAllowInsecure,
    schedule: project.webhooks.schedule,
  };
  return createConsumer({
    queue,
    clock,
    logger,
    name: "webhook-deliveries",
    slots: DELIVERY_SLOTS,
    slotsPerPayload: SLOTS_PER_ENDPOINT,
    lease,
    longestWait: longestWait(rules.schedule),
    process: (job) => deliver(job, { database, clock, resolver, dialer, secrets }, rules),
  });
}

/**
 * Jobs carry their delivery's id, and the queue knows them by it: whoever ends between the two steps has only handed over
 * something that will be handed over again, to no effect.
 */
async function queueDeliveries({ database, clock, webhooks }: WebhookWorkerPorts): Promise<void> {
  const dueAt = clock.now();
  const now = new Date(dueAt).toISOString();
  const rows = await selectUnqueued(database, {
    now,
    limit: OUTBOX_BATCH,
    limitPerEndpoint: QUEUED_PER_ENDPOINT,
  });
  if (rows.length === 0) return;
  const jobs = rows.map(({ id, endpointId }) => ({ id, payload: endpointId, dueAt }));
  await webhooks.queue.add("webhook-deliveries", jobs);
  await database.write((transaction) => markQueued(transaction, rows.map(({ id }) => id), now));
}
