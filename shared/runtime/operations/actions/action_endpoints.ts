/** Builds one endpoint per action of the project, with its gate, rate limit, `Idempotency-Key` and audit (contract 4.4). */
import { HEADERS } from "../../../contract/mod.ts";
import type { ProjectModel } from "../../../model/mod.ts";
import type { ActionImplementations, ActionKind } from "../../../surface/mod.ts";
import { anchorsRevision } from "../../../surface/mod.ts";
import type { Caller } from "../../context.ts";
import type { Endpoint } from "../../gate.ts";
import { Refusal, refuse } from "../../refusal.ts";
import { enter } from "../call.ts";
import { requireIdSpelling } from "../judge_record.ts";
import { keyedWrite } from "../keyed_write.ts";
import { refuseCondition, requireAnchor } from "../write_record.ts";
import { auditTrail, endOf, refusedEnd } from "./action_audit.ts";
import { requireActionInput } from "./action_input.ts";
import * as plans from "./action_plan.ts";
import { actionAnswer, endedBy } from "./action_response.ts";
import { runBulkAction } from "./bulk.ts";
import { namedTenant } from "./named_tenant.ts";
import { runRecordAction } from "./record.ts";
import { checkOutput, inTransaction, requireRefs, runHandler } from "./run_handler.ts";

export function actionEndpoints(
  project: ProjectModel,
  implementations: ActionImplementations,
): readonly Endpoint[] {
  return plans.actionPlansOf(project, implementations).map((plan) => {
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
  });
}

async function answerAction(asked: Omit<plans.ActionCall, "audit">): Promise<Response> {
  const audit = auditTrail(asked);
  // A caller who names a tenant by the input acts there as an anonymous caller.
  const { tenantOf } = asked.plan.operation.action;
  const request = tenantOf ? asked.request.asNobody() : asked.request;
  const call: plans.ActionCall = { ...asked, request, audit };
  try {
    const response = await answered(call);
    if (audit) await audit.end(await endOf(response));
    return response;
  } catch (error) {
    // The problem echoes members of the body, so the body is read first.
    if (error instanceof Refusal && call.plan.takesBody) await call.request.body.settle();
    if (audit) await audit.end(refusedEnd(error));
    throw error;
  }
}

async function answered(call: plans.ActionCall): Promise<Response> {
  const { request, plan: { operation, takesBody } } = call;
  const { headers } = request;
  if (operation.method === "GET") return runAction({ ...call, isAlone: true });
  // A dry run has no effect that an `Idempotency-Key` could keep from happening twice.
  if (!headers.has(HEADERS.idempotencyKey) || plans.isDryRun(call)) {
    requireAnchor(headers, unanchored(call.plan));
    return runAction({ ...call, isAlone: true });
  }
  if (operation.action.responseType !== "json") {
    refuseCondition("Only answers in JSON are kept under an 'Idempotency-Key'");
  }
  const { response } = await keyedWrite({
    request,
    operation: operation.id,
    takesBody,
    isUnbounded: true,
    perform(inside) {
      requireAnchor(headers, unanchored(call.plan));
      return runAction({ ...call, request: inside });
    },
    requireAccess: () => void plans.requireMayRun(call),
  });
  return response;
}

/**
 * Returns why `If-Match` does not apply to the action; null: it applies, because an operation of the resource runs the action.
 */
function unanchored({ operation, records }: plans.ActionPlan): string | null {
  const anchors = records !== null && anchorsRevision(operation, records.table) &&
    operation.action.verb !== null;
  return anchors ? null : "An action has no revision that 'If-Match' could name";
}

const RUNS: Readonly<Record<ActionKind, (call: plans.ActionCall) => Promise<Response>>> = {
  recordAction: runRecordAction,
  standaloneAction: runStandaloneAction,
  bulkAction: runBulkAction,
};

/**
 * Runs an action on the database of its call. A refusal by the author's code becomes a response; a refusal by the service is
 * thrown.
 */
export async function runAction(call: plans.ActionCall): Promise<Response> {
  try {
    return await RUNS[call.plan.operation.kind](call);
  } catch (error) {
    return endedBy(error, call);
  }
}

/** Runs a standalone action through its layers in order (contract 4.4 rules 1 and 2). */
async function runStandaloneAction(call: plans.ActionCall): Promise<Response> {
  enter(call, "access.role");
  const asked = standaloneCaller(call);
  plans.requireMayRun(call);

  enter(call, "validation");
  const input = await requireActionInput(call);

  return await inTransaction(call, async (transaction, yieldIt) => {
    enter(call, "operation");
    const caller = await namedTenant(call, input, transaction) ?? asked;
    const ready = { call, caller, input, transaction, yieldIt };
    const refs = await requireRefs(ready);
    yieldIt?.(async (transaction) => {
      // The transaction is a new one: the row may have been deleted since, or moved to another organization.
      const again = await namedTenant(call, input, transaction) ?? asked;
      if (again.organizationId !== caller.organizationId) refuse("FIREWALL_NOT_FOUND");
      await requireRefs({ ...ready, transaction });
    });
    const done = await runHandler(ready, null, refs);
    await checkOutput(call, done.value);

    enter(call, "masking");
    return actionAnswer({ ...done, given: [...refs.values()] }, ready);
  });
}

/**
 * Returns the caller in the organization that scopes the action: the caller's own, or the one that an anonymous caller names.
 */
function standaloneCaller(call: plans.ActionCall): Caller {
  const { request: { principal }, plan } = call;
  const named = plans.namedOrganization(call);
  const needsOne = plans.actionNeedsOrganization(plan, principal);
  if (principal.credential === "none") {
    if (needsOne && named === null) refuse("ORG_REQUIRED");
    return { principal, organizationId: named };
  }
  const { organizationId } = principal;
  if (needsOne && organizationId === null) refuse("ACCESS_NO_ORG");
  if (named !== null && named !== organizationId) refuse("FIREWALL_ORG_ISOLATION");
  return { principal, organizationId };
}
