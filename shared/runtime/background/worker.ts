/**
 * The worker of a project. It hands outboxes to the queue, works off the queue, continues deletions of organizations, and
 * renews secrets. It has no timer: its host calls `tick` (contract 3.3, 3.4, 8).
 */
import { JOB_SLOTS } from "../../contract/mod.ts";
import { hasEmbeddings, type ProjectModel } from "../../model/mod.ts";
import { databaseQueue } from "../data/database_queue.ts";
import { publishing } from "../realtime/publisher.ts";
import { createCollection } from "./collection.ts";
import { Slots } from "./consumer.ts";
import { createGlance } from "./glance.ts";
import { openOutboxes } from "./kinds.ts";
import { createPurgeWork } from "./purge.ts";
import { createReleaseWork } from "./release_members.ts";
import { createRenewal } from "./renew_secrets.ts";
import { createSchedules } from "./schedules.ts";
import { createLogPruning } from "./security_log.ts";
import { createTenantsWork, type TenantWork } from "./tenants.ts";
import type { BackgroundOptions, BackgroundPorts, WorkPlace } from "./work_place.ts";

export interface BackgroundWorker {
  /** Starts due jobs and returns their number. Do not call it while it runs. */
  tick(): Promise<number>;
  /** Resolves when nothing is in progress. */
  settled(): Promise<void>;
  /** Registers a function that is called when an attempt has ended and its place is free. */
  onFree(freed: () => void): void;
}

export function createBackgroundWorker(
  project: ProjectModel,
  ports: BackgroundPorts,
  options: BackgroundOptions = {},
): BackgroundWorker {
  const published = publishing(project, ports);
  const slots = new Slots(options.jobSlots ?? JOB_SLOTS);
  const { tenants } = ports;
  let freed = () => {};
  const onFree = () => freed();
  const work = workAt({ project, ports, means: { ...options, slots, published, onFree } });
  const schedule = createSchedules(project, options.authored ?? {}, ports);
  const removeTenant = tenants ? (id: string) => tenants.remove(id) : null;
  const purge = createPurgeWork(project, { ...ports, removeTenant });
  const collect = createCollection(project, ports);
  const pruneLog = createLogPruning(ports);
  const release = createReleaseWork(project, { ...ports, database: published(ports.database) });
  const organizations = tenants
    ? createTenantsWork({ ...ports, tenants, makesVectors: hasEmbeddings(project) }, (own, id) => {
      // A run may queue further work, whose commit must leave a mark.
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
      return workOfOrganization({ project, ports: { ...ports, ...own }, means });
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
      const isReleasing = await release();
      const steps = [isPurging, isCollecting, isPruning, isReleasing];
      return ticks + taken + steps.filter((is) => is).length +
        (await organizations?.tick() ?? 0);
    },
    async settled() {
      await work.settled();
      await organizations?.settled();
    },
    onFree: (listener) => void (freed = listener),
  };
}

/** Makes the work in one database. */
function workAt(place: WorkPlace) {
  const { project, ports } = place;
  const outboxes = openOutboxes(place);
  const renew = project.webhooks.outbound ? createRenewal(ports) : null;
  const glance = createGlance({
    ...ports,
    queue: ports.webhooks.queue,
    tables: outboxes.map(({ tableName }) => tableName),
    multiTenant: project.multiTenant,
  });
  return {
    glance,
    renew: async () => await renew?.() ?? false,
    async queueDue() {
      for (const outbox of outboxes) await outbox.queueDue();
    },
    get isAtRest() {
      return outboxes.every((outbox) => outbox.isAtRest);
    },
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

/** Makes the work of an organization. Its queue is in its own database, so that one transaction changes both. */
function workOfOrganization({ project, ports, means }: WorkPlace): TenantWork {
  const webhooks = { ...ports.webhooks, queue: databaseQueue(ports) };
  return workAt({ project, ports: { ...ports, webhooks, tenants: null }, means });
}
