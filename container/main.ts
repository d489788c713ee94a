/** `deno task container`: the backend of full compiles as a process of its own (definitions 8). */
import {
  readAccountsFile,
  readServiceEnvironment,
  requireApiKeys,
  warnOfWeakKeys,
} from "../edge/environment.ts";
import { webPorts } from "../edge/web_ports.ts";
import { consoleLogger } from "../library/platform/console_logger.ts";
import { endOnFailedStart } from "../library/platform/failed_start.ts";
import { nameRequestSpan } from "../library/platform/request_spans.ts";
import { serve } from "../library/platform/serve.ts";
import { systemClock as clock } from "../library/platform/system.ts";
import { ENDING_MAX_MS } from "../shared/service/mod.ts";
import { openAccounts } from "./accounts/open_accounts.ts";
import { readBuiltHost } from "./built_runtime.ts";
import { createContainer } from "./container_service.ts";

const DEFAULT_PORT = 8789;

endOnFailedStart(Deno.env);
const environment = readServiceEnvironment(Deno.env, DEFAULT_PORT);
const { baseUrl, sessions, corsOrigins } = environment;
const apiKeys = requireApiKeys(environment);
const ports = webPorts(consoleLogger({ clock }), nameRequestSpan);
warnOfWeakKeys(environment, ports.logger);
const hosted = await openAccounts({
  file: readAccountsFile(Deno.env, environment),
  baseUrl,
  apiKeys,
  sessions,
  logger: ports.logger,
});
const accounts = hosted?.accounts ?? null;
const ending = new AbortController();
const container = createContainer({
  host: await readBuiltHost(),
  ports,
  baseUrl,
  apiKeys,
  sessions,
  corsOrigins,
  accounts,
  ending: ending.signal,
});

await serve({
  ...environment,
  logger: ports.logger,
  fetch: container.fetch,
  onEnding: () => ending.abort(),
  endingMaxMs: ENDING_MAX_MS,
  onClosed: () => {
    container[Symbol.dispose]();
    hosted?.[Symbol.dispose]();
    return Promise.resolve();
  },
});
