/** `deno task service`: router, edge and container in one process (definitions 8). */
import { createEdge } from "../edge/edge_service.ts";
import { readAccountsFile, readServiceEnvironment, warnOfWeakKeys } from "../edge/environment.ts";
import { createRouter } from "../edge/router.ts";
import { webPorts } from "../edge/web_ports.ts";
import { consoleLogger } from "../library/platform/console_logger.ts";
import { endOnFailedStart } from "../library/platform/failed_start.ts";
import { nameRequestSpan } from "../library/platform/request_spans.ts";
import { serve } from "../library/platform/serve.ts";
import { systemClock as clock, systemRandomness } from "../library/platform/system.ts";
import { ENDING_MAX_MS } from "../shared/service/mod.ts";
import { openAccounts } from "./accounts/open_accounts.ts";
import { readBuiltHost } from "./built_runtime.ts";
import { createContainer } from "./container_service.ts";

const DEFAULT_PORT = 8787;
const LOOPBACK = "127.0.0.1";
const KEY_BYTES = 24;

endOnFailedStart(Deno.env);
const environment = readServiceEnvironment(Deno.env, DEFAULT_PORT);
const isConfigured = environment.apiKeys.length > 0;
const apiKeys = isConfigured ? environment.apiKeys : [madeKey()];
const { baseUrl, sessions, corsOrigins } = environment;
// The router logs every request. The backends behind it log only errors.
const logger = consoleLogger({ clock });
warnOfWeakKeys(environment, logger);
const quiet = webPorts({ log: (entry) => entry.level === "error" ? logger.log(entry) : undefined });
const hosted = await openAccounts({
  file: readAccountsFile(Deno.env, environment),
  baseUrl,
  apiKeys,
  sessions,
  logger,
});
const accounts = hosted?.accounts ?? null;
const ending = new AbortController();
const { signal } = ending;
const container = createContainer({
  host: await readBuiltHost(),
  ports: quiet,
  baseUrl,
  apiKeys,
  sessions,
  accounts,
  ending: signal,
});
const fetch = createRouter({
  ports: webPorts(logger, nameRequestSpan),
  baseUrl,
  apiKeys,
  sessions,
  corsOrigins,
  edge: createEdge({ ports: quiet, baseUrl, apiKeys, sessions, ending: signal }),
  container: container.fetch,
});

await serve({
  port: environment.port,
  // Without a configured key the service listens on this machine only.
  hostname: isConfigured ? environment.hostname : LOOPBACK,
  logger,
  fetch,
  onEnding: () => ending.abort(),
  endingMaxMs: ENDING_MAX_MS,
  onClosed: () => {
    container[Symbol.dispose]();
    hosted?.[Symbol.dispose]();
    return Promise.resolve();
  },
});

function madeKey(): string {
  const key = `qbk_${systemRandomness.bytes(KEY_BYTES).toBase64({ alphabet: "base64url" })}`;
  console.log(`SERVICE_API_KEY is not set: this run takes "x-api-key: ${key}", on loopback only`);
  return key;
}
