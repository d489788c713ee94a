/** `deno task container`: the backend of full compiles as a process of its own (definitions 8). */
import { readServiceEnvironment, requireApiKeys } from "../edge/environment.ts";
import { webPorts } from "../edge/web_ports.ts";
import { consoleLogger } from "../platform/console_logger.ts";
import { serve } from "../platform/serve.ts";
import { systemClock as clock } from "../platform/system_clock.ts";
import { createContainer } from "./container_service.ts";

const DEFAULT_PORT = 8789;

const environment = readServiceEnvironment(Deno.env, { port: DEFAULT_PORT });
const container = createContainer({
  ports: webPorts(consoleLogger({ clock })),
  baseUrl: environment.baseUrl,
  apiKeys: requireApiKeys(environment),
});

await serve({ ...environment, fetch: container.fetch, onClosed: closed });

function closed(): Promise<void> {
  container[Symbol.dispose]();
  return Promise.resolve();
}
