/** Recognizes addresses of the public internet (contract 8.2.3). */
import ipaddr from "ipaddr.js";
import {
  GLOBAL_IPV6,
  ISATAP_IDENTIFIERS,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
} from "../../contract/addresses.ts";

const IPV4_RANGES = SPECIAL_IPV4.map(({ cidr }) => ipaddr.IPv4.parseCIDR(cidr));
const IPV6_RANGES = SPECIAL_IPV6.map(({ cidr }) => ipaddr.IPv6.parseCIDR(cidr));
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR(GLOBAL_IPV6);

type AddressKind = "public" | "special" | "none";

/** `none`: the text is no address in plain notation (dotted decimal, or RFC 4291 without a zone). */
export function addressKind(text: string): AddressKind {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const address = ipaddr.IPv4.parse(text);
    return IPV4_RANGES.some((range) => address.match(range)) ? "special" : "public";
  }
  if (text.includes("%") || !ipaddr.IPv6.isValid(text)) return "none";
  return isPublicIpv6(ipaddr.IPv6.parse(text)) ? "public" : "special";
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  return address.match(IPV6_GLOBAL) && !IPV6_RANGES.some((range) => address.match(range)) &&
    !isIsatap(address);
}

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ISATAP_IDENTIFIERS.some(([high, low]) => parts[4] === high && parts[5] === low);
}
