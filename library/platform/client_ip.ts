/** The client's address: the connection's own, or what a trusted reverse proxy says (contract 8.1.4). */
import ipaddr from "ipaddr.js";

export interface ClientIpOptions {
  /** The header that the proxy in front sets; null: there is none, and no header is believed. */
  readonly trustedHeader: string | null;
  readonly remoteAddr: Deno.Addr;
}

/** Of a list only the last entry is the proxy's own; what stands before it anybody may have sent. */
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
