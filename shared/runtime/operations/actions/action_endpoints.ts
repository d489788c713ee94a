/** One endpoint per action of the project: who calls, how often, once per `Idempotency-Key`, and what is told of it (contract 4.4). */
import { HEADERS } from "../../../contract/headers.ts";
import type { Principal } from "../../../model/principal.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { ActionImplementations } from "../../../surface/action_implementation.ts";
import { anchorsRevision } from "../../../surface/preconditions.ts";
import { Refusal } from "../../refusal.ts";
import type { Endpoint } from "../../gate.ts";
import { refuseCondition } from "../conditional_write.ts";
import { keyedWrite } from "../keyed_write.ts";
import { requireIdSpelling } from "../record_key.ts";
import { isDryRun } from "./action_query.ts";
import { auditTrail, endOf, refusedEnd } from "./action_audit.ts";
import { type ActionCall, type ActionPlan, actionPlansOf } from "./action_plan.ts";
import { requireMayRun } from "./run_action.ts";
import { runAction } from "./run_any_action.ts";

export function actionEndpoints(
  project: ProjectModel,
  implementations: ActionImplementations,
): readonly Endpoint[] {
  return actionPlansOf(project, implementations).map(endpointOf);
}

function endpointOf(plan: ActionPlan): Endpoint {
  const { operation: { id, method, path }, gate, target } = plan;
  return {
    id,
    method,
    path,
    gate,
    before(_, id) {
      if (target) requireIdSpelling(id, target.table);
    },
    handle: (request, id) => answerAction({ request, plan, id }),
  };
}

async function answerAction(asked: Omit<ActionCall, "audit">): Promise<Response> {
  const { principal } = asked.request;
  const audit = auditTrail({ ...asked, audit: null }, principal);
  const call: ActionCall = { ...asked, audit };
  try {
    const response = await answered(call, principal);
    if (audit) await audit.end(await endOf(response));
    return response;
  } catch (error) {
    // What the problem echoes.
    if (error instanceof Refusal && call.plan.takesBody) await call.request.body.settle();
    if (audit) await audit.end(refusedEnd(error));
    throw error;
  }
}

async function answered(call: ActionCall, principal: Principal): Promise<Response> {
  const { request, plan: { operation, takesBody } } = call;
  const { headers } = request;
  if (operation.method === "GET") return runAction(call, principal);
  // A rehearsal does nothing that a key could keep from happening twice.
  if (!headers.has(HEADERS.idempotencyKey) || isDryRun(call)) {
    requireAnchor(call);
    return runAction(call, principal);
  }
  if (operation.action.responseType !== "json") {
    refuseCondition("Only answers in JSON are kept under an 'Idempotency-Key'");
  }
  const { response } = await keyedWrite({
    request,
    operation: operation.id,
    takesBody,
    perform(inside) {
      requireAnchor(call);
      return runAction({ ...call, request: inside }, principal);
    },
    requireAccess: () => void requireMayRun(call, principal),
  });
  return response;
}

/** A condition means something only where an operation of the resource runs the action. */
function requireAnchor({ request: { headers }, plan: { operation, target } }: ActionCall): void {
  if (headers.has(HEADERS.ifNoneMatch)) refuseCondition("'If-None-Match' is for reads");
  const anchors = target !== null && anchorsRevision(operation, target.table) &&
    operation.action.verb !== null;
  if (headers.has(HEADERS.ifMatch) && !anchors) {
    refuseCondition("An action has no revision that 'If-Match' could name");
  }
}
