/**
 * Who calls `/mcp`: somebody with a header that names them. A cookie is none: browsers send it for whatever page asks.
 * Pages of foreign origins are refused, and names that somebody pointed at this machine (DNS rebinding).
 */
import { isLocalOrigin } from "../../lib/local_origin.ts";
import type { Principal } from "../../model/principal.ts";
import { DISCOVERY_PATHS } from "../../surface/discovery_operations.ts";
import type { RequestContext } from "../context.ts";
import type { Settings } from "../ports.ts";
import { Refusal, refuse } from "../refusal.ts";
import { isTrustedOrigin } from "../request/trusted_origin.ts";
import { RUNTIME_CODES } from "../../contract/codes.ts";
import { challengeOf } from "../response/challenge.ts";

/** Refuses with `ORIGIN_FORBIDDEN` and `HOST_INVALID`. */
export function requireOwnPage({ app, headers }: RequestContext): void {
  const origin = headers.get("origin");
  if (origin !== null && !isTrustedOrigin(origin, app)) {
    refuse("ORIGIN_FORBIDDEN", { hint: "Add the origin to 'trustedOrigins'" });
  }
  if (!isOwnHost(headers.get("host") ?? "", app.settings)) {
    refuse("HOST_INVALID", { hint: "Set BASE_URL to the address that clients use" });
  }
}

/**
 * In production the proxy in front decides which names lead here. On a developer's machine a name with a dot in it may
 * be anybody's; one without is nobody's to give away, and addresses have no names.
 */
function isOwnHost(host: string, { baseUrl, production }: Settings): boolean {
  if (production || host === new URL(baseUrl).host || isLocalOrigin(`http://${host}`)) return true;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return !name.includes(".") || name.startsWith("[") || /^[\d.]+$/.test(name) ||
    name.endsWith(".localhost");
}

/** The caller; a 401 says where the protected resource describes itself (RFC 9728, 5.1). */
export async function requireCaller(request: RequestContext): Promise<Principal> {
  const headers = new Headers(request.headers);
  headers.delete("cookie");
  try {
    const principal = await request.app.identify({ ...request, headers });
    return principal.credential === "none" ? refuse("AUTH_MISSING", MISSING) : principal;
  } catch (error) {
    throw error instanceof Refusal ? challenged(error, request) : error;
  }
}

const MISSING = {
  hint: "Send 'Authorization: Bearer <token>' or 'x-api-key: <key>'; cookies do not count here",
};

function challenged(refusal: Refusal, { app: { project, settings } }: RequestContext): Refusal {
  const { code, options } = refusal;
  if (RUNTIME_CODES[code].status !== 401) return refusal;
  const challenge = challengeOf(code, {
    project,
    ...settings,
    metadataPath: DISCOVERY_PATHS.mcpResource,
  });
  return new Refusal(code, {
    ...options,
    headers: { ...options.headers, "www-authenticate": challenge },
  });
}
