/** Reads the destination of a webhook's URL before any name is resolved (contract 8.2.1–8.2.4). */
import { PRIVATE_NAMES, PRIVATE_SUFFIXES } from "../../contract/addresses.ts";
import { ENDPOINT_URL_MAX } from "../../contract/webhooks.ts";
import { addressKind } from "./public_address.ts";

type Destination =
  | { readonly kind: "refused"; readonly reason: string }
  /** The URL names an address, and it is public. */
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "name"; readonly name: string };

export interface DestinationRules {
  /** Contract 8.2.1: also `http:`. */
  readonly allowInsecure: boolean;
}

/** RFC 3986, with an authority; names beyond ASCII come in their `xn--` form. */
const PCHAR = "[\\w.~:@!$&'()*+,;=-]|%[\\da-f]{2}";
const URI = new RegExp(
  `^[a-z][a-z\\d+.-]*://(?:${PCHAR}|[[\\]])+(?:/(?:${PCHAR}|/)*)?` +
    `(?:\\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?$`,
  "i",
);

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const NAME_MAX_LENGTH = 253;

export function readDestination(text: string, { allowInsecure }: DestinationRules): Destination {
  // The URL parser mends what is no URI: what was stored would not be what is called.
  if (text.length > ENDPOINT_URL_MAX || !URI.test(text)) return refused("is not a URL");
  const url = URL.parse(text);
  if (url === null) return refused("is not a URL");
  const schemes = allowInsecure ? ["https:", "http:"] : ["https:"];
  if (!schemes.includes(url.protocol)) return refused(`must begin with '${schemes[0]}//'`);
  if (url.username !== "" || url.password !== "") return refused("must not carry credentials");
  return readHost(url.hostname);
}

/** The host as the URL parser wrote it: every notation of an address in its canonical one. */
function readHost(hostname: string): Destination {
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
