/**
 * The query of an action: `dryRun`, the organization that an anonymous caller names, and the input of a GET (contract 4.4
 * rule 5, definitions 5). Refuses with `VALIDATION_INVALID_INPUT`, naming the parameter.
 */
import { SCOPE_PARAMETER } from "../../../surface/parameters.ts";
import { refuse } from "../../refusal.ts";
import type { ActionCall } from "./action_plan.ts";

const DRY_RUN_PARAMETER = "dryRun";

/** Before the query is judged: what is wrong with it is refused at its own step. */
export function isDryRun({ request }: Pick<ActionCall, "request">): boolean {
  return new URLSearchParams(request.search).get(DRY_RUN_PARAMETER) === "true";
}

/** Null: none is named, or the action does not take one. */
export function namedOrganization(
  { request, plan }: Pick<ActionCall, "request" | "plan">,
): string | null {
  if (plan.gate.who !== "anyone") return null;
  return new URLSearchParams(request.search).get(SCOPE_PARAMETER) || null;
}

/** The parameters that are the action's own input, by name. */
export function requireActionQuery(call: ActionCall): ReadonlyMap<string, string> {
  const { operation: { method }, gate } = call.plan;
  const parameters = new URLSearchParams(call.request.search);
  const input = new Map<string, string>();
  for (const name of new Set(parameters.keys())) {
    const [value = "", ...others] = parameters.getAll(name);
    if (others.length > 0) refuseParameter(name, "must not be repeated");
    if (name === DRY_RUN_PARAMETER) {
      if (value !== "true" && value !== "false") refuseParameter(name, "must be true or false");
    } else if (name === SCOPE_PARAMETER && gate.who === "anyone") {
      continue;
    } else if (method === "GET") {
      input.set(name, value);
    } else refuseParameter(name, "is unknown");
  }
  return input;
}

function refuseParameter(parameter: string, reason: string): never {
  const shown = parameter.slice(0, 100).toWellFormed();
  refuse("VALIDATION_INVALID_INPUT", {
    detail: `Parameter "${shown}" ${reason}`,
    details: { parameter: shown },
  });
}
