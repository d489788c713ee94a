/** The contender that this project exists for: the runtime over the compiled example. */
import {
  consoleLogger,
  memoryRateLimiter,
  systemClock,
  systemRandomness,
  systemTimer,
} from "../platform/mod.ts";
import { createApp, memoryPubSub, type RateLimiter } from "../shared/runtime/mod.ts";
import { AUTH_SECRET, BASE_URL, type Scenario } from "./scenario.ts";

export type Handler = (request: Request) => Promise<Response>;

/** Counts as it does in production, but never runs out. */
export function endlessLimiter(): RateLimiter {
  const limiter = memoryRateLimiter({ clock: systemClock });
  return { ...limiter, take: (key, _limit, period) => limiter.take(key, Infinity, period) };
}

export function generatedApi({ project, database }: Scenario): Handler {
  const ports = {
    database,
    clock: systemClock,
    random: systemRandomness,
    logger: consoleLogger({ clock: systemClock }),
    accounts: null,
    limiter: endlessLimiter(),
    realtime: { pubSub: memoryPubSub({ clock: systemClock }), timer: systemTimer },
  };
  const settings = {
    baseUrl: BASE_URL,
    authSecret: AUTH_SECRET,
    production: true,
    exposeErrorStack: false,
    allowedHosts: null,
  };
  const app = createApp(project, ports, settings, { openapi: null });
  return (request) => app.fetch(request, { clientIp: null });
}
