/** Builds one endpoint per operation of the model (architecture: `surface/operations` is the one list). */
import { madeOnce } from "../../lib/memo.ts";
import { Refusal } from "../refusal.ts";
import { type BuiltInName, homeOf, type ProjectModel, reachesHistory } from "../../model/mod.ts";
import type { Operation, OperationKind } from "../../surface/mod.ts";
import { bodyCheckerOf, makesRows, operationsOf, queryPlanOf } from "../../surface/mod.ts";
import { tableOf, VERBS } from "../../surface/mod.ts";
import { answeringAuthored } from "./authored_answer.ts";
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
import { createGetRecord, createListRecords, type KeptReads, keptReads } from "./read_records.ts";
import { PUSH_REGISTRATION } from "./push_registration.ts";
import { readHistory } from "./history.ts";
import { restoreRecord } from "./restore_record.ts";
import { requireIdSpelling } from "./judge_record.ts";
import { asAnybody, auditPublicCall, isPublicTenantCall } from "./public_audit.ts";

const HANDLERS: Readonly<Record<OperationKind, (kept: KeptReads) => Route["handle"]>> = {
  list: (kept) => asAnybody(createListRecords(kept)),
  view: (kept) => asAnybody(createListRecords(kept)),
  get: (kept) => asAnybody(createGetRecord(kept)),
  history: () => readHistory,
  create: () => createRecord,
  update: () => updateRecord,
  delete: () => deleteRecord,
  upsert: () => upsertRecord,
  restore: () => restoreRecord,
  batchCreate: () => batchCreate,
  batchUpdate: () => batchUpdate,
  batchDelete: () => batchDelete,
  batchUpsert: () => batchUpsert,
};

const CREATE_EXTRAS: Readonly<Record<BuiltInName, CreateExtras>> = {
  pushSubscriptions: PUSH_REGISTRATION,
};

export function operationEndpoints(project: ProjectModel): readonly Endpoint[] {
  return operationRoutes(project).map(({ plan, handle }) => {
    const { operation: { id, method, path }, table, gate } = plan;
    return {
      id,
      method,
      path,
      gate,
      before: (_, id) => requireIdSpelling(id, table),
      handle: (request, id) => run({ request, plan, id }, handle),
    };
  });
}

/** An operation without its address, for callers that do not come by its URL. */
export interface Route {
  readonly plan: OperationPlan;
  handle(call: Call): Promise<Response>;
}

export function operationRoutes(project: ProjectModel): readonly Route[] {
  const kept = keptReads();
  return operationsOf(project).map((operation) => ({
    plan: planOf(operation, project),
    handle: operation.method === "GET"
      ? HANDLERS[operation.kind](kept)
      : answeringAuthored(HANDLERS[operation.kind](kept)),
  }));
}

async function run(
  call: Call,
  handle: (call: Call) => Promise<Response>,
): Promise<Response> {
  try {
    const isRead = call.plan.operation.method === "GET";
    const { response, code } = isRead
      ? { response: await handle(call), code: null }
      : await answerWrite(call, handle);
    if (isPublicTenantCall(call)) {
      await auditPublicCall(call, { code, actor: null, status: response.status });
    }
    return response;
  } catch (error) {
    // A refused call reads its body for the problem's echo, and writes its audit row.
    if (error instanceof Refusal) {
      if (call.plan.takesBody) await call.request.body.settle();
      if (isPublicTenantCall(call)) await auditPublicCall(call, { code: error.code, actor: null });
    }
    throw error;
  }
}

function planOf(operation: Operation, project: ProjectModel): OperationPlan {
  const { kind, resource, batch, who, rateGate } = operation;
  const table = tableOf(resource, project);
  const verb = VERBS[kind];
  // The plan is made at the first request, so that an API of many operations starts sooner.
  const query = madeOnce(() => queryPlanOf(operation, project));
  const projection = madeOnce(() => ({ resource, columns: query().columns }));
  const writesFields = verb === "create" || verb === "update" || verb === "upsert";
  return {
    operation,
    resource,
    table,
    makesRows: makesRows(kind),
    gate: {
      who,
      rate: rateGate,
      hasMiddlewares: true,
      home: homeOf(table),
      isAudited: operation.method !== "GET" && reachesHistory(table, project),
    },
    get query() {
      return query();
    },
    get projection() {
      return projection();
    },
    takesBody: writesFields || batch !== null,
    checkBody: writesFields ? bodyCheckerOf(verb, resource, table) : null,
    extras: kind === "create" && resource.builtIn ? CREATE_EXTRAS[resource.builtIn] : null,
  };
}
