/** Probes of the routes of the service itself: a gate decides, and no record (contract 4.5–4.7, 5.3, 5.5). */
import type { JsonValue } from "../../shared/model/mod.ts";
import type { GatedRoute } from "../../shared/oracle/gated_routes.ts";
import { addressOf, type Attempt, type Planning, probeOf } from "./planning.ts";
import { type Probe, refused, statusOf } from "./question.ts";

/** Probes of a route's gate, harmless where the caller is let in: reads, and writes that no validator takes. */
export function gateProbes(route: GatedRoute, planning: Planning): readonly Probe[] {
  const { gate, method } = route;
  const refusal = gate.refusalOf(planning.world.caller);
  const path = addressOf({ path: route.path }, {}, planning);
  // Its refusals have the account library's own form.
  const isLibrarys = isOfLibrary(route);
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
    return [probeOf("description", route, attempt("ask", route.sample, expected), planning)];
  }
  // The account library judges its own callers, and an inbound webhook its signature.
  if (isLibrarys || HARMFUL.test(route.operationId)) return [];
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

/** The reason for not sending requests that would be let in; null: they are sent. */
export function unaskedReason(route: GatedRoute): string | null {
  if (isOfLibrary(route)) return "the account library answers it by its own rules";
  return HARMFUL.test(route.operationId)
    ? "its caller is known by a signature over the body"
    : null;
}

function isOfLibrary({ operationId }: GatedRoute): boolean {
  return operationId.startsWith("auth");
}

const HARMFUL = /^webhookReceive/;
