/**
 * The worker of a project: hands its outboxes over to the queue, works the queue off, goes on with the deletion of
 * organizations, and seals secrets anew. It owns no timer; its host calls `tick` (contract 3.3, 3.4, 8).
 */
import { JOB_RETENTION_DAYS, JOB_SLOTS } from "../contract/jobs.ts";
import { hasJobs } from "../model/jobs.ts";
import type { ProjectModel } from "../model/project.ts";
import { receives } from "../model/webhooks.ts";
import type { AuthoredCode } from "../surface/authored_code.ts";
import { handlerHomeOf } from "./authored/handler_home.ts";
import { unattendedWork } from "./authored/unattended_work.ts";
import { databaseQueue } from "./data/database_queue.ts";
import type { DrizzleSchema } from "./data/scoped_db/open_scoped_db.ts";
import { createNewId } from "./data/stamps.ts";
import { jobOutbox } from "./jobs/run_job.ts";
import { createSchedules } from "./jobs/schedules.ts";
import { createPurgeWork } from "./operations/delete_organization.ts";
import type {
  Clock,
  Database,
  Logger,
  Randomness,
  RealtimePorts,
  TenantDatabases,
  Timer,
  WebhookPorts,
} from "./ports.ts";
import { publishing } from "./realtime/publisher.ts";
import { pushOutbox } from "./webhooks/outbound/deliver_push.ts";
import { eventOutbox } from "./webhooks/inbound/receive_event.ts";
import { deliveryOutbox } from "./webhooks/outbound/deliver.ts";
import { createRenewal } from "./webhooks/outbound/renew_secrets.ts";
import { LEASE_MS } from "./worker/consumer.ts";
import { createTenantsWork, type TenantPorts, type TenantWork } from "./worker/tenants.ts";
import { createGlance } from "./worker/glance.ts";
import { type OpenOutbox, openOutbox } from "./worker/outbox.ts";

interface WebhookWorkerPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly logger: Logger;
  readonly webhooks: WebhookPorts;
  /** Absent: writes of handlers are not published. */
  readonly realtime?: RealtimePorts;
  /** Needed by projects with jobs, and by no other. */
  readonly timer?: Timer;
  /** Databases of organizations; null or absent: the one database has all rows. */
  readonly tenants?: TenantDatabases | null;
}

export interface WebhookWorkerOptions {
  /** Code of `onWebhookEvent` and `defineWebhookProvider` (contract 6.2). */
  readonly authored?: AuthoredCode;
  /** Drizzle's tables, for the databases of handlers. */
  readonly schema?: DrizzleSchema;
  /** Milliseconds after which the jobs of a dead worker go on. */
  readonly lease?: number;
  /** Milliseconds after which a job that should have been done is taken for lost by the queue. */
  readonly requeueAfter?: number;
  /** Each attempt is logged, whatever its end; default: only what went wrong here. */
  readonly logsAttempts?: boolean;
  /** Jobs under way at a time. */
  readonly jobSlots?: number | undefined;
}

export interface WebhookWorker {
  /** Starts the due jobs; returns how many were taken. Not to be called while it runs. */
  tick(): Promise<number>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

/** Longer than any wait of a busy worker's own; a queue that still has the job is not disturbed. */
const REQUEUE_AFTER_MS = 60_000;

export function createWebhookWorker(
  project: ProjectModel,
  ports: WebhookWorkerPorts,
  options: WebhookWorkerOptions = {},
): WebhookWorker {
  const published = publishing(project, ports);
  const work = oneDatabase(project, ports, options, published);
  const schedule = createSchedules(project, options.authored ?? {}, ports);
  const { tenants } = ports;
  const removeTenant = tenants ? (id: string) => tenants.remove(id) : null;
  const purge = createPurgeWork(project, { ...ports, removeTenant });
  const organizations = tenants
    ? createTenantsWork({ ...ports, tenants }, (own) => ofOrganization(project, own, options))
    : null;
  return {
    async tick() {
      const ticks = await schedule();
      const isQuiet = await work.glance() ? undefined : "quiet";
      const isPurging = !isQuiet && await purge();
      const taken = await work.tick(isQuiet);
      return ticks + taken + (isPurging ? 1 : 0) + (await organizations?.tick() ?? 0);
    },
    async settled() {
      await work.settled();
      await organizations?.settled();
    },
  };
}

type Published = (database: Database) => Database;

/** Work in the rows of one database. */
function oneDatabase(
  project: ProjectModel,
  ports: WebhookWorkerPorts,
  options: WebhookWorkerOptions,
  published: Published,
) {
  const outboxes = outboxesOf(project, ports, options, published);
  const renew = project.webhooks.outbound ? createRenewal(ports) : null;
  const glance = createGlance({
    ...ports,
    queue: ports.webhooks.queue,
    tables: outboxes.map(({ tableName }) => tableName),
    multiTenant: project.multiTenant,
  });
  return {
    glance,
    async tick(isQuiet?: "quiet") {
      let taken = await renew?.() ? 1 : 0;
      for (const outbox of outboxes) taken += await outbox.tick(isQuiet);
      return taken;
    },
    /** True while a row is not settled. */
    async waits() {
      for (const outbox of outboxes) if (await outbox.waits()) return true;
      return false;
    },
    async settled() {
      for (const outbox of outboxes) await outbox.settled();
    },
  };
}

/** Its queue stands beside its rows, whatever queue the directory has: one transaction moves both. */
function ofOrganization(
  project: ProjectModel,
  ports: TenantPorts,
  options: WebhookWorkerOptions,
): TenantWork {
  const queue = databaseQueue(ports);
  const webhooks = { ...ports.webhooks, queue };
  // Events that came in stand in the directory.
  const own = { ...project, webhooks: { ...project.webhooks, inbound: [] } };
  return oneDatabase(own, { ...ports, webhooks }, options, (database) => database);
}

/** Outboxes of the project: deliveries, inbound events, push messages, jobs. */
function outboxesOf(
  project: ProjectModel,
  ports: WebhookWorkerPorts,
  {
    authored,
    schema,
    lease = LEASE_MS,
    requeueAfter = REQUEUE_AFTER_MS,
    logsAttempts = false,
    jobSlots = JOB_SLOTS,
  }: WebhookWorkerOptions,
  published: Published,
): readonly OpenOutbox[] {
  const { webhooks, database: { webhookAllowInsecure: allowInsecure } } = project;
  const { retentionDays } = webhooks;
  const options = { lease, requeueAfter, retentionDays, logsAttempts };
  const opened: OpenOutbox[] = [];
  if (webhooks.outbound) {
    const { schedule } = webhooks;
    const outbox = deliveryOutbox({ ...ports, ...ports.webhooks }, { allowInsecure, schedule });
    opened.push(openOutbox(outbox, options, ports));
  }
  const { tenants = null } = ports;
  const unattended = () => ({
    project,
    ports: {
      ...ports,
      database: published(ports.database),
      tenantDatabase: tenants && ((id: string) => published(tenants.of(id, "known"))),
    },
    home: handlerHomeOf(project, {
      authored,
      schema,
      env: ports.webhooks.env,
      ...(tenants ? { directory: ports.database } : {}),
    }),
    newId: createNewId(ports.random),
  });
  if (receives(webhooks)) {
    const means = unattended();
    const work = unattendedWork(means);
    opened.push(openOutbox(eventOutbox({ code: means.home.code, work }, ports), options, ports));
  }
  const push = pushOutbox(project, ports);
  if (push !== null) opened.push(openOutbox(push, options, ports));
  if (hasJobs(project)) {
    const { timer } = ports;
    if (!timer) throw new Error("Cannot start: the project has jobs, and the host no timer");
    const means = unattended();
    const outbox = jobOutbox({ ...means, ports: { ...means.ports, timer }, slots: jobSlots });
    const retentionDays = JOB_RETENTION_DAYS.failed;
    opened.push(openOutbox(outbox, { ...options, retentionDays }, ports));
  }
  return opened;
}
