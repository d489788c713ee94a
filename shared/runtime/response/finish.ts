/** Adds the headers that every answer has. */
import { ANSWER_HEADERS, HEADERS, REQUEST_HEADERS } from "../../contract/mod.ts";
import type { RequestContext } from "../context.ts";
import { isTrustedOrigin } from "../request/read_request.ts";

/**
 * Finishes the answer: browsers must not sniff its type, caches keep it under a tag only, and trusted origins may read it. A
 * `HEAD` gets the answer to `GET`: the server withholds its body, and gives its length.
 */
export function finished(response: Response, request: RequestContext): Response {
  // The headers of a WebSocket cannot be changed any more.
  if (response.status === 101) return response;
  const { headers } = response;
  headers.set(HEADERS.requestId, request.requestId);
  headers.set("x-content-type-options", "nosniff");
  // Almost every answer depends on its caller: a kept copy is revalidated by its tag.
  if (!headers.has("cache-control")) {
    const isKept = ["GET", "HEAD"].includes(request.method) && headers.has(HEADERS.etag);
    headers.set("cache-control", isKept ? "private, no-cache" : "no-store");
  }
  for (const [name, value] of corsHeaders(request, headers)) headers.append(name, value);
  return response;
}

const PREFLIGHT_SECONDS = "600";

const VARY: readonly (readonly [string, string])[] = [["vary", "Origin"]];

/**
 * Adds the headers that let a page of a trusted origin read the answer, and that list for its preflight what it may send
 * (definitions 2, `trustedOrigins`). Other origins get none of them, and no credentials.
 */
function corsHeaders(
  { method, headers, app }: RequestContext,
  answer: Headers,
): readonly (readonly [name: string, value: string])[] {
  const origin = headers.get("origin");
  if (origin === null || !isTrustedOrigin(origin, app)) return VARY;
  const isPreflight = method === "OPTIONS" && headers.has("access-control-request-method");
  const forReaders: readonly (readonly [string, string])[] = [
    ...VARY,
    ["access-control-allow-origin", origin],
    ["access-control-allow-credentials", "true"],
    ["access-control-expose-headers", ANSWER_HEADERS.join(", ")],
  ];
  if (!isPreflight) return forReaders;
  return [
    ...forReaders,
    ["access-control-allow-methods", answer.get("allow") ?? ""],
    ["access-control-allow-headers", REQUEST_HEADERS.join(", ")],
    ["access-control-max-age", PREFLIGHT_SECONDS],
  ];
}

/** Answers `OPTIONS` with the methods of the path. */
export function optionsResponse(methods: readonly string[]): Response {
  return new Response(null, { status: 204, headers: { allow: methods.join(", ") } });
}
