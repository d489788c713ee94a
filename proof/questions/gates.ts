/** Probes of the service's own routes: a gate decides, and no record (contract 4.5–4.7, 5.3, 5.5). */
import type { JsonValue } from "../../shared/model/mod.ts";
import type { GatedRoute } from "../../shared/oracle/gated_routes.ts";
import { formProbes } from "./accounts.ts";
import { addressOf, type Attempt, type Planning, probeOf } from "./planning.ts";
import { type Probe, refused, statusOf } from "./question.ts";

/** Returns probes of a route's gate that do no harm if the caller is admitted: reads, and writes that validation refuses. */
export function gateProbes(route: GatedRoute, planning: Planning): readonly Probe[] {
  const { gate, method } = route;
  const refusal = gate.refusalOf(planning.world.caller);
  const path = addressOf({ path: route.path }, {}, planning);
  // A refusal of this route has the account library's own form.
  const isLibrarys = route.account !== null;
  const because = gate.text;
  const attempt = (purpose: string, body: JsonValue, expected: Attempt["expected"]): Attempt => ({
    purpose,
    request: { method, path, ...(method === "GET" ? {} : { body }) },
    expected,
    because,
  });
  if (refusal !== null) {
    const expected: Attempt["expected"] = isLibrarys
      ? { kind: "status", status: statusOf(refusal), code: null }
      : refused(refusal);
    return [
      probeOf(
        "description",
        route,
        attempt("ask", route.account?.bodyExample ?? {}, expected),
        planning,
      ),
    ];
  }
  if (isLibrarys) return formProbes(route, planning);
  // An inbound webhook is accepted by its signature.
  if (HARMFUL.test(route.operationId)) return [];
  return route.path.includes(":")
    ? [
      probeOf(
        "description",
        route,
        attempt("ask for what is not there", {}, refused(route.miss)),
        planning,
      ),
    ]
    : [probeOf("description", route, attempt("ask", {}, { kind: "admitted" }), planning)];
}

/** Returns the reason for not sending requests that would be admitted; null: they are sent. */
export function unaskedReason(route: GatedRoute): string | null {
  if (route.account !== null) {
    return "nothing in a request for it could be wrong, and its success would stay";
  }
  return HARMFUL.test(route.operationId)
    ? "its caller is known by a signature over the body"
    : null;
}

const HARMFUL = /^webhookReceive/;
