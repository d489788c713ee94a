/**
 * Writes with a cookie come from our own pages (definitions 7, traps): a browser sends the cookie for whoever asks, so
 * `Origin`, `Referer` or `Sec-Fetch-Site` must vouch for the page. Refuses with `ORIGIN_FORBIDDEN`.
 */
import type { RequestContext } from "../../context.ts";
import { refuse } from "../../refusal.ts";
import { isTrustedOrigin } from "../../request/trusted_origin.ts";

const SAFE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS"];
const OWN_SITES: readonly string[] = ["same-origin", "none"];

export function requireOwnOrigin({ method, headers, app }: RequestContext): void {
  if (SAFE_METHODS.includes(method)) return;
  const origin = headers.get("origin") ?? refererOrigin(headers.get("referer"));
  const site = headers.get("sec-fetch-site");
  const isOwn = origin === null
    // No browser leaves out all three on an unsafe method: whoever does holds the cookie knowingly.
    ? site === null || OWN_SITES.includes(site)
    : isTrustedOrigin(origin, app);
  if (!isOwn) refuse("ORIGIN_FORBIDDEN");
}

/** The page's origin; an address that is none vouches for nobody. */
function refererOrigin(referer: string | null): string | null {
  return referer === null ? null : URL.parse(referer)?.origin ?? "null";
}
