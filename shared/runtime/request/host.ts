/**
 * The `Host` header (RFC 9110, 7.2), checked before anything is routed: some platforms build the request's URL from
 * it, so that a slash in it would choose the route. Refuses with `HOST_INVALID`.
 */
import { isHostWellFormed } from "../../lib/host_header.ts";
import type { Settings } from "../ports.ts";

/** True when the header is there, well-formed, and one of those that this API answers to. */
export function isHostAccepted(
  host: string | null,
  { allowedHosts }: Pick<Settings, "allowedHosts">,
): boolean {
  if (host === null || !isHostWellFormed(host)) return false;
  if (allowedHosts === null) return true;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return allowedHosts.some((allowed) => allowed.toLowerCase() === name);
}
