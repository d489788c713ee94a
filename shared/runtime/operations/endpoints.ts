/** One endpoint per operation of the model (architecture: `surface/operations` is the one list). */
import { Refusal } from "../refusal.ts";
import type { RuntimeCode } from "../../contract/codes.ts";
import type { ProjectModel } from "../../model/project.ts";
import type { BuiltInName } from "../../model/resource.ts";
import {
  makesRows,
  type Operation,
  type OperationKind,
  operationsOf,
  VERBS,
} from "../../surface/operations.ts";
import { resourceBucket } from "../../surface/rate_buckets.ts";
import { queryPlanOf } from "../../surface/query.ts";
import { bodyCheckerOf } from "../../surface/schema/body.ts";
import { tableOf } from "../../surface/tables.ts";
import { whoMayAsk } from "../../surface/who.ts";
import type { Call, CreateExtras, OperationPlan } from "./call.ts";
import type { Endpoint } from "../gate.ts";
import {
  answerWrite,
  createRecord,
  deleteRecord,
  updateRecord,
  upsertRecord,
} from "./write_record.ts";
import { batchCreate, batchDelete, batchUpdate, batchUpsert } from "./batch/kinds.ts";
import { getRecord, listRecords } from "./read_records.ts";
import { PUSH_REGISTRATION } from "./push_registration.ts";
import { requireIdSpelling } from "./judge_record.ts";
import { asAnybody, auditPublicCall, isPublicTenantCall } from "./public_audit.ts";

const HANDLERS: Readonly<Record<OperationKind, (call: Call) => Promise<Response>>> = {
  list: asAnybody(listRecords),
  view: asAnybody(listRecords),
  get: asAnybody(getRecord),
  create: createRecord,
  update: updateRecord,
  delete: deleteRecord,
  upsert: upsertRecord,
  batchCreate,
  batchUpdate,
  batchDelete,
  batchUpsert,
};

const CREATE_EXTRAS: Readonly<Record<BuiltInName, CreateExtras>> = {
  pushSubscriptions: PUSH_REGISTRATION,
};

export function operationEndpoints(project: ProjectModel): readonly Endpoint[] {
  return operationRoutes(project).map(endpointOf);
}

/** An operation without its address: for those that call it in another way. */
export interface Route {
  readonly plan: OperationPlan;
  handle(call: Call): Promise<Response>;
}

export function operationRoutes(project: ProjectModel): readonly Route[] {
  return operationsOf(project).map((operation) => ({
    plan: planOf(operation, project),
    handle: HANDLERS[operation.kind],
  }));
}

function endpointOf({ plan, handle }: Route): Endpoint {
  const { operation: { id, method, path }, table, gate } = plan;
  return {
    id,
    method,
    path,
    gate,
    before: (_, id) => requireIdSpelling(id, table),
    handle: (request, id) => run({ request, plan, id }, handle),
  };
}

async function run(
  call: Call,
  handle: (call: Call) => Promise<Response>,
): Promise<Response> {
  try {
    const { response, code } = await answerWrite(call, handle);
    if (isPublicTenantCall(call)) await auditPublicCall(call, { code, actor: null });
    return response;
  } catch (error) {
    if (error instanceof Refusal) await settle(call, error.code);
    throw error;
  }
}

/** Completes a refused call: reads its body for the problem's echo, and writes its audit row. */
async function settle(call: Call, code: RuntimeCode): Promise<void> {
  if (call.plan.takesBody) await call.request.body.settle();
  if (isPublicTenantCall(call)) await auditPublicCall(call, { code, actor: null });
}

function planOf(operation: Operation, project: ProjectModel): OperationPlan {
  const { kind, resource, batch, access } = operation;
  const table = tableOf(resource, project);
  const verb = VERBS[kind];
  const query = queryPlanOf(operation, project);
  const writesFields = verb !== "read" && verb !== "delete";
  return {
    operation,
    resource,
    table,
    makesRows: makesRows(kind),
    gate: {
      who: whoMayAsk(access),
      rate: {
        limit: resource.rateLimits[operation.rate],
        bucketOf: (caller) => resourceBucket(resource.name, operation.rate, caller),
      },
      hasMiddlewares: true,
    },
    query,
    projection: { resource, columns: query.columns },
    takesBody: writesFields || batch !== null,
    checkBody: writesFields ? bodyCheckerOf(verb, resource, table) : null,
    extras: kind === "create" && resource.builtIn ? CREATE_EXTRAS[resource.builtIn] : null,
  };
}
