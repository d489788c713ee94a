/**
 * Origins of pages that may use the service (definitions 7), with a key or a session and never with cookies. Preflights carry
 * no credentials, so they are answered before authentication.
 */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { HEADERS } from "../../contract/mod.ts";

/** Allowed origins; null: any. */
export type CorsOrigins = readonly string[] | null;

export function serviceCors(origins: CorsOrigins): MiddlewareHandler {
  const allow = cors({ ...ALLOWED, origin: origins === null ? "*" : [...origins] });
  // Only preflights are answered. OPTIONS itself is a method of no path.
  return async (c, next) =>
    c.req.method === "OPTIONS" &&
      !(c.req.raw.headers.has("origin") && c.req.raw.headers.has("access-control-request-method"))
      ? await next()
      : await allow(c, next);
}

const ALLOWED = {
  allowMethods: ["GET", "HEAD", "POST"],
  allowHeaders: [
    "accept",
    "authorization",
    "content-encoding",
    "content-type",
    HEADERS.apiKey,
    HEADERS.streamProtocol,
  ],
  exposeHeaders: [
    HEADERS.compileBackend,
    HEADERS.requestId,
    HEADERS.retryAfter,
    HEADERS.streamProtocol,
    "allow",
    "server-timing",
    "www-authenticate",
  ],
  maxAge: 600,
};

/** Removes a backend's CORS headers. The router sets its own for its callers. */
export function withoutCors(headers: Headers): void {
  for (const name of [...headers.keys()]) {
    if (name.startsWith("access-control-")) headers.delete(name);
  }
  const vary = (headers.get("vary") ?? "").split(",").map((name) => name.trim())
    .filter((name) => name !== "" && name.toLowerCase() !== "origin");
  if (vary.length > 0) headers.set("vary", vary.join(", "));
  else headers.delete("vary");
}
