/**
 * Writes with a cookie come from our own pages (definitions 7, traps): a browser sends the cookie for whoever asks, so
 * `Origin`, `Referer` or `Sec-Fetch-Site` must vouch for the page; in production one of them must be there. Refuses with
 * `ORIGIN_FORBIDDEN`.
 */
import type { AppContext, RequestContext } from "../../context.ts";
import { refuse } from "../../refusal.ts";
import { isTrustedOrigin } from "../../request/trusted_origin.ts";
import { asksForWebSocket } from "../../request/web_socket.ts";

const SAFE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS"];
const OWN_SITES: readonly string[] = ["same-origin", "none"];

export function requireOwnOrigin({ method, headers, app }: RequestContext): void {
  // A page may open a WebSocket anywhere, with the cookies of its user, and read it (RFC 6455, 10.2).
  if (SAFE_METHODS.includes(method) && !asksForWebSocket(headers)) return;
  const origin = headers.get("origin") ?? refererOrigin(headers.get("referer"));
  const site = headers.get("sec-fetch-site");
  if (origin !== null ? isTrustedOrigin(origin, app) : isOwnSite(site, app)) return;
  refuse("ORIGIN_FORBIDDEN", origin === null && site === null ? { hint: SAY_WHERE_FROM } : {});
}

const SAY_WHERE_FROM = "Send an Origin header, or an API key or a token instead of the cookie";

/** No browser of today leaves out all three on an unsafe method: whoever does holds the cookie knowingly. */
function isOwnSite(site: string | null, { settings }: AppContext): boolean {
  return site === null ? !settings.production : OWN_SITES.includes(site);
}

/** The page's origin; an address that is none vouches for nobody. */
function refererOrigin(referer: string | null): string | null {
  return referer === null ? null : URL.parse(referer)?.origin ?? "null";
}
