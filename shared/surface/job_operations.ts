/** The routes for jobs that a model implies: the one list behind the router, OpenAPI and the manifest (definitions 6). */
import { JOB_BASE, JOB_STATUSES, type RuntimeCode } from "../contract/mod.ts";
import { hasJobs, type ProjectModel } from "../model/mod.ts";
import { authenticationCodes, COMMON_CODES } from "./codes.ts";
import { pascalCase } from "./names.ts";
import type { JsonSchema } from "./parameters.ts";
import { preconditionCodes } from "./preconditions.ts";
import { PAGINATION } from "./schema/envelopes.ts";
import { pageExample } from "./schema/examples.ts";
import { orNull } from "./schema/zod_json.ts";
import { closed, described, TEXT, TIME } from "./service_operation.ts";
import type { WebhookOperation } from "./webhook_operations.ts";

export type JobOperationKind = "listJobs" | "getJob" | "retryJob" | "cancelJob";

export interface JobOperation extends Omit<WebhookOperation, "kind" | "provider"> {
  readonly kind: JobOperationKind;
}

/** Of the tenant its own jobs; `sysadmin` sees those without a tenant, and any tenant's by name. */
export const JOB_ROLES: readonly string[] = ["owner", "admin", "sysadmin"];

export function isKeyedJob(kind: JobOperationKind): boolean {
  return kind === "retryJob" || kind === "cancelJob";
}

export function jobOperationsOf(project: ProjectModel): readonly JobOperation[] {
  if (!hasJobs(project)) return [];
  return OPERATIONS.map((operation) => {
    const { method, kind } = operation;
    const codes: readonly RuntimeCode[] = [
      ...COMMON_CODES,
      ...authenticationCodes(project, { method, isRequired: true }),
      "ACCESS_ROLE_REQUIRED",
      "VALIDATION_INVALID_INPUT",
      ...(project.multiTenant ? ["FIREWALL_ORG_ISOLATION" as const] : []),
      ...operation.codes,
      ...(isKeyedJob(kind) ? preconditionCodes(operation, { revision: null }) : []),
    ];
    return { ...operation, codes: [...new Set(codes)] };
  });
}

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

function operation(
  declared:
    & Pick<JobOperation, "kind" | "method" | "path" | "summary" | "description">
    & Partial<JobOperation>,
): JobOperation {
  return {
    id: `job${pascalCase(declared.kind)}`,
    roles: JOB_ROLES,
    who: "caller",
    rate: declared.method === "GET" ? "read" : "update",
    page: null,
    body: null,
    bodyExample: {},
    status: 200,
    success: JOB,
    example: EXAMPLE,
    codes: ["FIREWALL_NOT_FOUND"],
    ...declared,
    path: JOB_BASE + declared.path,
  };
}

const OPERATIONS: readonly JobOperation[] = [
  operation({
    kind: "listJobs",
    method: "GET",
    path: "",
    summary: "List jobs",
    description:
      "The newest first. Finished jobs are kept for a week, failed ones for thirty days.",
    page: { statuses: JOB_STATUSES },
    success: closed({
      data: { type: "array", items: JOB },
      view: { type: "null" },
      pagination: PAGINATION,
    }),
    example: pageExample(EXAMPLE),
    codes: [],
  }),
  operation({
    kind: "getJob",
    method: "GET",
    path: "/:id",
    summary: "Read a job",
    description: "How far it is, and why it failed.",
  }),
  operation({
    kind: "retryJob",
    method: "POST",
    path: "/:id/retry",
    summary: "Run a failed job again",
    description: "Queues it with all of its attempts. Steps that were finished stay so.",
    example: { ...EXAMPLE, status: "queued", attempts: 0, error: null, finishedAt: null },
    codes: ["FIREWALL_NOT_FOUND", "JOB_STATE"],
  }),
  operation({
    kind: "cancelJob",
    method: "POST",
    path: "/:id/cancel",
    summary: "Cancel a queued job",
    description: "One that runs already goes on.",
    example: { ...EXAMPLE, status: "cancelled", attempts: 0, error: null, startedAt: null },
    codes: ["FIREWALL_NOT_FOUND", "JOB_STATE"],
  }),
];
