/**
 * The `Host` header (RFC 9110, 7.2), checked before anything is routed: some platforms build the request's URL from
 * it, so that a slash in it would choose the route. Refuses with `HOST_INVALID`.
 */
import type { Settings } from "../ports.ts";

const NAME = "[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?";
const HOST = new RegExp(`^(?:${NAME}(?:\\.${NAME})*\\.?|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?$`);
const HOST_MAX_LENGTH = 262;

/** True when the header is there, well-formed, and one of those that this API answers to. */
export function isHostAccepted(
  host: string | null,
  { allowedHosts }: Pick<Settings, "allowedHosts">,
): boolean {
  if (host === null || host.length > HOST_MAX_LENGTH || !HOST.test(host)) return false;
  if (allowedHosts === null) return true;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return allowedHosts.some((allowed) => allowed.toLowerCase() === name);
}
