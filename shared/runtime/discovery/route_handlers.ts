/** Handlers of routes of the service that need nothing beside their request. */
import { bySlug, PROBLEM_CODES, problemPage, RUNTIME_CODES } from "../../contract/mod.ts";
import { prefersJson } from "../../lib/http.ts";
import type { AppContext } from "../context.ts";
import type { Migration } from "../data/migrations.ts";
import type { Admitted } from "../gate.ts";
import { refuse } from "../refusal.ts";
import type { Handlers } from "../route_endpoints.ts";
import { healthHandler, readyHandler } from "./health.ts";

export function serviceHandlers(
  app: AppContext,
  migrations: readonly Migration[] | null,
): Handlers<"serviceHealth" | "serviceReady" | "serviceProblem"> {
  return {
    serviceHealth: healthHandler(app),
    serviceReady: readyHandler(app, migrations),
    serviceProblem: answerProblem,
  };
}

const CODES = bySlug(PROBLEM_CODES);

/** `GET /problems/{code}`: what the `type` of a problem document means, for everybody (contract 2.7). */
// deno-lint-ignore require-await -- What it throws is a rejection, as of every endpoint.
async function answerProblem(request: Admitted, slug: string): Promise<Response> {
  const code = CODES.get(slug) ?? refuse("ROUTE_NOT_FOUND");
  const { baseUrl } = request.app.settings;
  const about = { ...RUNTIME_CODES[code], code };
  return problemPage(about, baseUrl, prefersJson(request.headers.get("accept")));
}
