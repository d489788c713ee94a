/**
 * Serves `POST /mcp` (contract 5.5). It checks the origin, then the caller, and then the protocol. Callers need a credential in
 * a header, because browsers send cookies for any page. Refuses with `ORIGIN_FORBIDDEN`, `HOST_INVALID` and errors of the body.
 */
import { isLocalOrigin } from "../../lib/http.ts";
import { actorOf } from "../../model/mod.ts";
import type { RequestContext } from "../context.ts";
import type { Admitted } from "../gate.ts";
import type { Settings } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { isTrustedOrigin } from "../request/read_request.ts";
import type { Handlers } from "../route_endpoints.ts";
import type { InnerApi } from "./inner_api.ts";
import type { McpExchange } from "./mcp_server.ts";
import { LogLevels, RunningStreams } from "./running_streams.ts";

export function mcpHandlers(api: InnerApi): Handlers<"serviceMcp"> {
  const levels = createLogLevels();
  const streams = createRunningStreams();
  return {
    serviceMcp: {
      before: requireOwnPage,
      handle: (request) => answerMcp(request, { api, levels, streams }),
    },
  };
}

async function answerMcp(
  request: Admitted,
  given: Pick<McpExchange, "api" | "levels" | "streams">,
): Promise<Response> {
  const message = await request.body.object();
  // Loaded with the first call: most instances of most projects never need it.
  const { answerMessage } = await import("./answer_message.ts");
  return await answerMessage({ caller: request, message, ...given });
}

/**
 * Refuses pages of foreign origins with `ORIGIN_FORBIDDEN`, and with `HOST_INVALID` a host name that somebody else pointed at
 * this machine (DNS rebinding).
 */
function requireOwnPage({ app, headers }: RequestContext): void {
  const origin = headers.get("origin");
  if (origin !== null && !isTrustedOrigin(origin, app)) {
    refuse("ORIGIN_FORBIDDEN", { hint: "Add the origin to 'trustedOrigins'" });
  }
  if (!isOwnHost(headers.get("host") ?? "", app.settings)) {
    refuse("HOST_INVALID", { hint: "Set BASE_URL to the address that clients use" });
  }
}

/**
 * True for a host name of this API. In production the proxy decides which host names lead here. On a developer's machine a name
 * with a dot may be anybody's, while a name without one cannot be registered, and addresses are not names.
 */
function isOwnHost(host: string, { baseUrl, production }: Settings): boolean {
  if (production || host === new URL(baseUrl).host || isLocalOrigin(`http://${host}`)) return true;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return !name.includes(".") || name.startsWith("[") || /^[\d.]+$/.test(name) ||
    name.endsWith(".localhost");
}

const CALLERS_MAX = 1000;

/**
 * Builds the log levels that callers last set (the protocol's `logging/setLevel`). There are no sessions: a level is kept for
 * its caller, by the instance that received it, for as long as few others are. One per application.
 */
function createLogLevels(): LogLevels {
  const kept = new Map<string, string>();
  return {
    keep(caller, level) {
      if (kept.size >= CALLERS_MAX) kept.clear();
      kept.set(callerId(caller), level);
    },
    of: (caller) => kept.get(callerId(caller)) ?? null,
  };
}

/**
 * Builds the list of streaming calls that run in this instance, so that their caller can stop them (the protocol's
 * `notifications/cancelled`). There are no sessions: a request's id is its caller's own. One per application.
 */
function createRunningStreams(): RunningStreams {
  const running = new Map<string, Set<() => void>>();
  return {
    began(caller, requestId, end) {
      const key = keyOf(caller, requestId);
      const ends = running.get(key) ?? new Set();
      running.set(key, ends.add(end));
      return () => {
        ends.delete(end);
        if (ends.size === 0 && running.get(key) === ends) running.delete(key);
      };
    },
    cancel(caller, requestId) {
      for (const end of [...running.get(keyOf(caller, requestId)) ?? []]) end();
    },
  };
}

function keyOf(caller: Admitted, requestId: unknown): string {
  return JSON.stringify([callerId(caller), requestId]);
}

/** Returns the key by which values are kept between the messages of one caller. */
function callerId({ principal }: Admitted): string {
  const { credential, organizationId, scope = null, grants = null } = principal;
  return JSON.stringify([credential, actorOf(principal), organizationId, scope, grants]);
}
