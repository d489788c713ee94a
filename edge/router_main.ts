/** `deno task router`: the router as a process of its own (definitions 8). */
import { consoleLogger } from "../library/platform/console_logger.ts";
import { endOnFailedStart } from "../library/platform/failed_start.ts";
import { nameRequestSpan } from "../library/platform/request_spans.ts";
import { serve } from "../library/platform/serve.ts";
import { systemClock as clock } from "../library/platform/system.ts";
import {
  readOrigin,
  readServiceEnvironment,
  requireApiKeys,
  warnOfWeakKeys,
} from "./environment.ts";
import { createRouter } from "./router.ts";
import { remote } from "./upstream.ts";
import { ENDING_MAX_MS } from "../shared/service/mod.ts";
import { webPorts } from "./web_ports.ts";

const DEFAULT_PORT = 8787;

endOnFailedStart(Deno.env);
const environment = readServiceEnvironment(Deno.env, DEFAULT_PORT);
const edge = readOrigin("EDGE_URL", Deno.env);
const container = readOrigin("CONTAINER_URL", Deno.env);
if (container === null) {
  throw new Error("Cannot start: CONTAINER_URL is not set; name the container's origin");
}
const logger = consoleLogger({ clock });
warnOfWeakKeys(environment, logger);
const fetch = createRouter({
  ports: webPorts(logger, nameRequestSpan),
  baseUrl: environment.baseUrl,
  apiKeys: requireApiKeys(environment),
  sessions: environment.sessions,
  corsOrigins: environment.corsOrigins,
  edge: edge === null ? null : remote(edge),
  container: remote(container),
});

await serve({
  ...environment,
  logger,
  fetch,
  endingMaxMs: ENDING_MAX_MS,
  onClosed: () => Promise.resolve(),
});
