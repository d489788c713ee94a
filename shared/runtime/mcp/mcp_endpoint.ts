/**
 * `POST /mcp` (contract 5.5): who calls and from where, before the protocol is looked at. Refuses with `AUTH_MISSING`,
 * whatever `identify` refuses, `ORIGIN_FORBIDDEN`, `HOST_INVALID` and what is wrong with the body.
 */
import { MCP_PATH } from "../../surface/mcp_operation.ts";
import type { AppContext, RequestContext } from "../context.ts";
import type { Endpoint } from "../router.ts";
import type { InnerApi } from "./inner_api.ts";
import { createLogLevels } from "./log_levels.ts";
import { requireCaller, requireOwnPage } from "./mcp_caller.ts";
import type { McpExchange } from "./mcp_server.ts";
import { createRunningStreams } from "./running_streams.ts";

export function mcpEndpoints({ project }: AppContext, api: InnerApi): readonly Endpoint[] {
  if (!project.agents.mcp) return [];
  const levels = createLogLevels();
  const streams = createRunningStreams();
  return [{
    id: "mcp",
    method: "POST",
    path: MCP_PATH,
    handle: (request) => answerMcp(request, { api, levels, streams }),
  }];
}

async function answerMcp(
  request: RequestContext,
  given: Pick<McpExchange, "api" | "levels" | "streams">,
): Promise<Response> {
  requireOwnPage(request);
  const principal = await requireCaller(request);
  const message = await request.body.object();
  // Loaded with the first call: most instances of most projects never need it.
  const { answerMessage } = await import("./answer_message.ts");
  return await answerMessage({ caller: { request, principal }, message, ...given });
}
