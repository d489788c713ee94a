/** Destinations that webhooks never reach: addresses and names without a public service (contract 8.2). */

interface AddressRange {
  readonly cidr: string;
  readonly what: string;
}

/** Every IPv4 range that is not public (contract 8.2.3; RFC 6890 and its successors). */
export const SPECIAL_IPV4: readonly AddressRange[] = [
  { cidr: "0.0.0.0/8", what: "this network (RFC 791)" },
  { cidr: "10.0.0.0/8", what: "private use (RFC 1918)" },
  { cidr: "100.64.0.0/10", what: "shared address space (RFC 6598)" },
  { cidr: "127.0.0.0/8", what: "loopback (RFC 1122)" },
  { cidr: "169.254.0.0/16", what: "link-local (RFC 3927)" },
  { cidr: "172.16.0.0/12", what: "private use (RFC 1918)" },
  { cidr: "192.0.0.0/24", what: "protocol assignments (RFC 6890)" },
  { cidr: "192.0.2.0/24", what: "documentation (RFC 5737)" },
  { cidr: "192.88.99.0/24", what: "6to4 relays (RFC 7526)" },
  { cidr: "192.168.0.0/16", what: "private use (RFC 1918)" },
  { cidr: "198.18.0.0/15", what: "benchmarking (RFC 2544)" },
  { cidr: "198.51.100.0/24", what: "documentation (RFC 5737)" },
  { cidr: "203.0.113.0/24", what: "documentation (RFC 5737)" },
  { cidr: "224.0.0.0/4", what: "multicast (RFC 5771)" },
  { cidr: "240.0.0.0/4", what: "reserved and broadcast (RFC 1112, RFC 919)" },
];

/**
 * The only IPv6 range that is assigned to networks (RFC 4291, 2.4). Unspecified, loopback, mapped, local and multicast
 * addresses are outside of it.
 */
export const GLOBAL_IPV6 = "2000::/3";

/** Ranges inside `GLOBAL_IPV6` that are not public. */
export const SPECIAL_IPV6: readonly AddressRange[] = [
  { cidr: "2001::/23", what: "protocol assignments, Teredo among them (RFC 2928, RFC 4380)" },
  { cidr: "2001:db8::/32", what: "documentation (RFC 3849)" },
  { cidr: "2002::/16", what: "6to4, which embeds IPv4 (RFC 3056)" },
  { cidr: "3fff::/20", what: "documentation (RFC 9637)" },
];

/** Interface identifiers that embed IPv4 whatever the prefix: the third 32 bits of an ISATAP address (RFC 5214, 6.1). */
export const ISATAP_IDENTIFIERS: readonly (readonly [number, number])[] = [
  [0x0000, 0x5efe],
  [0x0200, 0x5efe],
];

/** Host names that are refused (contract 8.2.4). Names with a single label are refused too. */
export const PRIVATE_NAMES: ReadonlySet<string> = new Set([
  "localhost",
  "metadata.goog",
  "home.arpa",
]);

export const PRIVATE_SUFFIXES: readonly string[] = [
  ".localhost",
  ".local",
  ".internal",
  ".home.arpa",
];
