/** Jobs and schedules of a project (definitions 6), and their rows. */
import { vectorOf } from "../column_types/mod.ts";
import type { SCHEDULE_SUBJECTS } from "../contract/mod.ts";
import type { UnsafeModel } from "./action.ts";
import { type SqlTable, textColumn as text } from "./sql_table.ts";
import type { JsonValue, TableModel } from "./table.ts";

export interface JobModel {
  /** `jobs.<name>` of handlers. */
  readonly name: string;
  readonly module: string;
  /** Seconds of a run. */
  readonly timeout: number;
  /** Absent: its run has no `unsafeDb`. */
  readonly unsafe?: Pick<UnsafeModel, "reason" | "crossTenant">;
}

export interface ScheduleModel {
  /** File name. */
  readonly name: string;
  readonly module: string;
  /** Five fields. */
  readonly cron: string;
  /** IANA. */
  readonly timeZone: string;
  /** Name of the job. */
  readonly job: string;
  readonly input: JsonValue;
  /** Null: one job, without a tenant. */
  readonly each: typeof SCHEDULE_SUBJECTS[number] | null;
}

/** The job that makes the vector of one row: of the service's own, under a name that no file has. */
export const EMBED_JOB = "embed:vector";

export function hasJobs(
  { authored: { jobs = [] }, tables }: {
    readonly authored: { readonly jobs?: readonly JobModel[] };
    readonly tables: readonly TableModel[];
  },
): boolean {
  return jobs.length > 0 || hasEmbeddings({ tables });
}

/** True when rows have vectors that the embeddings service makes. */
export function hasEmbeddings({ tables }: { readonly tables: readonly TableModel[] }): boolean {
  return tables.some(({ columns }) => columns.some(({ type }) => vectorOf(type)?.from));
}

/** One row per job that was queued, written with what queued it: the outbox of the queue. */
export const JOB_RUNS: SqlTable = {
  name: "quickback_job_runs",
  columns: [
    { ...text("id"), notNull: true, primaryKey: true },
    { ...text("job"), notNull: true },
    // Of whoever queued it; null: nobody's.
    text("organization_id"),
    text("user_id"),
    text("team_id"),
    { ...text("status"), notNull: true },
    // Runs that began since it was queued last, and since ever: a run that lost its lease is known by the second.
    { ...text("attempts"), type: "integer", notNull: true },
    { ...text("lease"), type: "integer", notNull: true },
    // JSON.
    { ...text("input"), notNull: true },
    // JSON: what finished steps gave, by name.
    { ...text("steps"), notNull: true },
    text("key"),
    text("error"),
    // As it was asked for.
    { ...text("run_at"), notNull: true },
    text("next_attempt_at"),
    { ...text("created_at"), notNull: true },
    text("started_at"),
    text("finished_at"),
    // Null: not yet handed to the queue.
    text("queued_at"),
    // Counts how often an admin had the job run again.
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

/** One row per schedule: the tick that was queued last. */
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
