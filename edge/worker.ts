/** The validating backend for an edge platform: `export default { fetch }`, with settings as bindings. */
import { createEdge, type Fetch } from "./edge_service.ts";
import { readOrigin, readServiceEnvironment, requireApiKeys } from "./environment.ts";
import { webPorts } from "./web_ports.ts";

interface Bindings {
  readonly SERVICE_API_KEY?: string;
  readonly SERVICE_AUTH_SECRET?: string;
  readonly SERVICE_CORS_ORIGINS?: string;
  readonly BASE_URL?: string;
}

const logger = {
  log: ({ level, message, requestId, fields }: {
    readonly level: string;
    readonly message: string;
    readonly requestId?: string;
    readonly fields?: object;
  }) => console.log(JSON.stringify({ ...fields, level, message, requestId })),
};

const services = new WeakMap<Bindings, Fetch>();

export default {
  fetch(request: Request, bindings: Bindings): Promise<Response> {
    const service = services.get(bindings) ?? createFor(bindings, new URL(request.url).origin);
    services.set(bindings, service);
    return service(request);
  },
};

function createFor(bindings: Bindings, origin: string): Fetch {
  const variables = new Map(Object.entries(bindings));
  const environment = readServiceEnvironment(variables, 0);
  return createEdge({
    ports: webPorts(logger),
    baseUrl: readOrigin("BASE_URL", variables) ?? origin,
    apiKeys: requireApiKeys(environment),
    sessions: environment.sessions,
    corsOrigins: environment.corsOrigins,
  });
}
