/**
 * The router (contract 4.8). `complete=false` goes to the edge, and to the container if the edge fails. All other requests go
 * to the container. Streams pass unbuffered.
 */
import { HEADERS, PROBLEM_MEDIA_TYPE } from "../shared/contract/mod.ts";
import { VERSION } from "../shared/compiler/front.ts";
import * as service from "../shared/service/mod.ts";
import { CircuitBreaker, type Upstream, wholeFrames } from "./upstream.ts";
import type { Fetch } from "./edge_service.ts";

interface RouterOptions {
  readonly ports: service.ServicePorts;
  readonly baseUrl: string;
  readonly apiKeys: readonly string[];
  readonly sessions?: service.Sessions | null;
  readonly corsOrigins?: service.CorsOrigins;
  /** Null: requests are not routed to an edge. */
  readonly edge: Upstream | null;
  readonly container: Upstream;
}

/** Time within which the edge must begin to answer. A validation takes milliseconds. */
const EDGE_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

export function createRouter(options: RouterOptions): Fetch {
  const { ports, baseUrl, apiKeys, corsOrigins = null } = options;
  const authenticate = service.authentication(apiKeys, options.sessions);
  const breaker = new CircuitBreaker(ports.timers);
  const app = service.createServiceApp({
    ports,
    settings: { backend: "router", version: VERSION, baseUrl, corsOrigins },
    routes: {
      async compile({ raw }) {
        await authenticate(raw.headers);
        return await compile(raw, service.readCompileOptions(raw), { ...options, breaker });
      },
      templates: async ({ raw }: service.ServiceRequest) =>
        passed(await askContainer(raw, options), raw, null, ports),
      // The container knows whether it hosts accounts.
      accounts: async (raw) => passed(await askContainer(raw, options), raw, null, ports),
    },
  });
  return app.fetch;
}

type Backend = "edge" | "container-fallback";

interface Backends extends RouterOptions {
  readonly breaker: CircuitBreaker;
}

async function compile(
  raw: Request,
  { complete }: service.CompileOptions,
  backends: Backends,
): Promise<Response> {
  const { edge, ports, breaker } = backends;
  if (complete || edge === null) {
    return passed(await askContainer(raw, backends), raw, null, ports);
  }
  // The bytes are kept, because the container may have to receive the same ones.
  using limit = service.deadline(ports.timers, raw.signal);
  const body = await service.readWireBody(raw, limit.signal);
  const again = () => new Request(raw, { body, signal: raw.signal });
  const byEdge = async () => {
    const answer = await askEdge(again(), { ...backends, edge });
    return answer && passed(answer, raw, "edge", ports);
  };
  const byContainer = async () =>
    passed(await askContainer(again(), backends), raw, "container-fallback", ports);
  if (breaker.mayTry()) return await byEdge() ?? await byContainer();
  const covered = await byContainer().catch((error): service.ServiceRefusal => {
    if (error instanceof service.ServiceRefusal) return error;
    throw error;
  });
  if (covered instanceof Response && covered.status < 500) return covered;
  // The edge was skipped after failures, but no other backend answered, so it is tried again.
  const late = await byEdge();
  if (late === null && covered instanceof Response) return covered;
  if (late === null) throw covered;
  if (covered instanceof Response) await covered.body?.cancel();
  return late;
}

/** Asks the edge; null when it failed. */
async function askEdge(
  request: Request,
  { edge, breaker, ports }: Backends & { readonly edge: Upstream },
): Promise<Response | null> {
  try {
    const response = await inTime(edge, request, ports);
    if (response.status < 500) {
      breaker.succeeded();
      return response;
    }
    await response.body?.cancel();
    ports.logger.log({ level: "error", message: `Edge answered ${response.status}` });
  } catch (error) {
    // A client that left says nothing about the edge.
    if (request.signal.aborted) throw error;
    ports.logger.log({ level: "error", message: "Edge did not answer", error });
    if (error instanceof EdgeTimeout) {
      breaker.timedOut();
      return null;
    }
  }
  breaker.failed();
  return null;
}

/** Returns the edge's whole document, or its stream as soon as it begins. The time limit does not apply within a stream. */
async function inTime(
  edge: Upstream,
  request: Request,
  { timers }: service.ServicePorts,
): Promise<Response> {
  const answered = new AbortController();
  const late = new AbortController();
  const limit = timers.wait(EDGE_TIMEOUT_MS, answered.signal).then(() => {
    if (answered.signal.aborted) return null;
    late.abort();
    return null;
  });
  const signal = AbortSignal.any([request.signal, late.signal]);
  const asked = edge(new Request(request, { signal })).then(readWhole);
  const response = await Promise.race([asked, limit]).finally(() => answered.abort());
  if (response !== null) return response;
  asked.catch(() => {});
  throw new EdgeTimeout(`Edge did not answer within ${EDGE_TIMEOUT_MS} ms`);
}

class EdgeTimeout extends Error {}

async function askContainer(
  request: Request,
  { container, ports }: RouterOptions,
): Promise<Response> {
  try {
    const answer = await readWhole(await container(request));
    if (
      answer.status < 500 ||
      (answer.headers.get("content-type") ?? "").startsWith(PROBLEM_MEDIA_TYPE)
    ) return answer;
    await answer.body?.cancel();
    throw new Error(`Container answered ${answer.status} without a problem`);
  } catch (error) {
    if (request.signal.aborted) throw error;
    ports.logger.log({ level: "error", message: "Container did not answer", error });
    throw unreachable("The container backend does not answer");
  }
}

function unreachable(detail: string): service.ServiceRefusal {
  return new service.ServiceRefusal("COMPILE_UNAVAILABLE", {
    detail,
    headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
  });
}

/** Reads a whole document before it is passed on, so that a backend that breaks off counts as failed. */
async function readWhole(response: Response): Promise<Response> {
  if (response.body === null || isStream(response)) return response;
  return new Response(await response.arrayBuffer(), response);
}

function isStream(response: Response): boolean {
  return (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
}

/**
 * Prepares an answer for the client: unbuffered, with the request's id, and compressed if the client accepts that and nothing
 * streams.
 */
function passed(
  response: Response,
  request: Request,
  backend: Backend | null,
  ports: service.ServicePorts,
): Response {
  const answer = new Response(
    response.body === null || !isStream(response)
      ? response.body
      : wholeFrames(response.body, (error) => {
        ports.logger.log({ level: "error", message: "A backend's stream broke off", error });
        return service.errorFrame(unreachable("The backend was lost in the middle of its answer"));
      }),
    response,
  );
  service.withoutCors(answer.headers);
  if (backend === null) answer.headers.delete(HEADERS.compileBackend);
  else answer.headers.set(HEADERS.compileBackend, backend);
  const type = answer.headers.get("content-type") ?? "";
  const isWhole = type.startsWith("application/json") && !answer.headers.has("content-encoding");
  return isWhole ? service.gzipped(answer, request.headers) : answer;
}
