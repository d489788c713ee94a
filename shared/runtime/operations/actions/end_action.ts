/** How an action ends: in a commit, in a rehearsal, or by what its code threw (contract 4.4 rule 6, definitions 5 "dry run"). */
import type { Principal } from "../../../model/principal.ts";
import type { Transaction } from "../../ports.ts";
import { Refusal } from "../../refusal.ts";
import type { ActionCall } from "./action_plan.ts";
import { isDryRun } from "./action_query.ts";
import {
  type AuthoredRefusal,
  authoredRefusal,
  authoredResponse,
  isTransitionLost,
} from "./authored_refusal.ts";
import { databaseRefusal } from "./database_refusal.ts";
import { masked, plainJson } from "./perform_action.ts";
import { markRehearsed, rehearsing } from "../rehearsal.ts";

/** Runs the action in a transaction of its own, which a rehearsal leaves without a trace. */
export async function inTransaction(
  call: ActionCall,
  body: (transaction: Transaction) => Promise<Response>,
): Promise<Response> {
  const { database } = call.request;
  if (isDryRun(call)) return markRehearsed(await rehearsing(database).write(body));
  return await database.write(async (transaction) => {
    const response = await body(transaction);
    await call.audit?.succeed(transaction);
    return response;
  });
}

/** The answer to whatever the action's code threw, or its refusal. */
export function endedBy(error: unknown, call: ActionCall, principal: Principal): Response {
  if (error instanceof Refusal) throw error;
  const refusal = authoredRefusal(error);
  if (refusal) return authoredResponse(refusal, detailsShown(refusal, call, principal));
  throw refusalOf(error, call, principal);
}

/** The details of an author's refusal as JSON for this caller; details that are none end the action as any throw does. */
export function detailsShown(
  { details }: AuthoredRefusal,
  call: ActionCall,
  principal: Principal,
): unknown {
  if (details === undefined) return undefined;
  try {
    return masked(plainJson(details), call, { principal, given: [], input: null });
  } catch (error) {
    throw refusalOf(error, call, principal);
  }
}

/** Nothing of what was thrown but its class's name (contract 7.2). */
export function refusalOf(error: unknown, { request }: ActionCall, principal: Principal): Refusal {
  if (error instanceof Refusal) return error;
  if (isTransitionLost(error)) return new Refusal("ACCESS_TRANSITION_LOST", { cause: error });
  const { project } = request.app;
  return databaseRefusal(error, { project, principal }) ??
    new Refusal("ACTION_EXECUTION_FAILED", {
      details: { name: classNameOf(error) },
      cause: error,
    });
}

const NAME = /^[A-Za-z_$][\w$]{0,99}$/;

function classNameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { name } = error.constructor;
  return NAME.test(name) ? name : "Error";
}
