/**
 * Tables that the service keeps beside the project's own (definitions 7). They migrate together with them. Whatever treats service
 * tables differently reads their records here: reserved names, databases of organizations, purges, queues, metrics, proofs.
 */
import { DELIVERY_STATUSES, EVENT_STATUSES, PROCESSING_ATTEMPTS } from "../contract/mod.ts";
import type { JobStatus } from "../contract/mod.ts";
import * as audit from "./audit.ts";
import { authTables } from "./auth_tables.ts";
import { FILE_COLLECTIONS, hasFiles } from "./files.ts";
import { hasJobs, JOB_RUNS, SCHEDULE_TICKS } from "./jobs.ts";
import { MEMBER_RELEASES, releasesMembers } from "./member_releases.ts";
import { OAUTH_TABLES } from "./oauth_tables.ts";
import type { ProjectModel } from "./project.ts";
import { PUSH_MESSAGES, PUSH_SUBSCRIPTIONS } from "./realtime.ts";
import * as requests from "./request_tables.ts";
import { SECURITY_EVENTS } from "./security_events.ts";
import { hasSequences, SEQUENCES } from "./sequences.ts";
import type { OutboxLayout, OutboxRecord, OutboxStates, ServiceTable } from "./service_table.ts";
import type { SqlTable } from "./sql_table.ts";
import { isPerOrganization, TENANT_DATABASES } from "./tenancy.ts";
import * as webhooks from "./webhooks.ts";

/** Tables that existed before new names had to begin with `qb_`, which authors may not use. */
type OlderName =
  | `audit_${"events" | "changes" | "chains"}`
  | "idempotency_keys"
  | "organization_purges"
  | "push_messages"
  | "service_key_values"
  | "tenant_databases"
  | `webhook_${"endpoints" | "deliveries" | "events"}`
  | `quickback_${
    | "event_organizations"
    | "file_collections"
    | "job_runs"
    | "jobs"
    | "schedule_ticks"}`;

const ofNobody = { home: "directory", ownedBy: null, onPurge: "keep", inExport: false } as const;
const byOrganization = { kind: "named", column: "organization_id" } as const;

/** The record of each service table by its SQL name. Tables of accounts have none. */
export const SERVICE_TABLES = {
  audit_events: {
    table: audit.AUDIT_EVENTS,
    wanted: () => true,
    home: "tenant",
    // The target of an audit row need not be an organization.
    ownedBy: { kind: "named", column: "target_org_id", orNobody: true },
    onPurge: "keep",
    inExport: true,
    onSplit: "copy",
    sweptBy: ["actor_user_id", "actor_org_id", "target_org_id"],
  },
  audit_changes: {
    table: audit.AUDIT_CHANGES,
    wanted: audit.keepsHistory,
    home: "tenant",
    ownedBy: { kind: "named", column: "chain" },
    // A change keeps its place in the chain and its hash.
    onPurge: "erase",
    inExport: true,
    onSplit: "copy",
    sweptBy: ["chain"],
  },
  audit_chains: {
    table: audit.AUDIT_CHAINS,
    wanted: audit.keepsHistory,
    home: "tenant",
    ownedBy: { kind: "named", column: "chain" },
    onPurge: "keep",
    inExport: true,
    onSplit: "copy",
    sweptBy: ["chain"],
  },
  idempotency_keys: {
    table: requests.IDEMPOTENCY_KEYS,
    wanted: () => true,
    // A repeated write may belong to either database.
    home: "both",
    ownedBy: byOrganization,
    onPurge: "delete",
    inExport: true,
    onSplit: "copy",
    sweptBy: [],
  },
  qb_security_events: {
    table: SECURITY_EVENTS,
    wanted: () => true,
    ...ofNobody,
    onSplit: "copy",
    sweptBy: [],
  },
  organization_purges: {
    table: requests.ORGANIZATION_PURGES,
    wanted: ({ multiTenant }) => multiTenant,
    ...ofNobody,
    onSplit: "copy",
    sweptBy: [],
  },
  tenant_databases: {
    table: TENANT_DATABASES,
    wanted: isPerOrganization,
    ...ofNobody,
    // The split itself writes the rows of the new databases.
    onSplit: "leave",
    sweptBy: [],
    beside: "databases",
  },
  service_key_values: {
    table: requests.KEY_VALUES,
    wanted: ({ auth: { jwt } }) => jwt?.revocationCheck === true,
    ...ofNobody,
    onSplit: "copy",
    sweptBy: [],
  },
  qb_code_guesses: {
    table: requests.CODE_GUESSES,
    // Wanted where some way to sign in uses a code that could be guessed.
    wanted: ({ auth: { signIn } }) => signIn?.emailCode === true || signIn?.twoFactor === true,
    ...ofNobody,
    onSplit: "copy",
    sweptBy: [],
  },
  webhook_endpoints: {
    table: webhooks.WEBHOOK_ENDPOINTS,
    wanted: (project) => project.webhooks.outbound,
    home: "tenant",
    ownedBy: byOrganization,
    onPurge: "delete",
    inExport: true,
    onSplit: "copy",
    sweptBy: [],
  },
  webhook_deliveries: {
    table: webhooks.WEBHOOK_DELIVERIES,
    wanted: (project) => project.webhooks.outbound,
    home: "tenant",
    ownedBy: { kind: "service", column: "endpoint_id", table: webhooks.WEBHOOK_ENDPOINTS },
    onPurge: "delete",
    inExport: true,
    onSplit: "copy",
    sweptBy: [],
    outbox: {
      queue: "webhook-deliveries",
      label: "deliveries",
      dials: true,
      receiver: "endpoint_id",
      // 64 are enough of one endpoint for several instances. More wait here, so that they do not delay other endpoints.
      queuedPerReceiver: 64,
      nextAttempt: "next_retry_at",
      states: {
        fresh: "pending",
        again: "pending",
        done: "delivered",
        dead: "failed",
      } satisfies OutboxStates<typeof DELIVERY_STATUSES[number]>,
    },
  },
  webhook_events: {
    table: webhooks.WEBHOOK_EVENTS,
    wanted: (project) => webhooks.receives(project.webhooks),
    ...ofNobody,
    onSplit: "copy",
    sweptBy: [],
    outbox: {
      queue: "webhook-events",
      label: "events",
      dials: false,
      // Each event is a receiver of its own.
      receiver: "id",
      round: "round",
      unique: ["provider", "external_id"],
      states: {
        fresh: "received",
        begun: "processing",
        again: "failed",
        done: "processed",
        dead: "failed",
        attempts: PROCESSING_ATTEMPTS,
      } satisfies OutboxStates<typeof EVENT_STATUSES[number]>,
    },
  },
  quickback_event_organizations: {
    table: webhooks.EVENT_ORGANIZATIONS,
    wanted: webhooks.attributes,
    home: "directory",
    ownedBy: byOrganization,
    onPurge: "delete",
    inExport: false,
    onSplit: "copy",
    sweptBy: [],
  },
  push_messages: {
    table: PUSH_MESSAGES,
    wanted: ({ realtime }) => realtime.push,
    home: "tenant",
    ownedBy: { kind: "record", column: "subscription_id", table: PUSH_SUBSCRIPTIONS },
    onPurge: "delete",
    inExport: true,
    onSplit: "copy",
    sweptBy: [],
    outbox: {
      queue: "push-messages",
      label: "push",
      dials: true,
      receiver: "subscription_id",
      nextAttempt: "next_attempt_at",
    },
  },
  quickback_job_runs: {
    table: JOB_RUNS,
    wanted: hasJobs,
    home: "tenant",
    ownedBy: byOrganization,
    // A run in progress finds its row gone and keeps nothing.
    onPurge: "delete",
    inExport: true,
    onSplit: "copy",
    sweptBy: [],
    outbox: {
      queue: "jobs",
      label: "jobs",
      dials: false,
      // The work of one organization has one receiver.
      receiver: "organization_id",
      nextAttempt: "next_attempt_at",
      round: "round",
      fence: "lease",
      startedAt: "started_at",
      states: {
        fresh: "queued",
        begun: "running",
        again: "queued",
        done: "done",
        dead: "failed",
      } satisfies OutboxStates<JobStatus>,
    },
  },
  quickback_schedule_ticks: {
    table: SCHEDULE_TICKS,
    wanted: ({ authored: { schedules = [] } }) => schedules.length > 0,
    ...ofNobody,
    onSplit: "copyUnchecked",
    sweptBy: [],
  },
  quickback_file_collections: {
    table: FILE_COLLECTIONS,
    wanted: hasFiles,
    ...ofNobody,
    onSplit: "copyUnchecked",
    sweptBy: [],
    beside: "files",
  },
  qb_sequences: {
    table: SEQUENCES,
    wanted: hasSequences,
    home: "tenant",
    ownedBy: byOrganization,
    onPurge: "delete",
    inExport: true,
    onSplit: "copy",
    sweptBy: ["organization_id"],
  },
  qb_member_releases: {
    table: MEMBER_RELEASES,
    wanted: releasesMembers,
    ...ofNobody,
    onSplit: "copy",
    sweptBy: ["user_id"],
  },
  quickback_jobs: {
    table: webhooks.JOBS,
    wanted: hasWork,
    ...ofNobody,
    home: "both",
    // Waiting messages are handed to the queue anew.
    onSplit: "leave",
    sweptBy: [],
  },
} as const satisfies
  & Readonly<Record<OlderName, ServiceTable>>
  & { readonly [name: `qb_${string}`]: ServiceTable };

type Records = typeof SERVICE_TABLES;
export type ServiceTableName = keyof Records;

/** Name of a table whose rows are work. */
export type OutboxName = {
  [Name in ServiceTableName]: Records[Name] extends { readonly outbox: OutboxRecord } ? Name
    : never;
}[ServiceTableName];

/** Queues of the service. */
export type QueueName = Records[OutboxName]["outbox"]["queue"];

/** Values of the label `outbox` of metrics. */
export type OutboxLabel = Records[OutboxName]["outbox"]["label"];

/** A table whose rows are work, with its columns and states. */
export interface OutboxTable extends OutboxLayout {
  readonly name: string;
}

export interface ServiceOutbox extends OutboxTable {
  readonly name: OutboxName;
  readonly queue: QueueName;
  readonly label: OutboxLabel;
  readonly dials: boolean;
}

/** Returns the records of all service tables. Tables of accounts have none. */
export function serviceRecords(): readonly ServiceTable[] {
  return Object.values<ServiceTable>(SERVICE_TABLES);
}

/** Returns the records of the service tables that this project has. */
export function serviceRecordsOf(project: ProjectModel): readonly ServiceTable[] {
  return serviceRecords().filter(({ wanted }) => wanted(project));
}

/** Returns the outbox of this table: its record's, with the table's name. */
export function outboxOf<Name extends OutboxName>(
  name: Name,
): ServiceOutbox & { readonly name: Name } {
  return { name, ...SERVICE_TABLES[name].outbox };
}

export const SERVICE_TABLE_NAMES: readonly ServiceTableName[] = Object.keys(SERVICE_TABLES)
  .filter((name): name is ServiceTableName => name in SERVICE_TABLES);

export const OUTBOX_NAMES: readonly OutboxName[] = SERVICE_TABLE_NAMES
  .filter((name): name is OutboxName => "outbox" in SERVICE_TABLES[name]);

/** Returns the outboxes that this project has, in the order in which a worker visits them. */
export function outboxesOf(project: ProjectModel): readonly ServiceOutbox[] {
  return OUTBOX_NAMES.filter((name) => SERVICE_TABLES[name].wanted(project)).map(outboxOf);
}

export const QUEUE_NAMES: readonly QueueName[] = OUTBOX_NAMES.map((name) => outboxOf(name).queue);

/** True when the project has work for a worker, and with it a queue. */
export function hasWork(project: ProjectModel): boolean {
  return outboxesOf(project).length > 0;
}

/** Every service table that this project needs, in any order. */
export function serviceTables(project: ProjectModel): readonly SqlTable[] {
  return [
    ...authTables(project.auth),
    ...(project.agents.oauth ? OAUTH_TABLES : []),
    ...serviceRecordsOf(project).map(({ table }) =>
      table === audit.AUDIT_EVENTS && project.auth.impersonation
        ? { ...table, columns: [...table.columns, audit.AUDIT_IMPERSONATOR] }
        : table
    ),
  ];
}

/** Prefixes of SQL names that the service or the database reserves. */
export const RESERVED_PREFIXES = [
  "auth_",
  "qb_",
  "quickback_",
  "sqlite_",
  "pragma_",
  "libsql_",
] as const;

/** Returns the SQL names of the service's tables and indexes in any project. */
export function reservedSqlNames(): {
  readonly tables: ReadonlySet<string>;
  readonly indexes: ReadonlySet<string>;
} {
  const all = serviceRecords().map(({ table }) => table);
  return {
    tables: new Set(all.map(({ name }) => name)),
    indexes: new Set(all.flatMap(({ indexes }) => indexes.map(({ name }) => name))),
  };
}
