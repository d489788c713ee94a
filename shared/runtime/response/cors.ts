/** Cross-origin answers: for trusted origins only, and credentials only for them (definitions 2, `trustedOrigins`). */
import type { AppContext } from "../context.ts";
import { isTrustedOrigin } from "../request/trusted_origin.ts";

const ALLOWED_HEADERS =
  "authorization, content-type, x-api-key, if-match, if-none-match, idempotency-key, mcp-protocol-version";
const EXPOSED_HEADERS = "etag, retry-after, www-authenticate, x-request-id";
const PREFLIGHT_SECONDS = "600";

const VARY: readonly (readonly [string, string])[] = [["vary", "Origin"]];

/** Headers that let a page of this origin read the answer. */
export function corsHeaders(
  origin: string | null,
  app: AppContext,
): readonly (readonly [name: string, value: string])[] {
  if (origin === null || !isTrustedOrigin(origin, app)) return VARY;
  return [
    ...VARY,
    ["access-control-allow-origin", origin],
    ["access-control-allow-credentials", "true"],
    ["access-control-expose-headers", EXPOSED_HEADERS],
  ];
}

/** The answer to `OPTIONS`: the methods of the path, and to a preflight what it may send. */
export function optionsResponse(methods: readonly string[], request: Headers): Response {
  const allow = methods.join(", ");
  const isPreflight = request.has("access-control-request-method");
  return new Response(null, {
    status: 204,
    headers: {
      allow,
      ...(isPreflight
        ? {
          "access-control-allow-methods": allow,
          "access-control-allow-headers": ALLOWED_HEADERS,
          "access-control-max-age": PREFLIGHT_SECONDS,
        }
        : {}),
    },
  });
}
