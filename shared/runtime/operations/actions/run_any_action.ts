/** An action of whatever kind, on whatever database its call is on: for its own route, and for changesets. */
import type { Principal } from "../../../model/principal.ts";
import type { ActionKind } from "../../../surface/action_operations.ts";
import type { ActionCall } from "./action_plan.ts";
import { endedBy } from "./end_action.ts";
import { runRecordAction, runStandaloneAction } from "./run_action.ts";
import { runBulkAction } from "./run_bulk_action.ts";

type Run = (call: ActionCall, principal: Principal) => Promise<Response>;

const RUNS: Readonly<Record<ActionKind, Run>> = {
  recordAction: runRecordAction,
  standaloneAction: runStandaloneAction,
  bulkAction: runBulkAction,
};

/** What its author's own code refuses is an answer, what the service refuses is thrown. */
export async function runAction(call: ActionCall, principal: Principal): Promise<Response> {
  try {
    return await RUNS[call.plan.operation.kind](call, principal);
  } catch (error) {
    return endedBy(error, call, principal);
  }
}
