/**
 * Mounts the routes by which jobs are listed, run again and cancelled (definitions 6). Refuses with
 * `ACCESS_ROLE_REQUIRED`, `FIREWALL_ORG_ISOLATION`, `FIREWALL_NOT_FOUND`, `VALIDATION_INVALID_INPUT` and `JOB_STATE`.
 */
import { HEADERS, JOB_STATUSES } from "../../contract/mod.ts";
import type { JsonValue, Principal } from "../../model/mod.ts";
import { holdsRole, type JobOperation, jobOperationsOf } from "../../surface/mod.ts";
import * as stored from "../data/job_runs.ts";
import type { Admitted, Endpoint, OperationContext } from "../gate.ts";
import { keyedWrite } from "../operations/keyed_write.ts";
import { requireAnchor } from "../operations/write_record.ts";
import type { Database } from "../ports.ts";
import { Refusal, refuse, requireQuery } from "../refusal.ts";
import { redacted } from "../response/refused.ts";
import { answerPage, managedGate, recordAnswer, requireAccess } from "../webhooks/webhook_call.ts";

export function jobEndpoints({ project }: OperationContext): readonly Endpoint[] {
  return jobOperationsOf(project).map((operation) => ({
    id: operation.id,
    method: operation.method,
    path: operation.path,
    gate: {
      ...managedGate(operation),
      organizationOf: (principal, search) => organizationOf(principal, namedIn(search)),
    },
    handle: operation.keyed
      ? (request, id) => answerWrite(operation, request, id)
      : (request, id) => answerRead(operation, request, id),
  }));
}

async function answerRead(
  operation: JobOperation,
  request: Admitted,
  id: string,
): Promise<Response> {
  const owner = ownerOf(operation, request);
  const query = requireQuery(operation, request.search);
  if (operation.kind === "getJob") {
    const row = await stored.selectJob(request.database, id, owner);
    return recordAnswer(jobRecord(row ?? refuse("FIREWALL_NOT_FOUND")));
  }
  const status = JOB_STATUSES.find((known) => known === query.values.get("status")) ?? null;
  const scope = { kind: "organization", id: owner.organizationId ?? "" } as const;
  return await answerPage({ request, scope, query }, {
    select: (page) => stored.selectJobs(request.database, { ...owner, status }, page),
    recordOf: jobRecord,
  });
}

type Effect = (database: Database) => Promise<Response>;

async function answerWrite(
  operation: JobOperation,
  request: Admitted,
  id: string,
): Promise<Response> {
  const effect = prepared(operation, request, id);
  if (!request.headers.has(HEADERS.idempotencyKey)) return await effect(request.database);
  const { response } = await keyedWrite({
    request,
    operation: operation.id,
    takesBody: false,
    perform: ({ database }) => effect(database),
    requireAccess: () => void ownerOf(operation, request),
  });
  return response;
}

/** A refusal waits for its turn: what was answered before under the same key is answered again. */
function prepared(operation: JobOperation, request: Admitted, id: string): Effect {
  try {
    const owner = ownerOf(operation, request);
    requireQuery(operation, request.search);
    requireAnchor(request.headers, "Jobs have no revision that 'If-Match' could name");
    const change = operation.kind === "retryJob" ? stored.renewJob : stored.cancelJob;
    return async (database) => {
      const row = await database.write(async (transaction) => {
        const isChanged = await change(transaction, id, { ...owner, now: request.now });
        const row = await stored.selectJob(transaction, id, owner) ?? refuse("FIREWALL_NOT_FOUND");
        return isChanged ? row : refuse("JOB_STATE", { details: { status: row.status } });
      });
      return recordAnswer(jobRecord(row));
    };
  } catch (error) {
    if (error instanceof Refusal) return () => Promise.reject(error);
    throw error;
  }
}

const ORGANIZATION = "organizationId";

/**
 * The owner of the jobs that are meant. A manager of the active organization has its own; `sysadmin` those of nobody,
 * and any organization's by name.
 */
function ownerOf(operation: JobOperation, request: Admitted): stored.JobOwner {
  requireAccess(operation, request);
  const { principal, search } = request;
  const named = namedIn(search);
  const organizationId = organizationOf(principal, named);
  if (named !== null && named !== organizationId) refuse("FIREWALL_ORG_ISOLATION");
  return { organizationId };
}

function namedIn(search: string): string | null {
  return new URLSearchParams(search).get(ORGANIZATION);
}

/** The organization whose jobs are meant, in whose database they are, where each organization has one; null: those of nobody. */
function organizationOf(principal: Principal, named: string | null): string | null {
  if (named !== null && holdsRole(principal, "sysadmin")) return named;
  const isManager = holdsRole(principal, "owner") || holdsRole(principal, "admin");
  return isManager ? principal.organizationId : null;
}

function jobRecord(row: stored.JobRow): Readonly<Record<string, JsonValue>> {
  const { id, job, status, attempts, error, key, runAt, createdAt, startedAt, finishedAt } = row;
  const input = redacted(JSON.parse(row.input));
  return {
    ...{ id, job, status, attempts, input, error, key },
    ...{ runAt: row.nextAttemptAt ?? runAt, createdAt, startedAt, finishedAt },
  };
}
