/** Tools for the jobs of a tenant, for those who manage it (definitions 6). */
import { z } from "zod";
import { JOB_STATUSES, PAGE_SIZE_MAX } from "../../contract/mod.ts";
import type { Principal, ProjectModel } from "../../model/mod.ts";
import { isAdmittedBy, type JobOperation, jobOperationsOf } from "../../surface/mod.ts";
import * as tools from "./tool.ts";

/** None for callers whom the routes do not admit, and for projects without jobs. */
export function jobTools(project: ProjectModel, principal: Principal): readonly tools.Tool[] {
  return jobOperationsOf(project).filter(({ rule }) =>
    rule === null || isAdmittedBy(rule, principal)
  )
    .map(toolOf);
}

const NAMES = {
  listJobs: "list_jobs",
  getJob: "get_job",
  retryJob: "retry_job",
  cancelJob: "cancel_job",
} as const;

const ID = z.string().min(1).max(100).describe("The job's `id`.");

const ORGANIZATION = z.string().min(1).optional()
  .describe("Whose jobs: for `sysadmin` any organization; else leave it out.");

function toolOf(operation: JobOperation): tools.Tool {
  const { kind, id: endpoint, method, path, summary, description } = operation;
  const text = {
    name: NAMES[kind],
    title: summary,
    description: `${summary}. ${description}`,
    effects: method === "GET" ? tools.READS : tools.DOES_ANYTHING,
  };
  if (kind === "listJobs") {
    const shape = {
      status: z.enum(JOB_STATUSES).optional(),
      limit: z.int().min(1).max(PAGE_SIZE_MAX).optional(),
      organizationId: ORGANIZATION,
    };
    return tools.toolOf(text, shape, (args) =>
      tools.callOf({
        endpoint,
        method,
        path,
        query: Object.entries(args).map(([name, value]) => [name, String(value)] as const),
      }));
  }
  return tools.toolOf(
    text,
    { id: ID, organizationId: ORGANIZATION },
    ({ id, organizationId }) =>
      tools.callOf({
        endpoint,
        method,
        path: tools.pathOf(path, id),
        query: organizationId === undefined ? [] : [["organizationId", organizationId]],
      }),
  );
}
