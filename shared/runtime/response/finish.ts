/** The headers that every answer carries, whoever made it. */
import { HEADERS } from "../../contract/headers.ts";
import type { RequestContext } from "../context.ts";
import { corsHeaders } from "./cors.ts";

/**
 * The answer as it leaves: not to be sniffed, not to be kept, readable for trusted origins. To `HEAD` it is the one to `GET`: the
 * server holds its body back, and tells its length.
 */
export function finished(response: Response, request: RequestContext): Response {
  // What became a WebSocket has no headers of ours any more.
  if (response.status === 101) return response;
  const { headers } = response;
  headers.set(HEADERS.requestId, request.requestId);
  headers.set("x-content-type-options", "nosniff");
  // Almost every answer depends on who asks.
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  for (const [name, value] of corsHeaders(request, headers)) headers.append(name, value);
  return response;
}
