/** One endpoint per action of the project: gate, rate limit, `Idempotency-Key` and audit (contract 4.4). */
import { HEADERS } from "../../../contract/headers.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { ActionKind } from "../../../surface/action_operations.ts";
import type { ActionImplementations } from "../../../surface/action_implementation.ts";
import { anchorsRevision } from "../../../surface/preconditions.ts";
import { Refusal } from "../../refusal.ts";
import type { Endpoint } from "../../gate.ts";
import { refuseCondition, requireAnchor } from "../conditional_write.ts";
import { keyedWrite } from "../keyed_write.ts";
import { requireIdSpelling } from "../judge_record.ts";
import { isDryRun } from "./action_input.ts";
import { type ActionCall, type ActionPlan, actionPlansOf, requireMayRun } from "./action_plan.ts";
import { auditTrail, endOf, refusedEnd } from "./action_audit.ts";
import { endedBy } from "./action_response.ts";
import { runBulkAction } from "./bulk.ts";
import { runRecordAction } from "./record.ts";
import { runStandaloneAction } from "./standalone.ts";

export function actionEndpoints(
  project: ProjectModel,
  implementations: ActionImplementations,
): readonly Endpoint[] {
  return actionPlansOf(project, implementations).map(endpointOf);
}

function endpointOf(plan: ActionPlan): Endpoint {
  const { operation: { id, method, path }, gate, records } = plan;
  return {
    id,
    method,
    path,
    gate,
    before(_, id) {
      if (records) requireIdSpelling(id, records.table);
    },
    handle: (request, id) => answerAction({ request, plan, id }),
  };
}

async function answerAction(asked: Omit<ActionCall, "audit">): Promise<Response> {
  const audit = auditTrail(asked);
  const call: ActionCall = { ...asked, audit };
  try {
    const response = await answered(call);
    if (audit) await audit.end(await endOf(response));
    return response;
  } catch (error) {
    // What the problem echoes.
    if (error instanceof Refusal && call.plan.takesBody) await call.request.body.settle();
    if (audit) await audit.end(refusedEnd(error));
    throw error;
  }
}

async function answered(call: ActionCall): Promise<Response> {
  const { request, plan: { operation, takesBody } } = call;
  const { headers } = request;
  if (operation.method === "GET") return runAction(call);
  // A rehearsal does nothing that a key could keep from happening twice.
  if (!headers.has(HEADERS.idempotencyKey) || isDryRun(call)) {
    requireAnchor(headers, unanchored(call.plan));
    return runAction(call);
  }
  if (operation.action.responseType !== "json") {
    refuseCondition("Only answers in JSON are kept under an 'Idempotency-Key'");
  }
  const { response } = await keyedWrite({
    request,
    operation: operation.id,
    takesBody,
    perform(inside) {
      requireAnchor(headers, unanchored(call.plan));
      return runAction({ ...call, request: inside });
    },
    requireAccess: () => void requireMayRun(call),
  });
  return response;
}

/** A condition means something only where an operation of the resource runs the action. */
function unanchored({ operation, records }: ActionPlan): string | null {
  const anchors = records !== null && anchorsRevision(operation, records.table) &&
    operation.action.verb !== null;
  return anchors ? null : "An action has no revision that 'If-Match' could name";
}

const RUNS: Readonly<Record<ActionKind, (call: ActionCall) => Promise<Response>>> = {
  recordAction: runRecordAction,
  standaloneAction: runStandaloneAction,
  bulkAction: runBulkAction,
};

/** On whatever database its call is on. What its author's own code refuses is an answer, what the service refuses is thrown. */
export async function runAction(call: ActionCall): Promise<Response> {
  try {
    return await RUNS[call.plan.operation.kind](call);
  } catch (error) {
    return endedBy(error, call);
  }
}
