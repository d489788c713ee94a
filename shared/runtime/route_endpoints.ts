/**
 * Endpoints of the service's own routes. Each combines a record of the surface with the handler of the same id. The record's
 * gate, rule and query are checked before the handler runs.
 */
import type { RouteQuery, SystemRoute } from "../surface/mod.ts";
import { type Admitted, type Endpoint, type Gate, serviceGate } from "./gate.ts";
import { requireRule } from "./layers/4-access/require_role.ts";
import { requireQuery } from "./refusal.ts";

/** Answers a request whose query has been parsed as the record declares; `value`: the path's parameter. */
export type Handle = (request: Admitted, value: string, query: RouteQuery) => Promise<Response>;

interface RouteHandler extends Pick<Endpoint, "before"> {
  readonly handle: Handle;
  /** Conditions in addition to those of the record. */
  readonly gate?: Partial<Gate>;
  /** Name in logs and histories; absent: the route's id. */
  readonly name?: string;
  /**
   * True when the handler reads the query itself: its protocol has refusals of its own, or the refusals of a write with a key
   * must wait for their turn.
   */
  readonly readsQuery?: true;
  /** Paths of the endpoint; absent: the record's path. */
  readonly paths?: readonly string[];
}

/** Handlers by route; null: this host does not serve the route. Ids must be known at compile time. */
export type Handlers<Id extends string> = string extends Id ? never
  : Readonly<Record<Id, Handle | RouteHandler | null>>;

/** Creates the endpoints of these routes. */
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
