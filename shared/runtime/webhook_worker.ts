/**
 * The worker of a project: hands its outboxes over to the queue, works the queue off, goes on with the deletion of
 * organizations, and seals secrets anew. It owns no timer; its host calls `tick` (contract 3.3, 3.4, 8).
 */
import { JOB_RETENTION_DAYS, JOB_SLOTS } from "../contract/mod.ts";
import { attributes, hasEmbeddings, hasJobs, type ProjectModel, receives } from "../model/mod.ts";
import type { AuthoredCode } from "../surface/mod.ts";
import { handlerHomeOf } from "./authored/handler_home.ts";
import { unattendedWork } from "./authored/unattended_work.ts";
import { createAuditing } from "./data/changes/auditing.ts";
import { databaseQueue } from "./data/database_queue.ts";
import { adoptJob, type JobRow } from "./data/job_runs.ts";
import { type DrizzleSchema, elsewhereIn } from "./data/scoped_db/open_scoped_db.ts";
import { createNewId } from "./data/stamps.ts";
import { type JobMeans, jobOutbox } from "./jobs/run_job.ts";
import { createVectorQueue } from "./jobs/queue_vectors.ts";
import { createSchedules } from "./jobs/schedules.ts";
import { createCollection } from "./operations/files/collect.ts";
import { createPurgeWork } from "./operations/delete_organization.ts";
import type {
  Clock,
  Database,
  FilePorts,
  Logger,
  Randomness,
  RealtimePorts,
  RowQuota,
  TenantDatabases,
  Timer,
  WebhookPorts,
} from "./ports.ts";
import { publishing } from "./realtime/publisher.ts";
import { pushOutbox } from "./webhooks/outbound/deliver_push.ts";
import { attributeEvent } from "./data/webhooks/events.ts";
import { eventOutbox } from "./webhooks/inbound/receive_event.ts";
import { deliveryOutbox } from "./webhooks/outbound/deliver.ts";
import { createRenewal } from "./webhooks/outbound/renew_secrets.ts";
import { LEASE_MS, Slots } from "./worker/consumer.ts";
import { createTenantsWork, type TenantWork } from "./worker/tenants.ts";
import { createGlance } from "./worker/glance.ts";
import { type OpenOutbox, openOutbox } from "./worker/outbox.ts";
import { createLogPruning } from "./worker/security_log.ts";

interface WebhookWorkerPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly logger: Logger;
  readonly webhooks: WebhookPorts;
  /** Absent: writes of handlers are not published. */
  readonly realtime?: RealtimePorts;
  /** Needed by projects with files, and by no other. */
  readonly files?: FilePorts | null;
  /** Needed by projects with jobs, and by no other. */
  readonly timer?: Timer;
  /** Databases of organizations; null or absent: the one database has all rows. */
  readonly tenants?: TenantDatabases | null;
  /** Null or absent: a tenant may have any number of rows. */
  readonly rowQuota?: RowQuota | null;
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
  /** Calls when an attempt has ended, and something else may take its place. */
  onFree(freed: () => void): void;
}

/** Longer than any wait of a busy worker's own; a queue that still has the job is not disturbed. */
const REQUEUE_AFTER_MS = 60_000;

export function createWebhookWorker(
  project: ProjectModel,
  ports: WebhookWorkerPorts,
  options: WebhookWorkerOptions = {},
): WebhookWorker {
  const published = publishing(project, ports);
  const slots = new Slots(options.jobSlots ?? JOB_SLOTS);
  const { tenants } = ports;
  let freed = () => {};
  const onFree = () => freed();
  const work = oneDatabase(project, ports, { ...options, slots, published, onFree });
  const schedule = createSchedules(project, options.authored ?? {}, ports);
  const removeTenant = tenants ? (id: string) => tenants.remove(id) : null;
  const purge = createPurgeWork(project, { ...ports, removeTenant });
  const collect = createCollection(project, ports);
  const pruneLog = createLogPruning(ports);
  const organizations = tenants
    ? createTenantsWork({ ...ports, tenants, makesVectors: hasEmbeddings(project) }, (own, id) => {
      // What a run writes may be work, too, which its commit must not leave unmarked.
      const running = published(tenants.of(id, "never"));
      const means = {
        ...options,
        slots,
        published,
        running,
        onFree,
        directory: ports.database,
        endEndpoints: () => tenants.endEndpoints(id),
      };
      return ofOrganization(project, { ...ports, ...own }, means);
    })
    : null;
  return {
    async tick() {
      const ticks = await schedule();
      const isQuiet = await work.glance() ? undefined : "quiet";
      const isPurging = !isQuiet && await purge();
      const taken = await work.tick(isQuiet);
      const isCollecting = await collect();
      const isPruning = await pruneLog();
      return ticks + taken + [isPurging, isCollecting, isPruning].filter((is) => is).length +
        (await organizations?.tick() ?? 0);
    },
    async settled() {
      await work.settled();
      await organizations?.settled();
    },
    onFree: (listener) => void (freed = listener),
  };
}

interface WorkMeans extends WebhookWorkerOptions {
  /** Places of running jobs, in all databases together. */
  readonly slots: Slots;
  /** The database with what is told of its writes. */
  readonly published: (database: Database) => Database;
  readonly onFree: () => void;
  /** Of an organization: where its jobs run. */
  readonly running?: Database;
  /** Of an organization: has the accounts. */
  readonly directory?: Database;
  /** Of an organization: disables endpoints that are over. */
  readonly endEndpoints?: () => Promise<void>;
}

/** Work in the rows of one database. */
function oneDatabase(
  project: ProjectModel,
  ports: WebhookWorkerPorts,
  means: WorkMeans,
) {
  const outboxes = outboxesOf(project, ports, means);
  const renew = project.webhooks.outbound ? createRenewal(ports) : null;
  const queueVectors = createVectorQueue(project, {
    ...ports,
    // What is queued is work, too, which a look without a mark must not leave unmarked.
    database: means.running ?? ports.database,
    home: means.directory ? "tenant" : ports.tenants ? "directory" : null,
  });
  const glance = createGlance({
    ...ports,
    queue: ports.webhooks.queue,
    tables: outboxes.map(({ tableName }) => tableName),
    multiTenant: project.multiTenant,
  });
  return {
    glance,
    renew: async () => await renew?.() ?? false,
    queueVectors: async () => await queueVectors?.(),
    get isAtRest() {
      return outboxes.every((outbox) => outbox.isAtRest);
    },
    async tick(isQuiet?: "quiet") {
      let taken = await renew?.() ? 1 : 0;
      await queueVectors?.(isQuiet);
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
  ports: WebhookWorkerPorts,
  means: WorkMeans,
): TenantWork {
  const queue = databaseQueue(ports);
  const webhooks = { ...ports.webhooks, queue };
  // Events that came in stand in the directory.
  const own = { ...project, webhooks: { ...project.webhooks, inbound: [] } };
  return oneDatabase(own, { ...ports, webhooks, tenants: null }, means);
}

function attributionIn(database: Database) {
  return (eventId: string, organizationId: string) =>
    database.write((transaction) =>
      attributeEvent(transaction, { eventId, organizationId, isNamed: false })
    );
}

/** Outboxes of the project: deliveries, inbound events, push messages, jobs. */
function outboxesOf(
  project: ProjectModel,
  ports: WebhookWorkerPorts,
  means: WorkMeans,
): readonly OpenOutbox[] {
  const { lease = LEASE_MS, requeueAfter = REQUEUE_AFTER_MS, logsAttempts = false } = means;
  const { webhooks, database: { webhookAllowInsecure: allowInsecure } } = project;
  const { retentionDays } = webhooks;
  const { onFree } = means;
  const options = { lease, requeueAfter, retentionDays, logsAttempts, onFree };
  const opened: OpenOutbox[] = [];
  if (webhooks.outbound) {
    const { schedule } = webhooks;
    const { endEndpoints } = means;
    const sending = { ...ports, ...ports.webhooks, ...(endEndpoints ? { endEndpoints } : {}) };
    const outbox = deliveryOutbox(sending, { allowInsecure, schedule });
    opened.push(openOutbox(outbox, options, ports));
  }
  if (receives(webhooks)) {
    const unattended = unattendedMeans(project, ports, means);
    const work = (operation: string) => unattendedWork({ ...unattended, operation });
    const attribute = attributes(project) ? attributionIn(ports.database) : null;
    const outbox = eventOutbox({ code: unattended.home.code, work, attribute }, ports);
    opened.push(openOutbox(outbox, options, ports));
  }
  const push = pushOutbox(project, { ...ports, directory: means.directory });
  if (push !== null) opened.push(openOutbox(push, options, ports));
  if (hasJobs(project)) {
    const outbox = jobOutbox(jobMeans(project, ports, means));
    const retentionDays = JOB_RETENTION_DAYS.failed;
    opened.push(openOutbox(outbox, { ...options, retentionDays }, ports));
  }
  return opened;
}

/** For code that no caller started. */
function unattendedMeans(
  project: ProjectModel,
  ports: WebhookWorkerPorts,
  { authored, schema, published, running, directory }: WorkMeans,
) {
  const { tenants = null } = ports;
  const accounts = directory ?? (tenants ? ports.database : undefined);
  return {
    project,
    ports: {
      ...ports,
      database: running ?? published(ports.database),
      tenantDatabase: tenants && ((id: string) => published(tenants.of(id, "known"))),
    },
    home: handlerHomeOf(project, {
      authored,
      schema,
      env: ports.webhooks.env,
      rowQuota: ports.rowQuota,
      random: ports.random,
      ...(accounts ? { directory: accounts } : {}),
    }),
    newId: createNewId(ports.random),
    auditing: createAuditing(project, ports),
  };
}

/** Jobs of an organization run in its own database; those that were queued in the directory go there first. */
function jobMeans(project: ProjectModel, ports: WebhookWorkerPorts, means: WorkMeans): JobMeans {
  const { timer, tenants, clock } = ports;
  if (!timer) throw new Error("Cannot start: the project has jobs, and the host no timer");
  const unattended = unattendedMeans(project, ports, means);
  const passOn = tenants && (async (row: JobRow) => {
    // Whoever queued it there was believed.
    const own = tenants.of(row.organizationId ?? "", "claimed");
    await own.write((transaction) => adoptJob(transaction, row, clock.now()));
  });
  return {
    ...unattended,
    ports: { ...unattended.ports, timer },
    elsewhere: tenants ? elsewhereIn(tenants) : null,
    slots: means.slots,
    ...(passOn ? { passOn } : {}),
  };
}
