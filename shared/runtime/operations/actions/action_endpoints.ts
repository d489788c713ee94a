/** One endpoint per action of the project: who calls, how often, once per `Idempotency-Key`, and what is told of it (contract 4.4). */
import { RUNTIME_CODES } from "../../../contract/codes.ts";
import { HEADERS } from "../../../contract/headers.ts";
import type { Principal } from "../../../model/principal.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { ActionImplementations } from "../../../surface/action_implementation.ts";
import type { ActionKind } from "../../../surface/action_operations.ts";
import { anchorsRevision } from "../../../surface/preconditions.ts";
import { authenticate } from "../../layers/1-authentication/authenticate.ts";
import { limitRate } from "../../layers/2-rate-limit/limit_rate.ts";
import { Refusal } from "../../refusal.ts";
import { decodeSegment } from "../../request/path.ts";
import type { Endpoint } from "../../router.ts";
import { onDatabase, refuseCondition } from "../conditional_write.ts";
import { keyedWrite } from "../keyed_write.ts";
import { auditAction, type Ended, isAudited } from "./action_audit.ts";
import { type ActionCall, type ActionPlan, actionPlansOf } from "./action_plan.ts";
import { endedBy } from "./end_action.ts";
import { requireMayRun, runRecordAction, runStandaloneAction } from "./run_action.ts";
import { runBulkAction } from "./run_bulk_action.ts";

type Run = (call: ActionCall, principal: Principal) => Promise<Response>;

const RUNS: Readonly<Record<ActionKind, Run>> = {
  recordAction: runRecordAction,
  standaloneAction: runStandaloneAction,
  bulkAction: runBulkAction,
};

export function actionEndpoints(
  project: ProjectModel,
  implementations: ActionImplementations,
): readonly Endpoint[] {
  return actionPlansOf(project, implementations).map(endpointOf);
}

function endpointOf(plan: ActionPlan): Endpoint {
  const { id, method, path } = plan.operation;
  return {
    id,
    method,
    path,
    handle: (request, segment) =>
      answerAction({ request, plan, id: decodeSegment(segment) ?? segment }),
  };
}

async function answerAction(call: ActionCall): Promise<Response> {
  const principal = await authenticate(call);
  await limitRate(call, principal);
  const audits = isAudited(call, principal);
  try {
    const response = await answered({ ...call, admitted: principal }, principal);
    if (audits) await auditAction(call, principal, await endOf(response));
    return response;
  } catch (error) {
    // What the problem echoes.
    if (error instanceof Refusal && call.plan.takesBody) await call.request.body.settle();
    if (audits) await auditAction(call, principal, refusedEnd(error));
    throw error;
  }
}

function answered(call: ActionCall, principal: Principal): Promise<Response> {
  const { request, plan: { operation, takesBody } } = call;
  const { headers } = request;
  if (operation.method === "GET") return run(call, principal);
  requireAnchor(call);
  if (!headers.has(HEADERS.idempotencyKey)) return run(call, principal);
  if (operation.action.responseType !== "json") {
    refuseCondition("Only answers in JSON are kept under an 'Idempotency-Key'");
  }
  return keyedWrite({
    request,
    principal,
    operation: operation.id,
    takesBody,
    perform: (database) => run({ ...call, request: onDatabase(request, database) }, principal),
    requireAccess: () => void requireMayRun(call, principal),
  }).then(({ response }) => response);
}

async function run(call: ActionCall, principal: Principal): Promise<Response> {
  try {
    return await RUNS[call.plan.operation.kind](call, principal);
  } catch (error) {
    return endedBy(error, call, principal);
  }
}

/** A condition means something only where an operation of the resource runs the action. */
function requireAnchor({ request: { headers }, plan: { operation, change } }: ActionCall): void {
  if (headers.has(HEADERS.ifNoneMatch)) refuseCondition("'If-None-Match' is for reads");
  const anchors = change !== null && anchorsRevision(change.operation, change.table) &&
    operation.action.verb !== null;
  if (headers.has(HEADERS.ifMatch) && !anchors) {
    refuseCondition("An action has no revision that 'If-Match' could name");
  }
}

async function endOf(response: Response): Promise<Ended> {
  if (response.status < 400) return { result: "success", code: null };
  const body: unknown = await response.clone().json();
  const code = typeof body === "object" && body !== null ? Reflect.get(body, "code") : null;
  return { result: "error", code: typeof code === "string" ? code : null };
}

function refusedEnd(error: unknown): Ended {
  if (!(error instanceof Refusal)) return { result: "error", code: "INTERNAL_ERROR" };
  const { status } = RUNTIME_CODES[error.code];
  return { result: status >= 500 ? "error" : "denied", code: error.code };
}
