/**
 * Handles a request: host, path, endpoint, gate, and then its layers in order (`operations/`), or the problem that ends it.
 * Refuses with `HOST_INVALID`, `ROUTE_NOT_FOUND` and `METHOD_NOT_ALLOWED`.
 */
import type { Observe, OnRouted } from "../contract/mod.ts";
import { CONTRACT_VERSIONS, PROBLEM_PATH, RUNTIME_CODES } from "../contract/mod.ts";
import { isPerOrganization, type ProjectModel } from "../model/mod.ts";
import type { ActionImplementations, AuthoredCode, ServiceRouteId } from "../surface/mod.ts";
import { reservedPathsOf, serviceOperationsOf } from "../surface/mod.ts";
import { handlerHomeOf } from "./authored/handler_home.ts";
import { middlewaresOf } from "./authored/middlewares.ts";
import { readOnlyDbOf } from "./authored/unattended_work.ts";
import { createAuditing } from "./data/changes/auditing.ts";
import { createMemberWatch } from "./data/released_members.ts";
import { revocationStore } from "./data/revocations.ts";
import type { DrizzleSchema } from "./data/scoped_db/open_scoped_db.ts";
import { accountRouter } from "./discovery/accounts.ts";
import { homePage } from "./discovery/home.ts";
import { documentHandlers, undescribedEndpoints } from "./discovery/discovery.ts";
import type { DiscoveryOptions } from "./discovery/discovery.ts";
import { serviceHandlers } from "./discovery/route_handlers.ts";
import { tokenHandlers } from "./discovery/token.ts";
import { createGate, type Enter, type OperationContext } from "./gate.ts";
import { createInnerApi } from "./mcp/inner_api.ts";
import { mcpHandlers } from "./mcp/mcp_endpoint.ts";
import { oauthHandlers } from "./oauth/oauth_endpoints.ts";
import { createCallers } from "./layers/1-authentication/identify.ts";
import { createRevocations } from "./layers/1-authentication/revocation.ts";
import { createRightsWatch } from "./layers/1-authentication/rights_watch.ts";
import { createTokenCutoffs, type CutoffStore } from "./layers/1-authentication/token_cutoffs.ts";
import { cutoffsAfter, notBeforeOf } from "./data/token_cutoffs.ts";
import { createTokenMint } from "./layers/1-authentication/token_mint.ts";
import { limitAddress } from "./layers/2-rate-limit/limit_rate.ts";
import { actionEndpoints } from "./operations/actions/action_endpoints.ts";
import { changesetHandlers } from "./operations/changeset/changeset.ts";
import { fileAddressEndpoints } from "./operations/files/address_endpoints.ts";
import { fileEndpoints, requireFilePorts } from "./operations/files/file_endpoints.ts";
import { operationEndpoints } from "./operations/endpoints.ts";
import { purgedOrganizations } from "./operations/delete_organization.ts";
import { createNewId } from "./data/stamps.ts";
import { jobEndpoints } from "./jobs/job_endpoints.ts";
import { createRealtime } from "./realtime/hub.ts";
import type { Connection, Database, Ports, Reader, Settings, TenantDatabases } from "./ports.ts";
import { requirePushPorts } from "./operations/push_registration.ts";
import { refuse } from "./refusal.ts";
import { createCursorSeal } from "./request/cursor_seal.ts";
import { createPositionCarrier, type PositionCarrier } from "./request/positions.ts";
import { type ReadRequest, requestReader } from "./request/read_request.ts";
import { finished, optionsResponse } from "./response/finish.ts";
import { refusedResponse } from "./response/refused.ts";
import { type Handlers, routeEndpoints } from "./route_endpoints.ts";
import { createRouter, type Router } from "./router.ts";
import type { Trace } from "./context.ts";
import { webhookEndpoints } from "./webhooks/webhook_endpoints.ts";

export interface AppOptions extends DiscoveryOptions {
  /** The author's code outside of features. */
  readonly authored?: AuthoredCode;
  /** The code of the project's actions, and drizzle's tables and relations for their `db`. */
  readonly actions?: ActionImplementations;
  readonly schema?: DrizzleSchema;
  /** Variables that handlers get as `env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Observes for traces: called once for every outside request that has a route. */
  readonly onRouted?: OnRouted;
  /** Observes for metrics and the access log: called with every outside request and its answer. */
  readonly observe?: Observe;
  /** Observes for tests: called with every step of an operation. */
  readonly trace?: Trace;
}

export interface App {
  fetch(request: Request, connection: Connection): Promise<Response>;
  /** Ends answers that run on by themselves, such as streams, so that a server can end. */
  end(): void;
}

/** Makes the generated API of one project. All that does not depend on a request is computed here. */
export function createApp(
  project: ProjectModel,
  ports: Ports,
  settings: Settings,
  options: AppOptions,
): App {
  requirePushPorts(project, ports);
  requireFilePorts(project, ports);
  const revocations = revocationsOf(project, ports, settings);
  requireTenants(project, ports);
  const { clock, random, rowQuota } = ports;
  const directory = ports.tenants ? ports.database : undefined;
  const handlers = handlerHomeOf(project, { ...options, directory, clock, random, rowQuota });
  const realtime = createRealtime(project, ports, handlers.code.realtime);
  const { database } = realtime;
  watchMembers(project, ports, realtime.watched);
  const purged = purgedOrganizations(
    { ...ports, reader: ports.copy ?? database },
    settings,
    (id) => realtime.endOrganization(id),
  );
  const cutoffs = createTokenCutoffs(cutoffStore(ports), ports, settings);
  const newId = createNewId(random);
  const { database: _, tenants, ...others } = ports;
  const app: OperationContext = {
    project,
    switches: CONTRACT_VERSIONS[project.contract],
    ports: others,
    settings,
    tables: handlers.records.tables,
    mintToken: createTokenMint(project, { ...ports, settings, notBefore: cutoffs.notBefore }),
    newId,
    data: handlers.records.data,
    cursors: createCursorSeal(settings),
    inFlight: new Map(),
    purged,
    removeTenant: tenants ? (id) => tenants.remove(id) : null,
    endEndpoints: tenants ? (id) => tenants.endEndpoints(id) : null,
    trace: options.trace ?? null,
    refusals: options.observe ? new WeakMap() : null,
    misfitsTold: new Map(),
    handlers,
  };
  const enter = createEntrance(app, ports, { realtime, revocations, cutoffs });
  const accountRoutes = accountRouter(app);
  const handling: Handlers<ServiceRouteId> = {
    ...serviceHandlers(app, options.migrations ?? null),
    ...documentHandlers(app, options),
    ...tokenHandlers(app, revocations),
    ...realtime.handlers,
    ...changesetHandlers(project, options.actions ?? {}),
    ...mcpHandlers(createInnerApi((path) => routes(path))),
    ...oauthHandlers(app, accountRoutes),
  };
  const own = routeEndpoints(serviceOperationsOf(project), handling);
  const endpoints = [...endpointsOf(app, options), ...own];
  const routes: Router = createRouter(endpoints, reservedPathsOf(project));
  const carrier = createPositionCarrier(project, ports, settings);
  const router: Router = (path) => routes(path) ?? accountRoutes(path);
  return {
    fetch: createFetch(app, options, async (read, onRouted) => {
      const response = await answer(read, { router, carrier, enter }, onRouted);
      return finished(await carrier.mark(read.context, response), read.context);
    }),
    end: () => realtime.end(),
  };
}

/** Builds the gate with its dependencies: the functions that identify callers, watch their rights and run middlewares. */
function createEntrance(
  app: OperationContext,
  ports: Ports,
  { realtime, revocations, cutoffs }: {
    readonly realtime: ReturnType<typeof createRealtime>;
    readonly revocations: ReturnType<typeof revocationsOf>;
    readonly cutoffs: ReturnType<typeof createTokenCutoffs>;
  },
): Enter {
  const { project, settings, handlers } = app;
  const { database } = realtime;
  // Methods other than GET read from the database that they write.
  const reading = ports.copy ? readFrom(ports.copy, database) : database;
  const openDb = readOnlyDbOf(handlers, reading, app.newId);
  const home = { verifiers: handlers.code.verifiers, env: handlers.env, openDb };
  const { identify, standing } = createCallers(project, {
    ports,
    settings,
    revocations,
    cutoffs,
    purged: app.purged,
    home,
  });
  const timer = ports.realtime?.timer ?? ports.timer;
  return createGate({
    app,
    database,
    reading,
    tenants: ports.tenants ? watchedTenants(ports.tenants, realtime.watched) : null,
    identify,
    rights: timer ? createRightsWatch(standing, { ...ports, timer }) : null,
    auditing: createAuditing(project, ports),
    middlewares: middlewaresOf(handlers),
  });
}

function watchedTenants(
  tenants: Pick<TenantDatabases, "of" | "organizations">,
  watched: (database: Database) => Database,
): typeof tenants {
  return {
    of: (id, founding) => watched(tenants.of(id, founding)),
    organizations: (after, limit) => tenants.organizations(after, limit),
  };
}

/** Returns the endpoints of the project, without those of the service's own routes. */
function endpointsOf(app: OperationContext, options: AppOptions) {
  return [
    ...actionEndpoints(app.project, options.actions ?? {}),
    ...operationEndpoints(app.project),
    ...fileEndpoints(app.project),
    ...fileAddressEndpoints(app.project),
    ...undescribedEndpoints(app, options),
    ...webhookEndpoints(app),
    ...jobEndpoints(app),
  ];
}

/** Connects the accounts with the rows that keep members, or release them. */
function watchMembers(
  project: ProjectModel,
  ports: Ports,
  watched: (database: Database) => Database,
): void {
  const auditing = createAuditing(project, ports);
  const members = createMemberWatch(project, { ...ports, auditing, watched });
  if (members) ports.accounts?.watchMembers?.(members);
}

/** Throws if the databases do not match the project's tenancy: one for all organizations, or one for each. */
function requireTenants(project: ProjectModel, { tenants, copy }: Ports): void {
  if (isPerOrganization(project) !== Boolean(tenants)) {
    throw new Error("Cannot start: the host and the project do not agree on tenancy");
  }
  if (tenants && copy) {
    throw new Error("Cannot start: a copy holds one database, and each organization has its own");
  }
}

/** Returns the revocations; null: the project's tokens cannot be revoked. */
function revocationsOf(project: ProjectModel, ports: Ports, settings: Settings) {
  if (!project.auth.jwt?.revocationCheck) return null;
  return createRevocations(revocationStore(ports), ports, settings);
}

/** Makes the store of cutoffs. Issuing a token reads the database itself, because a copy may lag behind. */
function cutoffStore({ database, copy }: Ports): CutoffStore {
  return {
    after: (sequence) => cutoffsAfter(copy ?? database, sequence),
    notBefore: (subjects) => notBeforeOf(database, subjects),
  };
}

/** Returns the database with reads answered by the copy (definitions 8, `DATABASE_REPLICA`). Writes are unchanged. */
function readFrom(copy: Reader, database: Database): Database {
  return {
    run: (statement) => copy.run(statement),
    runAll: (statements) => copy.runAll(statements),
    write: (body, options) => database.write(body, options),
    migrate: (statements) => database.migrate(statements),
    close: () => database.close(),
  };
}

/** Builds the handler of requests. Without an observer it costs nothing more. */
function createFetch(
  app: OperationContext,
  { onRouted, observe }: Pick<AppOptions, "onRouted" | "observe">,
  answered: (read: ReadRequest, onRouted: OnRouted | undefined) => Promise<Response>,
): App["fetch"] {
  const toRequest = requestReader(app);
  const told = async (read: ReadRequest, tell: ReturnType<Observe>) => {
    let route: string | null = null;
    const response = await answered(read, (routed) => {
      route = routed.route;
      onRouted?.(routed);
    });
    const { requestId, method, path } = read.context;
    const code = app.refusals?.get(response) ?? null;
    const layer = code && RUNTIME_CODES[code].layer;
    tell({ requestId, method, route, path, status: response.status, layer, code });
    return response;
  };
  return (request, connection) => {
    const tell = observe?.();
    const read = toRequest(request, connection);
    return tell === undefined ? answered(read, onRouted) : told(read, tell);
  };
}

/** Returns the answer of a request's endpoint, or the problem that ends it before its gate. */
async function answer(
  { context: request, isHostAccepted, isPathCanonical }: ReadRequest,
  { router, carrier, enter }: {
    readonly router: Router;
    readonly carrier: PositionCarrier;
    readonly enter: Enter;
  },
  onRouted: OnRouted | undefined,
): Promise<Response> {
  const { method, path, requestId } = request;
  try {
    if (!path.startsWith(`${PROBLEM_PATH}/`)) await limitAddress(request);
    if (!isHostAccepted) return refuse("HOST_INVALID");
    if (!isPathCanonical) return refuse("ROUTE_NOT_FOUND");
    const hasPage = (path: string) => router(path)?.endpoints.has("GET") ?? false;
    const page = homePage(request, hasPage);
    if (page !== null) return page;
    const match = router(path) ?? refuse("ROUTE_NOT_FOUND");
    onRouted?.({ method, route: match.route, requestId });
    // `HEAD` runs `GET`. No endpoint answers `OPTIONS` itself.
    const endpoint = match.endpoints.get(method === "HEAD" ? "GET" : method);
    if (endpoint) {
      await carrier.reach(request);
      return await enter(request, endpoint, match.id);
    }
    const methods = [...match.endpoints.keys()];
    if (method === "OPTIONS") return optionsResponse(methods);
    const allow = methods.join(", ");
    const detail = `This path answers ${allow}`;
    return refuse("METHOD_NOT_ALLOWED", { detail, headers: { allow } });
  } catch (error) {
    return refusedResponse(error, request, "route");
  }
}
