/** Outbound and inbound webhooks of a project (definitions 2, `webhooks`). */
import type { ScheduleName } from "../contract/mod.ts";
import { type SqlColumn, type SqlIndex, type SqlTable, textColumn as text } from "./sql_table.ts";

export interface WebhooksModel {
  /** True when users may register endpoints that events are delivered to. */
  readonly outbound: boolean;
  /** Providers whose events are received. */
  readonly inbound: readonly string[];
  /** Names that `GET /webhooks/v1/events` lists. Code may emit others too. */
  readonly events: readonly string[];
  /**
   * Exact names that endpoints may subscribe to, when the project lists its events: the listed ones, and those that its code
   * emits by a literal name.
   */
  readonly endpointEvents?: readonly string[];
  /** Most endpoints of one organization, or of one user without an organization. */
  readonly maxEndpoints: number;
  /** Schedule of retries after failed deliveries. */
  readonly schedule: ScheduleName;
  /** Days for which settled deliveries and processed or failed events are kept; null: for ever. */
  readonly retentionDays: number | null;
}

export function receives({ inbound }: WebhooksModel): boolean {
  return inbound.length > 0;
}

/** True when inbound events are attributed to organizations. */
export function attributes(
  { webhooks, multiTenant }: { readonly webhooks: WebhooksModel; readonly multiTenant: boolean },
): boolean {
  return multiTenant && receives(webhooks);
}

/* Tables of a project that sends or receives webhooks (contract 2.8–2.10, definitions 7). */

/** Registered endpoints. Each belongs to one organization or one user. */
export const WEBHOOK_ENDPOINTS: SqlTable = {
  name: "webhook_endpoints",
  columns: [
    key("id"),
    text("organization_id"),
    text("user_id"),
    required("name"),
    required("url"),
    required("secret"),
    /** Earlier secrets, the newest first, and the times until which they still sign. Both lists are separated by spaces. */
    text("previous_secret"),
    text("previous_secret_until"),
    /** Event patterns as a JSON array. */
    required("events"),
    integer("enabled"),
    required("created_at"),
    text("created_by"),
  ],
  indexes: [
    index("webhook_endpoints", ["organization_id", "created_at"]),
    index("webhook_endpoints", ["user_id", "created_at"]),
  ],
};

/** One row per event and endpoint, written in the transaction of the event: the outbox of the queue. */
export const WEBHOOK_DELIVERIES: SqlTable = {
  name: "webhook_deliveries",
  columns: [
    key("id"),
    required("endpoint_id"),
    required("event_type"),
    /** Payload as JSON. */
    required("payload"),
    required("status"),
    integer("attempts"),
    nullableInteger("response_status"),
    text("response_body"),
    text("last_attempt_at"),
    text("next_retry_at"),
    required("created_at"),
    /** Null until the row is handed to the queue. */
    text("queued_at"),
    /** Id of the delivery whose event this row emits again. */
    text("source_id"),
  ],
  indexes: [
    index("webhook_deliveries", ["endpoint_id", "created_at"]),
    index("webhook_deliveries", ["status", "created_at"]),
    { ...index("webhook_deliveries", ["source_id"]), where: '"source_id" IS NOT NULL' },
    {
      ...index("webhook_deliveries", ["endpoint_id", "created_at"]),
      name: "webhook_deliveries_endpoint_outbox_idx",
      where: '"queued_at" IS NULL',
    },
    {
      ...index("webhook_deliveries", ["endpoint_id", "next_retry_at"]),
      name: "webhook_deliveries_endpoint_queued_idx",
      where: `"status" = 'pending' AND "queued_at" IS NOT NULL`,
    },
  ],
};

/** Events that providers sent (contract 2.10). */
export const WEBHOOK_EVENTS: SqlTable = {
  name: "webhook_events",
  columns: [
    key("id"),
    required("provider"),
    required("event_type"),
    text("external_id"),
    required("payload"),
    required("status"),
    integer("attempts"),
    text("processed_at"),
    text("error"),
    required("created_at"),
    /** Null until the row is handed to the queue. */
    text("queued_at"),
    /** Counts how often an admin ran the event again. */
    integer("round"),
  ],
  indexes: [
    {
      ...index("webhook_events", ["provider", "external_id"]),
      name: "webhook_events_provider_external_id_unique",
      unique: true,
    },
    index("webhook_events", ["created_at"]),
    index("webhook_events", ["status", "created_at"]),
    {
      ...index("webhook_events", ["created_at"]),
      name: "webhook_events_outbox_idx",
      where: '"queued_at" IS NULL',
    },
  ],
};

/** Organizations that an inbound event is attributed to, where the project has organizations (contract 4.6). */
export const EVENT_ORGANIZATIONS: SqlTable = {
  name: "quickback_event_organizations",
  columns: [
    /** Made from the event's id and the organization's. */
    key("id"),
    {
      ...required("event_id"),
      references: { table: "webhook_events", column: "id", onDelete: "cascade" },
    },
    required("organization_id"),
    /** 1: the provider's code named the organization. 0: a handler worked in its scope. */
    integer("is_named"),
  ],
  indexes: [
    index("quickback_event_organizations", ["organization_id", "event_id"]),
    index("quickback_event_organizations", ["event_id"]),
  ],
};

/** Table of the database queue. No project's table can have its name. */
export const JOBS: SqlTable = {
  name: "quickback_jobs",
  columns: [
    key("id"),
    required("queue"),
    required("payload"),
    integer("attempts"),
    /** Milliseconds since the epoch at which the job is due. While somebody works on it, the end of the lease. */
    integer("due_at"),
    /** Token of the lease's holder. */
    text("token"),
    text("dead_at"),
    text("reason"),
  ],
  indexes: [{ ...index("quickback_jobs", ["queue", "due_at"]), where: '"dead_at" IS NULL' }, {
    ...index("quickback_jobs", ["queue", "dead_at"]),
    where: '"dead_at" IS NOT NULL',
  }],
};

function key(name: string): SqlColumn {
  return { ...required(name), primaryKey: true };
}

function required(name: string): SqlColumn {
  return { ...text(name), notNull: true };
}

function nullableInteger(name: string): SqlColumn {
  return { ...text(name), type: "integer" };
}

function integer(name: string): SqlColumn {
  return { ...nullableInteger(name), notNull: true };
}

function index(table: string, columns: readonly string[]): SqlIndex {
  return { name: `${table}_${columns.join("_")}_idx`, columns, unique: false, where: null };
}
