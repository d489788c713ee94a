/** Jobs and schedules of a project (definitions 6), and their rows. */
import { vectorOf } from "../column_types/mod.ts";
import type { SCHEDULE_SUBJECTS } from "../contract/mod.ts";
import type { UnsafeModel } from "./action.ts";
import { type SqlTable, textColumn as text } from "./sql_table.ts";
import type { JsonValue, TableModel } from "./table.ts";

export interface JobModel {
  /** Name under which handlers find it: `jobs.<name>`. */
  readonly name: string;
  readonly module: string;
  /** Limit of a run in seconds. */
  readonly timeout: number;
  /** Absent: a run gets no `unsafeDb`. */
  readonly unsafe?: Pick<UnsafeModel, "reason" | "crossTenant">;
}

export interface ScheduleModel {
  /** Name of the file. */
  readonly name: string;
  readonly module: string;
  /** A cron expression with five fields. */
  readonly cron: string;
  /** IANA name of the time zone. */
  readonly timeZone: string;
  /** Name of the job. */
  readonly job: string;
  readonly input: JsonValue;
  /** Things for each of which the schedule queues one job; null: it queues one job without a tenant. */
  readonly each: typeof SCHEDULE_SUBJECTS[number] | null;
}

/** Name of the service's own job that makes the vector of one row. No file can have this name. */
export const EMBED_JOB = "embed:vector";

export function hasJobs(
  { authored: { jobs = [] }, tables }: {
    readonly authored: { readonly jobs?: readonly JobModel[] };
    readonly tables: readonly TableModel[];
  },
): boolean {
  return jobs.length > 0 || hasEmbeddings({ tables });
}

/** True when the embeddings service makes vectors for some table. */
export function hasEmbeddings({ tables }: { readonly tables: readonly TableModel[] }): boolean {
  return tables.some(({ columns }) => columns.some(({ type }) => vectorOf(type)?.from));
}

/** One row per queued job, written in the transaction that queues it: the outbox of the queue. */
export const JOB_RUNS: SqlTable = {
  name: "quickback_job_runs",
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("job"), notNull: true },
    // The tenant and user of the call that queued the job; null: it had none.
    text("organization_id"),
    text("user_id"),
    text("team_id"),
    { ...text("status"), notNull: true },
    // Runs that began since the job was last queued, and runs that ever began. The second number tells a run that it has lost
    // its lease.
    { ...text("attempts"), type: "integer", notNull: true },
    { ...text("lease"), type: "integer", notNull: true },
    // Input as JSON.
    { ...text("input"), notNull: true },
    // Results of finished steps by name, as JSON.
    { ...text("steps"), notNull: true },
    text("key"),
    text("error"),
    // The time that the caller asked for.
    { ...text("run_at"), notNull: true },
    text("next_attempt_at"),
    { ...text("created_at"), notNull: true },
    text("started_at"),
    text("finished_at"),
    // Null until the row is handed to the queue.
    text("queued_at"),
    // Counts how often an admin ran the job again.
    { ...text("round"), type: "integer", notNull: true },
  ],
  indexes: [
    index(["organization_id", "created_at"]),
    index(["status", "created_at"]),
    { ...index(["job", "key"]), where: '"key" IS NOT NULL' },
    {
      ...index(["created_at"]),
      name: "quickback_job_runs_outbox_idx",
      where: '"queued_at" IS NULL',
    },
  ],
};

/** One row per schedule: the last tick that was queued. */
export const SCHEDULE_TICKS: SqlTable = {
  name: "quickback_schedule_ticks",
  columns: [
    { ...text("schedule"), notNull: true, primaryKey: true },
    // Milliseconds since the epoch.
    { ...text("ticked_at"), type: "integer", notNull: true },
  ],
  indexes: [],
};

function index(columns: readonly string[]) {
  const name = `quickback_job_runs_${columns.join("_")}_idx`;
  return { name, columns, unique: false, where: null };
}
