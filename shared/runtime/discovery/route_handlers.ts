/**
 * Routes of the service that need nothing beside their request: each is a record of the surface, and a handler here by its id.
 * The record's gate, rule and query are judged before the handler is asked.
 */
import { bySlug, PROBLEM_CODES, problemPage, RUNTIME_CODES } from "../../contract/mod.ts";
import { prefersJson } from "../../lib/http.ts";
import { type RouteQuery, type SystemRoute, systemRoutesOf } from "../../surface/mod.ts";
import type { AppContext } from "../context.ts";
import type { Migration } from "../data/migrations.ts";
import { type Admitted, type Endpoint, serviceGate } from "../gate.ts";
import { requireRule } from "../layers/4-access/require_role.ts";
import { refuse, requireQuery } from "../refusal.ts";
import { healthHandler, readyHandler } from "./health.ts";

/** Answers a request whose query is as the record has it; `value` is that of the path's parameter. */
type Handle = (request: Admitted, value: string, query: RouteQuery) => Promise<Response>;
type Handlers = Readonly<Record<string, Handle>>;

function handlersOf(app: AppContext, migrations: readonly Migration[] | null): Handlers {
  return {
    serviceHealth: healthHandler(app),
    serviceReady: readyHandler(app, migrations),
    serviceProblem: answerProblem,
  };
}

/** The routes with a handler here. */
export function handledEndpoints(
  app: AppContext,
  migrations: readonly Migration[] | null,
): readonly Endpoint[] {
  const handlers = handlersOf(app, migrations);
  return systemRoutesOf(app.project).flatMap((route) => {
    const handle = Object.hasOwn(handlers, route.id) ? handlers[route.id] : undefined;
    return handle === undefined ? [] : [endpointOf(route, handle)];
  });
}

function endpointOf(route: SystemRoute, handle: Handle): Endpoint {
  const { id, method, path, who, rule } = route;
  return {
    id,
    method,
    path,
    gate: serviceGate(route),
    async handle(request, value) {
      if (rule !== null) requireRule(rule, request.principal);
      // Monitors, and links that ask for no caller, may bring parameters of their own.
      const search = who === "unasked" ? "" : request.search;
      return await handle(request, value, requireQuery(route, search));
    },
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
