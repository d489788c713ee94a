/** Kinds of background work: how the rows of each outbox are attempted. */
import { type OutboxName, outboxOf, SERVICE_TABLES, type ServiceTable } from "../../model/mod.ts";
import { attributes, outboxesOf } from "../../model/mod.ts";
import { handlerHomeOf } from "../authored/handler_home.ts";
import { unattendedWork } from "../authored/unattended_work.ts";
import { createAuditing } from "../data/changes/auditing.ts";
import { adoptJob, type JobRow } from "../data/job_runs.ts";
import { elsewhereIn } from "../data/scoped_db/open_scoped_db.ts";
import { createNewId } from "../data/stamps.ts";
import { attributeEvent } from "../data/webhooks/events.ts";
import { LEASE_MS } from "./consumer.ts";
import { deliveryWork } from "./deliveries.ts";
import { eventWork } from "./events.ts";
import { type JobMeans, jobWork } from "./jobs.ts";
import { type OpenOutbox, openOutbox, type OutboxRow, type OutboxWork } from "./outbox.ts";
import { pushWork } from "./push.ts";
import { createVectorQueue } from "./vectors.ts";
import type { WorkPlace } from "./work_place.ts";

/** Opens the work of a kind, independent of its row type. */
type Open = <Row extends OutboxRow>(work: OutboxWork<Row>) => OpenOutbox;

/** Each kind by its table. A new kind needs its record in `SERVICE_TABLES`, and a line here. */
const KINDS: Readonly<Record<OutboxName, (place: WorkPlace, open: Open) => OpenOutbox>> = {
  webhook_deliveries: (place, open) => open(deliveriesAt(place)),
  webhook_events: (place, open) => open(eventsAt(place)),
  push_messages: ({ project, ports, means: { directory } }, open) =>
    open(pushWork(project, { ...ports, directory })),
  quickback_job_runs: (place, open) => open(jobWork(jobMeans(place))),
};

/**
 * Milliseconds after which a row is handed to the queue again. It is longer than a busy worker's wait, and has no effect if the
 * queue still has the job.
 */
const REQUEUE_AFTER_MS = 60_000;

/** Opens the outboxes whose rows are in this database. */
export function openOutboxes(place: WorkPlace): readonly OpenOutbox[] {
  const { project, ports, means } = place;
  const { lease = LEASE_MS, requeueAfter = REQUEUE_AFTER_MS, logsAttempts = false } = means;
  const options = { lease, requeueAfter, logsAttempts, onFree: means.onFree };
  const isHere = ({ home }: ServiceTable) => means.directory === undefined || home !== "directory";
  return outboxesOf(project).filter(({ name }) => isHere(SERVICE_TABLES[name])).map(({ name }) => {
    const { queue, ...table } = outboxOf(name);
    return KINDS[name](place, (work) => openOutbox({ ...work, queue, table }, options, ports));
  });
}

function deliveriesAt({ project, ports, means: { endEndpoints } }: WorkPlace) {
  const { webhooks: { schedule, retentionDays }, database } = project;
  const sending = { ...ports, ...ports.webhooks, ...(endEndpoints ? { endEndpoints } : {}) };
  const allowInsecure = database.webhookAllowInsecure;
  return deliveryWork(sending, { allowInsecure, schedule, retentionDays });
}

function eventsAt(place: WorkPlace) {
  const { project, ports } = place;
  const unattended = unattendedMeans(place);
  return eventWork({
    code: unattended.home.code,
    work: (operation) => unattendedWork({ ...unattended, operation }),
    attribute: attributes(project)
      ? (eventId, organizationId) =>
        ports.database.write((transaction) =>
          attributeEvent(transaction, { eventId, organizationId, isNamed: false })
        )
      : null,
    retentionDays: project.webhooks.retentionDays,
  }, ports);
}

/** Returns the means of work without a caller. */
function unattendedMeans({ project, ports, means }: WorkPlace) {
  const { authored, schema, published, running, directory } = means;
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
      clock: ports.clock,
      random: ports.random,
      ...(accounts ? { directory: accounts } : {}),
    }),
    newId: createNewId(ports.random),
    auditing: createAuditing(project, ports),
  };
}

/**
 * Returns the means of jobs. Jobs of an organization run in its own database; those queued in the directory are moved there
 * first.
 */
function jobMeans(place: WorkPlace): JobMeans {
  const { project, ports, means } = place;
  const { timer, tenants, clock } = ports;
  if (!timer) throw new Error("Cannot start: the project has jobs, and the host no timer");
  const unattended = unattendedMeans(place);
  const passOn = tenants && (async (row: JobRow) => {
    // The organization was checked when the job was queued.
    const own = tenants.of(row.organizationId ?? "", "claimed");
    await own.write((transaction) => adoptJob(transaction, row, clock.now()));
  });
  return {
    ...unattended,
    ports: { ...unattended.ports, timer },
    elsewhere: tenants ? elsewhereIn(tenants) : null,
    slots: means.slots,
    queueVectors: createVectorQueue(project, {
      ...ports,
      // A queued job is work too, and must leave a mark even without a look.
      database: means.running ?? ports.database,
      home: means.directory ? "tenant" : tenants ? "directory" : null,
    }),
    ...(passOn ? { passOn } : {}),
  };
}
