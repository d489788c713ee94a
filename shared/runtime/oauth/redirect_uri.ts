/** Judges the addresses to which a client may have codes sent: `https`, or this machine on any port (RFC 8252, 7.3 and 8.3). */
import { isHttpUrl } from "../../lib/http.ts";

const LENGTH_MAX = 2000;
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** True for an address that a client may register. */
export function isRedirectUri(text: string): boolean {
  if (text.length > LENGTH_MAX || text.includes("#") || !isHttpUrl(text)) return false;
  const { protocol, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || isLoopback(text);
}

/** True for an address of the machine that the browser runs on. */
export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && LOOPBACK.includes(hostname);
}

/** True when the address of the request is one of the registered ones: letter by letter, but for a loopback port. */
export function isRegistered(sent: string, registered: readonly string[]): boolean {
  if (registered.includes(sent)) return true;
  if (!isRedirectUri(sent) || !isLoopback(sent)) return false;
  return registered.some((uri) => isLoopback(uri) && withoutPort(uri) === withoutPort(sent));
}

function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*)):\d+/i, "$1");
}

/** Adds these values to the query of the address. */
export function withQuery(
  uri: string,
  values: Readonly<Record<string, string | null>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, value);
  return `${uri}${uri.includes("?") ? "&" : "?"}${query}`;
}
