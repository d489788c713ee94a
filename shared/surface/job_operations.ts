/** Lists a model's routes for jobs (definitions 6). */
import { JOB_BASE, JOB_STATUSES, type JsonSchema } from "../contract/mod.ts";
import { hasJobs, type ProjectModel } from "../model/mod.ts";
import { admitting, type ManagedDeclaration, managedRoute, pageOf } from "./managed_route.ts";
import { pascalCase } from "./names.ts";
import { JOBS_TAG } from "./route.ts";
import { closed, described, TEXT, TIME } from "./schema/json_schema.ts";
import { orNull } from "./schema/zod_json.ts";
import { ok, type SystemRoute } from "./system_route.ts";

export type JobOperationKind = "listJobs" | "getJob" | "retryJob" | "cancelJob";

export type JobOperation = SystemRoute<JobOperationKind>;

/** Roles that see jobs: a tenant's own jobs. `sysadmin` sees those without a tenant, and any tenant's that a request names. */
const JOB_ROLES: readonly string[] = ["owner", "admin", "sysadmin"];

export function jobOperationsOf(project: ProjectModel): readonly JobOperation[] {
  if (!hasJobs(project)) return [];
  const { multiTenant } = project;
  const rule = { roles: JOB_ROLES, outside: multiTenant ? ["sysadmin"] : JOB_ROLES };
  return ROUTES.map(({ codes = [], ...declared }) =>
    managedRoute(
      {
        rate: declared.method === "GET" ? "read" : "update",
        ...declared,
        path: JOB_BASE + declared.path,
        rule,
        parameters: multiTenant ? [ORGANIZATION] : [],
        codes: [...codes, ...(multiTenant ? ["FIREWALL_ORG_ISOLATION" as const] : [])],
      },
      {
        id: `job${pascalCase(declared.kind)}`,
        tag: JOBS_TAG,
        listedAs: "service",
        bucket: "jobs",
        admits: admitting(JOB_ROLES),
      },
      project,
    )
  );
}

const ORGANIZATION: JsonSchema = {
  name: "organizationId",
  in: "query",
  description: "Whose jobs: for `sysadmin` any organization, for others their own.",
  schema: { type: "string", minLength: 1 },
};

const JOB: JsonSchema = closed({
  id: described("Id of the queued job.", { type: "string", pattern: "^job_" }),
  job: described("Name of the job's file.", TEXT),
  status: described("How far it is.", { type: "string", enum: [...JOB_STATUSES] }),
  attempts: described("Runs that began since it was queued.", { type: "integer", minimum: 0 }),
  input: described("What it was queued with; values of sensitive names are `[REDACTED]`.", {}),
  error: described("Why the last run failed.", orNull({ type: "string" })),
  key: described("The key that it was queued under.", orNull(TEXT)),
  runAt: described("When it was to begin.", TIME),
  createdAt: described("When it was queued.", TIME),
  startedAt: described("When its last run began.", orNull(TIME)),
  finishedAt: described("When it was done, failed or cancelled.", orNull(TIME)),
});

const EXAMPLE = {
  id: "job_0f8fad5bd9cb469fa16570867728950e",
  job: "sendMail",
  status: "failed",
  attempts: 3,
  input: { orderId: "7c9e6679-f2ab-4d8d-9f3c-5b1a0e2d4c6b" },
  error: "The mail server did not answer",
  key: null,
  runAt: "2026-01-31T10:20:30.000Z",
  createdAt: "2026-01-31T10:20:30.000Z",
  startedAt: "2026-01-31T10:20:36.000Z",
  finishedAt: "2026-01-31T10:20:37.000Z",
} as const;

const ROUTES: readonly Omit<ManagedDeclaration<JobOperationKind>, "rate">[] = [
  {
    kind: "listJobs",
    tool: "list_jobs",
    method: "GET",
    path: "",
    summary: "List jobs",
    description:
      "The newest first. Finished jobs are kept for a week, failed ones for thirty days.",
    page: { statuses: JOB_STATUSES },
    answers: pageOf(JOB, EXAMPLE),
  },
  {
    kind: "getJob",
    tool: "get_job",
    method: "GET",
    path: "/:id",
    summary: "Read a job",
    description: "How far it is, and why it failed.",
    answers: ok(JOB, EXAMPLE),
  },
  {
    kind: "retryJob",
    tool: "retry_job",
    method: "POST",
    path: "/:id/retry",
    summary: "Run a failed job again",
    description: "Queues it with all of its attempts. Steps that were finished stay so.",
    answers: ok(JOB, { ...EXAMPLE, status: "queued", attempts: 0, error: null, finishedAt: null }),
    codes: ["JOB_STATE"],
  },
  {
    kind: "cancelJob",
    tool: "cancel_job",
    method: "POST",
    path: "/:id/cancel",
    summary: "Cancel a queued job",
    description: "One that runs already goes on.",
    answers: ok(JOB, {
      ...EXAMPLE,
      status: "cancelled",
      attempts: 0,
      error: null,
      startedAt: null,
    }),
    codes: ["JOB_STATE"],
  },
];
