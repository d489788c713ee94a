/**
 * The destination policy, applied at registration, on update, before a test send and before every attempt (contract 8.2). The
 * connection must use one of the returned addresses.
 */
import ipaddr from "ipaddr.js";
import { ENDPOINT_URL_MAX, GLOBAL_IPV6, ISATAP_IDENTIFIERS } from "../../contract/mod.ts";
import { PRIVATE_NAMES, PRIVATE_SUFFIXES, SPECIAL_IPV4, SPECIAL_IPV6 } from "../../contract/mod.ts";
import type { Resolver } from "../ports.ts";

export type DestinationVerdict =
  /** At least one address, all of them public. */
  | { readonly kind: "public"; readonly addresses: readonly [string, ...string[]] }
  /** For good: 400 on register and update, terminal on delivery. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The resolver's failure: 503 on register and update, a failed attempt on delivery. */
  | { readonly kind: "unresolved"; readonly reason: string };

interface DestinationOptions {
  /** Contract 8.2.1: also `http:`. */
  readonly allowInsecure: boolean;
  readonly resolver: Resolver;
}

export async function checkDestination(
  url: string,
  options: DestinationOptions,
): Promise<DestinationVerdict> {
  const destination = readDestination(url, options);
  switch (destination.kind) {
    case "refused":
      return destination;
    case "address":
      return { kind: "public", addresses: [destination.address] };
    case "name": {
      // One address that is not public refuses the name, even if the other query failed.
      const { addresses, exists, failure } = await options.resolver.resolve(destination.name);
      const kinds = addresses.map(addressKind);
      if (kinds.includes("special")) {
        return { kind: "refused", reason: "The host resolves to an address that is not public" };
      }
      if (failure !== null) return { kind: "unresolved", reason: failure };
      if (kinds.includes("none")) {
        return { kind: "unresolved", reason: "The resolver gave a malformed answer" };
      }
      const [first, ...others] = addresses;
      if (first !== undefined) return { kind: "public", addresses: [first, ...others] };
      return {
        kind: "refused",
        reason: exists ? "The host has no address" : "The host does not exist",
      };
    }
  }
}

const IPV4_RANGES = SPECIAL_IPV4.map(({ cidr }) => ipaddr.IPv4.parseCIDR(cidr));
const IPV6_RANGES = SPECIAL_IPV6.map(({ cidr }) => ipaddr.IPv6.parseCIDR(cidr));
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR(GLOBAL_IPV6);

/**
 * Recognizes addresses of the public internet (contract 8.2.3). `none`: the text is no address in plain notation (dotted
 * decimal, or RFC 4291 without a zone).
 */
function addressKind(text: string): "public" | "special" | "none" {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const address = ipaddr.IPv4.parse(text);
    return IPV4_RANGES.some((range) => address.match(range)) ? "special" : "public";
  }
  if (text.includes("%") || !ipaddr.IPv6.isValid(text)) return "none";
  const address = ipaddr.IPv6.parse(text);
  const { 4: network, 5: host } = address.parts;
  const isIsatap = ISATAP_IDENTIFIERS.some(([high, low]) => network === high && host === low);
  const isSpecial = isIsatap || IPV6_RANGES.some((range) => address.match(range));
  return address.match(IPV6_GLOBAL) && !isSpecial ? "public" : "special";
}

type Destination =
  | { readonly kind: "refused"; readonly reason: string }
  /** The URL names an address, and it is public. */
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "name"; readonly name: string };

/** RFC 3986, with an authority; names beyond ASCII come in their `xn--` form. */
const PCHAR = "[\\w.~:@!$&'()*+,;=-]|%[\\da-f]{2}";
const URI = new RegExp(
  `^[a-z][a-z\\d+.-]*://(?:${PCHAR}|[[\\]])+(?:/(?:${PCHAR}|/)*)?` +
    `(?:\\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?$`,
  "i",
);

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const NAME_MAX_LENGTH = 253;

/** Reads the destination of a webhook's URL before any name is resolved (contract 8.2.1–8.2.4). */
export function readDestination(
  text: string,
  { allowInsecure }: Pick<DestinationOptions, "allowInsecure">,
): Destination {
  // The URL parser repairs invalid URIs, so the stored text would differ from what is called.
  if (text.length > ENDPOINT_URL_MAX || !URI.test(text)) return refused("is not a URL");
  const url = URL.parse(text);
  if (url === null) return refused("is not a URL");
  const schemes = allowInsecure ? ["https:", "http:"] : ["https:"];
  if (!schemes.includes(url.protocol)) return refused(`must begin with '${schemes[0]}//'`);
  if (url.username !== "" || url.password !== "") return refused("must not carry credentials");
  // The URL parser has normalized every notation of an address.
  const { hostname } = url;
  const address = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  switch (addressKind(address)) {
    case "public":
      return { kind: "address", address };
    case "special":
      return refused("must not name an address that is not public");
    case "none":
      return hostname.startsWith("[") ? refused("is not a URL") : readName(hostname);
  }
}

function readName(hostname: string): Destination {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  const labels = name.split(".");
  if (name.length > NAME_MAX_LENGTH || !labels.every((label) => LABEL.test(label))) {
    return refused("must name a host");
  }
  const isPrivate = labels.length === 1 || PRIVATE_NAMES.has(name) ||
    PRIVATE_SUFFIXES.some((suffix) => name.endsWith(suffix));
  return isPrivate ? refused("must not name a private host") : { kind: "name", name };
}

function refused(reason: string): Destination {
  return { kind: "refused", reason: `The URL ${reason}` };
}
