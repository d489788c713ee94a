/** Answers a write that the author's hook refuses, in the form of an action's refusal (contract 4.4 rule 6). */
import { authoredRefusal, authoredResponse } from "../authored/authored_refusal.ts";
import type { Admitted } from "../gate.ts";
import { Refusal } from "../refusal.ts";
import { detailsShown } from "./actions/action_response.ts";

export function answeringAuthored<Call extends { readonly request: Admitted }>(
  handle: (call: Call) => Promise<Response>,
): (call: Call) => Promise<Response> {
  return async (call) => {
    try {
      return await handle(call);
    } catch (error) {
      const refusal = error instanceof Refusal ? null : authoredRefusal(error);
      if (refusal === null) throw error;
      return authoredResponse(refusal, detailsShown(refusal, call));
    }
  };
}
