/**
 * Endpoints of the service's own routes: each is a record of the surface and a handler by its id. The record's gate, rule and
 * query are judged before the handler is asked.
 */
import type { RouteQuery, SystemRoute } from "../surface/mod.ts";
import { type Admitted, type Endpoint, type Gate, serviceGate } from "./gate.ts";
import { requireRule } from "./layers/4-access/require_role.ts";
import { requireQuery } from "./refusal.ts";

/** Answers a request whose query is as the record has it; `value` is that of the path's parameter. */
export type Handle = (request: Admitted, value: string, query: RouteQuery) => Promise<Response>;

interface RouteHandler extends Pick<Endpoint, "before"> {
  readonly handle: Handle;
  /** Conditions beside those of the record. */
  readonly gate?: Partial<Gate>;
  /** Name in logs and histories; absent: the route's id. */
  readonly name?: string;
  /** True: it reads the query itself, because its protocol has refusals of its own, or a keyed write's wait for their turn. */
  readonly readsQuery?: true;
  /** Paths at which it answers; absent: that of the record. */
  readonly paths?: readonly string[];
}

/** The handler of each route; null: this host does not answer it. Ids that are not known at compile time have no type. */
export type Handlers<Id extends string> = string extends Id ? never
  : Readonly<Record<Id, Handle | RouteHandler | null>>;

/** The endpoints of these routes. */
export function routeEndpoints(
  routes: readonly SystemRoute[],
  handlers: Readonly<Record<string, Handle | RouteHandler | null>>,
): readonly Endpoint[] {
  return routes.flatMap((route) => {
    const handler = handlers[route.id] ?? null;
    if (handler === null) return [];
    return endpointsOf(route, typeof handler === "function" ? { handle: handler } : handler);
  });
}

function endpointsOf(
  route: SystemRoute,
  { handle, gate, name: id = route.id, paths = [route.path], before, readsQuery }: RouteHandler,
): readonly Endpoint[] {
  const { method, rule } = route;
  return paths.map((path) => ({
    id,
    method,
    path,
    gate: { ...serviceGate(route), ...gate },
    ...(before ? { before } : {}),
    async handle(request, value) {
      if (rule !== null) requireRule(rule, request.principal);
      const query = requireQuery(readsQuery ? UNREAD : route, request.search);
      return await handle(request, value, query);
    },
  }));
}

const UNREAD = { query: [], strays: "ignored" } as const;
