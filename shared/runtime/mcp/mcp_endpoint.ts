/**
 * `POST /mcp` (contract 5.5): from where, then who calls, before the protocol is looked at. Somebody with a header that names
 * them: browsers send a cookie for whatever page asks. Refuses with `ORIGIN_FORBIDDEN`, `HOST_INVALID` and what is wrong with
 * the body.
 */
import { isLocalOrigin } from "../../lib/local_origin.ts";
import { mcpOperationsOf } from "../../surface/mcp_operation.ts";
import type { AppContext, RequestContext } from "../context.ts";
import { type Admitted, type Endpoint, serviceGate } from "../gate.ts";
import type { Settings } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { isTrustedOrigin } from "../request/headers.ts";
import type { InnerApi } from "./inner_api.ts";
import { createLogLevels } from "./log_levels.ts";
import type { McpExchange } from "./mcp_server.ts";
import { createRunningStreams } from "./running_streams.ts";

export function mcpEndpoints({ project }: AppContext, api: InnerApi): readonly Endpoint[] {
  const levels = createLogLevels();
  const streams = createRunningStreams();
  return mcpOperationsOf(project).map((operation) => ({
    id: "mcp",
    method: operation.method,
    path: operation.path,
    gate: serviceGate(operation),
    before: requireOwnPage,
    handle: (request) => answerMcp(request, { api, levels, streams }),
  }));
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
 * Refuses pages of foreign origins with `ORIGIN_FORBIDDEN`, and with `HOST_INVALID` names that somebody pointed at this machine
 * (DNS rebinding).
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
 * In production the proxy in front decides which names lead here. On a developer's machine a name with a dot in it may
 * be anybody's; one without is nobody's to give away, and addresses have no names.
 */
function isOwnHost(host: string, { baseUrl, production }: Settings): boolean {
  if (production || host === new URL(baseUrl).host || isLocalOrigin(`http://${host}`)) return true;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return !name.includes(".") || name.startsWith("[") || /^[\d.]+$/.test(name) ||
    name.endsWith(".localhost");
}
