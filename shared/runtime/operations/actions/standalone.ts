/** An action of no record, through its layers in order (contract 4.4 rules 1 and 2). */
import type { Caller } from "../../context.ts";
import { enter } from "../call.ts";
import { refuse } from "../../refusal.ts";
import { type ActionCall, actionNeedsOrganization, requireMayRun } from "./action_plan.ts";
import { namedOrganization, requireActionInput } from "./action_input.ts";
import { actionResponse } from "./action_response.ts";
import { checkOutput, inTransaction, requireRefs, runHandler } from "./run_handler.ts";

export async function runStandaloneAction(call: ActionCall): Promise<Response> {
  enter(call, "access.role");
  const caller = standaloneCaller(call);
  requireMayRun(call);

  enter(call, "validation");
  const input = await requireActionInput(call);

  return await inTransaction(call, async (transaction) => {
    enter(call, "operation");
    const ready = { call, caller, input, transaction };
    const refs = await requireRefs(ready);
    const done = await runHandler(ready, { record: null, refs });
    await checkOutput(call, done.value);

    enter(call, "masking");
    return actionResponse({ ...done, given: [...refs.values()] }, ready);
  });
}

/** The caller in the organization that scopes the action: their own, or the one that an anonymous caller names. */
function standaloneCaller(call: ActionCall): Caller {
  const { request: { principal }, plan } = call;
  const named = namedOrganization(call);
  const needsOne = actionNeedsOrganization(plan, principal);
  if (principal.credential === "none") {
    if (needsOne && named === null) refuse("ORG_REQUIRED");
    return { principal, organizationId: named };
  }
  const { organizationId } = principal;
  if (needsOne && organizationId === null) refuse("ACCESS_NO_ORG");
  if (named !== null && named !== organizationId) refuse("FIREWALL_ORG_ISOLATION");
  return { principal, organizationId };
}
