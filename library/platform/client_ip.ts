/** The client's address: that of the connection, or the one that a trusted reverse proxy sends (contract 8.1.4). */
import ipaddr from "ipaddr.js";

export interface ClientIpOptions {
  /** Header that the proxy sets; null: there is no proxy, and no header is trusted. */
  readonly trustedHeader: string | null;
  readonly remoteAddr: Deno.Addr;
}

/** Returns the client's address. Of a list only the last entry comes from the proxy; anybody may have sent the others. */
export function clientIp(headers: Headers, options: ClientIpOptions): string | null {
  const { trustedHeader, remoteAddr } = options;
  const said = trustedHeader === null
    ? undefined
    : headers.get(trustedHeader)?.split(",").at(-1)?.trim();
  if (
    said !== undefined && (ipaddr.IPv4.isValidFourPartDecimal(said) || ipaddr.IPv6.isValid(said))
  ) return said;
  return remoteAddr.transport === "tcp" ? remoteAddr.hostname : null;
}
