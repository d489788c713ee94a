/** Cross-origin answers: for trusted origins only, and credentials only for them (definitions 2, `trustedOrigins`). */
import type { RequestContext } from "../context.ts";
import { isTrustedOrigin } from "../request/trusted_origin.ts";

const ALLOWED_HEADERS =
  "authorization, content-type, x-api-key, if-match, if-none-match, idempotency-key, last-event-id, mcp-protocol-version";
const EXPOSED_HEADERS =
  "accept-patch, allow, etag, idempotency-replayed, link, location, preference-applied, retry-after, www-authenticate, x-request-id";
const PREFLIGHT_SECONDS = "600";

const VARY: readonly (readonly [string, string])[] = [["vary", "Origin"]];

/** Headers that let a page of a trusted origin read the answer, and say to its preflight what it may send. */
export function corsHeaders(
  { method, headers, app }: RequestContext,
  answer: Headers,
): readonly (readonly [name: string, value: string])[] {
  const origin = headers.get("origin");
  if (origin === null || !isTrustedOrigin(origin, app)) return VARY;
  const isPreflight = method === "OPTIONS" && headers.has("access-control-request-method");
  return [
    ...VARY,
    ["access-control-allow-origin", origin],
    ["access-control-allow-credentials", "true"],
    ["access-control-expose-headers", EXPOSED_HEADERS],
    ...(isPreflight ? preflightHeaders(answer.get("allow") ?? "") : []),
  ];
}

function preflightHeaders(allow: string): readonly (readonly [name: string, value: string])[] {
  return [
    ["access-control-allow-methods", allow],
    ["access-control-allow-headers", ALLOWED_HEADERS],
    ["access-control-max-age", PREFLIGHT_SECONDS],
  ];
}

/** The answer to `OPTIONS`: the methods of the path. */
export function optionsResponse(methods: readonly string[]): Response {
  return new Response(null, { status: 204, headers: { allow: methods.join(", ") } });
}
