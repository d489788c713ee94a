/** `deno task edge`: the validating backend as a process of its own (definitions 8). */
import { consoleLogger } from "../library/platform/console_logger.ts";
import { endOnFailedStart } from "../library/platform/failed_start.ts";
import { nameRequestSpan } from "../library/platform/request_spans.ts";
import { serve } from "../library/platform/serve.ts";
import { systemClock as clock } from "../library/platform/system.ts";
import { createEdge } from "./edge_service.ts";
import { readServiceEnvironment, requireApiKeys, warnOfWeakKeys } from "./environment.ts";
import { ENDING_MAX_MS } from "../shared/service/mod.ts";
import { webPorts } from "./web_ports.ts";

const DEFAULT_PORT = 8788;

endOnFailedStart(Deno.env);
const environment = readServiceEnvironment(Deno.env, DEFAULT_PORT);
const logger = consoleLogger({ clock });
warnOfWeakKeys(environment, logger);
const ending = new AbortController();
const fetch = createEdge({
  ports: webPorts(logger, nameRequestSpan),
  baseUrl: environment.baseUrl,
  apiKeys: requireApiKeys(environment),
  sessions: environment.sessions,
  corsOrigins: environment.corsOrigins,
  ending: ending.signal,
});

await serve({
  ...environment,
  logger,
  fetch,
  onEnding: () => ending.abort(),
  endingMaxMs: ENDING_MAX_MS,
  onClosed: () => Promise.resolve(),
});
