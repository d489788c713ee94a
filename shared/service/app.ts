/** The build service, on any host: `GET /health`, `GET /templates`, `POST /compile` (contract 4.8). */
import { type Context, Hono } from "hono";
import { routePath } from "hono/route";
import { bySlug, CONTRACT_VERSIONS, HEADERS, PROBLEM_PATH, problemPage } from "../contract/mod.ts";
import { isHostWellFormed, prefersJson } from "../lib/http.ts";
import { CompileSlots } from "./compile/compile_slots.ts";
import { SharedCompiles } from "./compile/shared_compiles.ts";
import { compileEndpoint, type CompileService } from "./compile_endpoint.ts";
import { describeService } from "./description/describe.ts";
import type {
  AppSettings,
  Compiler,
  CompileStore,
  ServicePorts,
  ServiceRoutes,
  ServiceSettings,
} from "./ports.ts";
import { ANSWER_CODES, rowOf, ServiceRefusal } from "./refusal.ts";
import { authentication } from "./request/authenticate.ts";
import { serviceCors } from "./response/cors.ts";
import { jsonResponse } from "./response/gzipped.ts";
import { problemResponse, refusalOf } from "./response/problem.ts";
import { templateAnswers } from "./templates.ts";

export interface AppOptions {
  readonly settings: AppSettings;
  readonly ports: ServicePorts;
  readonly routes: ServiceRoutes;
}

export interface ServiceOptions {
  readonly settings: ServiceSettings;
  readonly ports: ServicePorts;
  readonly compiler: Compiler;
  /** Store of finished compiles. Absent: every request compiles. */
  readonly store?: CompileStore | null;
  /** Aborts when the process is asked to end. */
  readonly ending?: AbortSignal;
}

/** The request's own method. `HEAD` is routed as `GET`. */
type Env = { Variables: { requestId: string }; Bindings: { method: string } };
type ServiceContext = Context<Env>;

export interface BuildService {
  readonly fetch: (request: Request) => Promise<Response>;
}

/** A service that compiles. */
export function createService(
  { settings, ports, compiler, store = null, ending = NEVER }: ServiceOptions,
): BuildService {
  const { timers } = ports;
  const slots = new CompileSlots(settings, { timers, ending });
  const service: CompileService = {
    settings,
    ports,
    compiles: new SharedCompiles({ compiler, slots, timers, store }),
    authenticate: authentication(settings.apiKeys, settings.sessions),
  };
  const { templates } = settings;
  return createServiceApp({
    settings,
    ports,
    routes: {
      compile: (request) => compileEndpoint(service, request),
      templates: templates === null ? null : templateAnswers(templates),
      accounts: settings.accounts ?? null,
    },
  });
}

const NEVER = new AbortController().signal;

/** Makes the routes of a build service. A router answers them through other hosts. */
export function createServiceApp(options: AppOptions): BuildService {
  const app = new Hono<Env>();
  app.use(withRequest(options.ports));
  app.use(serviceCors(options.settings.corsOrigins ?? null));
  // Platforms build the URL from this header, and a slash in it would select another route (traps 23).
  app.use(async (c, next) => {
    const host = c.req.header("host");
    if (host !== undefined && !isHostWellFormed(host)) {
      throw new ServiceRefusal("HOST_INVALID");
    }
    await next();
  });
  routes(app, options);
  app.notFound((c) => answerRefusal(new ServiceRefusal("ROUTE_NOT_FOUND"), c, options));
  app.onError((error, c) => {
    const refusal = refusalOf(error);
    // Work that the client aborted by leaving is no failure.
    if (refusal.code === "INTERNAL_ERROR" && !c.req.raw.signal.aborted) {
      const requestId = c.get("requestId");
      options.ports.logger.log({ level: "error", message: "Request failed", requestId, error });
    }
    return answerRefusal(refusal, c, options);
  });
  return { fetch: async (request) => await app.fetch(...routed(request)) };
}

/**
 * Routes `HEAD` as `GET`. The server then omits the body but keeps its length. The framework would drop the body, so that the
 * length would be 0.
 */
function routed(request: Request): [Request, Env["Bindings"]] {
  const { method } = request;
  return [method === "HEAD" ? new Request(request, { method: "GET" }) : request, { method }];
}

function routes(app: Hono<Env>, { settings, routes }: AppOptions): void {
  const hasTemplates = routes.templates !== null;
  const description = describeService(settings, { hasTemplates });
  const asked = (c: ServiceContext) => ({ raw: c.req.raw, requestId: c.get("requestId") });
  app.get(
    "/health",
    (c) =>
      jsonResponse({
        status: "ok",
        backend: settings.backend,
        version: settings.version,
        contract: Object.keys(CONTRACT_VERSIONS),
      }, c.req.raw),
  );
  app.all("/health", () => refuseMethod("GET, HEAD"));
  app.get("/openapi.json", (c) => jsonResponse(description, c.req.raw));
  app.all("/openapi.json", () => refuseMethod("GET, HEAD"));
  const problems = `${PROBLEM_PATH}/:code`;
  app.get(problems, (c) => {
    const code = CODES.get(c.req.param("code"));
    if (code === undefined) throw new ServiceRefusal("ROUTE_NOT_FOUND");
    const asJson = prefersJson(c.req.raw.headers.get("accept"));
    return problemPage({ ...rowOf(code), code }, settings.baseUrl, asJson);
  });
  app.all(problems, () => refuseMethod("GET, HEAD"));
  app.post("/compile", (c) => routes.compile(asked(c)));
  app.all("/compile", () => refuseMethod("POST"));
  const { templates, accounts = null } = routes;
  if (accounts !== null) {
    for (const path of ["/device", "/auth/v1/device/*"]) {
      app.all(path, async (c) => await accounts(c.req.raw) ?? c.notFound());
    }
  }
  if (templates === null) return;
  app.get("/templates", (c) => templates(asked(c), null));
  app.get("/templates/:name", (c) => templates(asked(c), c.req.param("name")));
  for (const path of ["/templates", "/templates/:name"]) {
    app.all(path, () => refuseMethod("GET, HEAD"));
  }
}

function refuseMethod(allow: string): never {
  throw new ServiceRefusal("METHOD_NOT_ALLOWED", {
    detail: `This path answers ${allow}`,
    headers: { allow },
  });
}

/** Gives the request an id, and sets the headers that all answers share. */
function withRequest({ newRequestId, logger, timers, onRouted }: ServicePorts) {
  return async (c: ServiceContext, next: () => Promise<void>) => {
    const requestId = newRequestId();
    const since = timers.now();
    c.set("requestId", requestId);
    await next();
    // The answer of a routed backend keeps the id in its problem document.
    const answered = c.res.headers.get(HEADERS.requestId) ?? requestId;
    const route = routePath(c, -1);
    if (!route.endsWith("*")) onRouted?.({ method: c.env.method, route, requestId: answered });
    c.header(HEADERS.requestId, answered);
    c.header("x-content-type-options", "nosniff");
    if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
    logger.log({
      level: "info",
      message: "Answered",
      requestId: answered,
      fields: {
        method: c.env.method,
        path: c.req.path.slice(0, 200),
        status: c.res.status,
        milliseconds: Math.round(timers.now() - since),
      },
    });
  };
}

function answerRefusal(
  refusal: ServiceRefusal,
  c: ServiceContext,
  { settings }: AppOptions,
): Response {
  // The URL of a refused host may contain any text.
  const { pathname, search } = refusal.code === "HOST_INVALID" ? NOWHERE : new URL(c.req.url);
  const request = {
    method: c.env.method,
    path: pathname,
    search,
    requestId: c.get("requestId"),
  };
  return problemResponse(refusal, request, settings.baseUrl);
}

const NOWHERE = { pathname: "/", search: "" };

/** Answers `GET /problems/{code}`: the page of a problem's `type`, without credentials (contract 2.7). */
const CODES = bySlug(ANSWER_CODES);
