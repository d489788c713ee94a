/**
 * One spelling for one client (extensions 1, "one client by address"): whatever is counted or kept by address goes by this.
 * A client with one IPv6 address has the /64 around it, and may call from any of it.
 */
import ipaddr from "ipaddr.js";

/** The address in its canonical form, an IPv6 one as its network; null: the text is no address. */
export function clientAddress(text: string | null): string | null {
  if (text === null) return null;
  // Told apart first: the library throws inside where a text is of the other kind.
  if (!text.includes(":")) return ipaddr.IPv4.isValidFourPartDecimal(text) ? text : null;
  if (!ipaddr.IPv6.isValid(text)) return null;
  const { parts } = ipaddr.IPv6.parse(text);
  return mappedIpv4(parts) ?? `${parts.slice(0, 4).map((part) => part.toString(16)).join(":")}::`;
}

/** RFC 4291, 2.5.5.2; null: another address. */
function mappedIpv4(parts: readonly number[]): string | null {
  const [high = 0, low = 0] = parts.slice(6);
  const isMapped = parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff;
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join(".") : null;
}
