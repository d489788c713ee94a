/** The edge backend. It validates, and refers to the container for the rest (contract 4.8, raw-files rule 3). */
import { HEADERS } from "../shared/contract/mod.ts";
import { VERSION } from "../shared/compiler/front.ts";
import type { CorsOrigins, ServicePorts, Sessions } from "../shared/service/mod.ts";
import { createService } from "../shared/service/mod.ts";
import { stepCompiler } from "../shared/service/step_compiler.ts";

/** Options of both backends. */
export interface BackendOptions {
  readonly ports: ServicePorts;
  readonly baseUrl: string;
  readonly apiKeys: readonly string[];
  readonly sessions?: Sessions | null;
  readonly corsOrigins?: CorsOrigins;
  /** Aborts when the process is asked to end. */
  readonly ending?: AbortSignal;
}

export type Fetch = (request: Request) => Promise<Response>;

export function createEdge(options: BackendOptions): Fetch {
  const { ports, baseUrl, apiKeys, sessions = null, corsOrigins = null, ending } = options;
  const service = createService({
    ports,
    ...(ending ? { ending } : {}),
    settings: {
      backend: "edge",
      version: VERSION,
      baseUrl,
      apiKeys,
      sessions,
      corsOrigins,
      templates: null,
      // There is one thread, so concurrent compiles would only share it.
      running: 1,
      waiting: 64,
    },
    compiler: stepCompiler({
      host: null,
      check: null,
      turn: () => ports.timers.wait(0),
      now: () => ports.timers.now(),
    }),
  });
  return async (request) => {
    // The header names the validating backend. A full compile never has it.
    const response = await service.fetch(request);
    // The host of a refused request may be no valid part of a URL.
    const url = URL.parse(request.url);
    if (url?.pathname === "/compile" && url.searchParams.get("complete") === "false") {
      response.headers.set(HEADERS.compileBackend, "edge");
    }
    return response;
  };
}
