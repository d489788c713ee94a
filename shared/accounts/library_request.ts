/** A request as the account library gets it: at its only address, vouched for by the platform and by nobody else. */
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import type { ProjectModel } from "../model/project.ts";
import type { Connection } from "../runtime/ports.ts";
import { CLIENT_IP_HEADER } from "./client_ip_header.ts";
import { undisputedCookies } from "./session_cookie.ts";

interface LibraryAddress {
  readonly project: ProjectModel;
  readonly baseUrl: string;
  readonly production: boolean;
  readonly connection: Connection | undefined;
}

/** The same request below the auth base, with the client's address from the platform. */
export function libraryRequest(
  request: Request,
  { project, baseUrl, production, connection }: LibraryAddress,
): Request {
  const { authBase, authAlias } = CONTRACT_VERSIONS[project.contract];
  const url = new URL(request.url);
  if (authAlias !== null && url.pathname.startsWith(`${authAlias}/`)) {
    url.pathname = authBase + url.pathname.slice(authAlias.length);
  }
  const sent = new Request(url, request);
  sent.headers.delete(CLIENT_IP_HEADER);
  if (connection?.clientIp) sent.headers.set(CLIENT_IP_HEADER, connection.clientIp);
  const cookies = undisputedCookies(sent.headers);
  if (cookies !== null) sent.headers.set("cookie", cookies);
  if (comesFromNoOtherPage(sent.headers, production)) sent.headers.set("origin", baseUrl);
  return sent;
}

const OWN_SITES: readonly string[] = ["same-origin", "none"];

/**
 * The library refuses a cookie without an origin. No browser leaves out `Origin` and `Sec-Fetch-Site` together when a
 * page of somebody else writes: whoever does holds the cookie knowingly, as command-line clients do. In production they
 * say where they come from.
 */
function comesFromNoOtherPage(headers: Headers, production: boolean): boolean {
  if (headers.has("origin") || headers.has("referer")) return false;
  const site = headers.get("sec-fetch-site");
  return site === null ? !production : OWN_SITES.includes(site);
}
