/** Tables that the service keeps beside the project's own (definitions 7). They migrate together with them. */
import { authTables } from "./auth_tables.ts";
import { OAUTH_TABLES } from "./oauth_tables.ts";
import { AUDIT_CHAINS, AUDIT_CHANGES, keepsHistory } from "./audit.ts";
import { FILE_COLLECTIONS, hasFiles } from "./files.ts";
import { hasJobs, JOB_RUNS, SCHEDULE_TICKS } from "./jobs.ts";
import type { ProjectModel } from "./project.ts";
import { PUSH_MESSAGES } from "./realtime.ts";
import { SECURITY_EVENTS } from "./security_events.ts";
import { type SqlTable, textColumn as text } from "./sql_table.ts";
import { isPerOrganization, TENANT_DATABASES } from "./tenancy.ts";
import * as webhooks from "./webhooks.ts";

/** A table, and the projects that have it. */
interface ServiceTable {
  readonly table: SqlTable;
  isNeeded(project: ProjectModel): boolean;
}

/** Each but those of accounts, whose names begin with `auth_`. */
function ownTables(): readonly ServiceTable[] {
  return [
    { table: AUDIT_EVENTS, isNeeded: () => true },
    { table: AUDIT_CHANGES, isNeeded: keepsHistory },
    { table: AUDIT_CHAINS, isNeeded: keepsHistory },
    { table: IDEMPOTENCY_KEYS, isNeeded: () => true },
    { table: SECURITY_EVENTS, isNeeded: () => true },
    { table: ORGANIZATION_PURGES, isNeeded: ({ multiTenant }) => multiTenant },
    { table: TENANT_DATABASES, isNeeded: isPerOrganization },
    { table: KEY_VALUES, isNeeded: ({ auth: { jwt } }) => jwt?.revocationCheck === true },
    { table: CODE_GUESSES, isNeeded: ({ auth }) => takesCodes(auth) },
    { table: webhooks.WEBHOOK_ENDPOINTS, isNeeded: (project) => project.webhooks.outbound },
    { table: webhooks.WEBHOOK_DELIVERIES, isNeeded: (project) => project.webhooks.outbound },
    { table: webhooks.WEBHOOK_EVENTS, isNeeded: (project) => webhooks.receives(project.webhooks) },
    { table: webhooks.EVENT_ORGANIZATIONS, isNeeded: webhooks.attributes },
    { table: PUSH_MESSAGES, isNeeded: ({ realtime }) => realtime.push },
    { table: JOB_RUNS, isNeeded: hasJobs },
    {
      table: SCHEDULE_TICKS,
      isNeeded: ({ authored }) => (authored.schedules ?? []).length > 0,
    },
    { table: FILE_COLLECTIONS, isNeeded: hasFiles },
    { table: webhooks.JOBS, isNeeded: hasWorker },
  ];
}

/** Every service table that this project needs, in any order. */
export function serviceTables(project: ProjectModel): readonly SqlTable[] {
  return [
    ...authTables(project.auth),
    ...(project.agents.oauth ? OAUTH_TABLES : []),
    ...ownTables().filter(({ isNeeded }) => isNeeded(project)).map(({ table }) =>
      table === AUDIT_EVENTS && project.auth.impersonation
        ? { ...table, columns: [...table.columns, AUDIT_IMPERSONATOR] }
        : table
    ),
  ];
}

/** Beginnings of names in SQL that the service keeps for itself, and those of the database. */
export const RESERVED_PREFIXES = [
  "auth_",
  "qb_",
  "quickback_",
  "sqlite_",
  "pragma_",
  "libsql_",
] as const;

/** Names in SQL of the service's tables and of their indexes, in any project. */
export function reservedSqlNames(): {
  readonly tables: ReadonlySet<string>;
  readonly indexes: ReadonlySet<string>;
} {
  const all = ownTables().map(({ table }) => table);
  return {
    tables: new Set(all.map(({ name }) => name)),
    indexes: new Set(all.flatMap(({ indexes }) => indexes.map(({ name }) => name))),
  };
}

/** True when the project has work for a worker. */
function hasWorker(project: ProjectModel): boolean {
  const { webhooks: { outbound }, realtime: { push } } = project;
  return outbound || webhooks.receives(project.webhooks) || push || hasJobs(project);
}

/** True when somebody proves who they are by a code that could be guessed. */
function takesCodes({ signIn }: ProjectModel["auth"]): boolean {
  return signIn?.emailCode === true || signIn?.twoFactor === true;
}

/** Wrong codes by account and way in, for an hour from the first one (docs/decisions/accounts.md). */
export const CODE_GUESSES: SqlTable = {
  name: "qb_code_guesses",
  columns: [
    // A digest of both, so that no address of a person is kept.
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("guesses"), type: "integer", notNull: true },
    // Milliseconds since the epoch.
    { ...text("started_at"), type: "integer", notNull: true },
  ],
  indexes: [{
    name: "qb_code_guesses_started_at_idx",
    columns: ["started_at"],
    unique: false,
    where: null,
  }],
};

/** Values kept for a limited time: the ids of revoked tokens (contract 5.2). */
export const KEY_VALUES: SqlTable = {
  name: "service_key_values",
  columns: [
    { ...text("key"), notNull: true, primaryKey: true },
    { ...text("value"), notNull: true },
    // Milliseconds since the epoch.
    { ...text("expires_at"), type: "integer", notNull: true },
  ],
  indexes: [{
    name: "service_key_values_expires_at_idx",
    columns: ["expires_at"],
    unique: false,
    where: null,
  }],
};

/** One row per call that crosses a tenant's border or reads without a tenant (definitions 7). */
export const AUDIT_EVENTS: SqlTable = {
  name: "audit_events",
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    text("request_id"),
    text("actor_user_id"),
    text("actor_org_id"),
    text("action_name"),
    text("resource"),
    text("operation"),
    text("target_scope"),
    text("target_org_id"),
    text("target_record_id"),
    text("unsafe_reason"),
    { ...text("result"), notNull: true },
    text("error_code"),
    { ...text("created_at"), notNull: true },
  ],
  indexes: [{
    name: "audit_events_target_org_id_created_at_idx",
    columns: ["target_org_id", "created_at"],
    unique: false,
    where: null,
  }],
};

/** Column of `audit_events` where the project has impersonation: who acted in the actor's place. */
export const AUDIT_IMPERSONATOR = text("impersonator_user_id");

/** One row per `Idempotency-Key` and its answer, for 24 hours (contract 4.1 rule 8, definitions 7). */
export const IDEMPOTENCY_KEYS: SqlTable = {
  name: "idempotency_keys",
  columns: [
    // Digests: of the key within its tenant or user, of the request, and of who sent it.
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("fingerprint"), notNull: true },
    { ...text("principal"), notNull: true },
    // The organization whose records the answer may hold; null: none.
    text("organization_id"),
    { ...text("status"), type: "integer", notNull: true },
    // The code that refused the request; null: it succeeded.
    text("code"),
    { ...text("headers"), notNull: true },
    { ...text("body"), notNull: true },
    { ...text("expires_at"), notNull: true },
  ],
  indexes: [{
    name: "idempotency_keys_expires_at_idx",
    columns: ["expires_at"],
    unique: false,
    where: null,
  }],
};

/** One row per organization that was deleted: how far it is, and that its tokens are over. It stays. */
const ORGANIZATION_PURGES: SqlTable = {
  name: "organization_purges",
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("organization_id"), notNull: true },
    // `running` or `done`.
    { ...text("status"), notNull: true },
    { ...text("created_at"), notNull: true },
    text("finished_at"),
  ],
  indexes: [
    {
      name: "organization_purges_created_at_idx",
      columns: ["created_at"],
      unique: false,
      where: null,
    },
    {
      name: "organization_purges_running_idx",
      columns: ["created_at"],
      unique: false,
      where: `"status" = 'running'`,
    },
  ],
};
