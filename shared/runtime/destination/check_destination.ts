/**
 * The destination policy, asked on register, on update, before a test send and before every attempt (contract 8.2). The
 * connection must go to one of the addresses given back, or the check was for nothing.
 */
import type { Resolver } from "../ports.ts";
import { addressKind } from "./public_address.ts";
import { type DestinationRules, readDestination } from "./read_destination.ts";

export type DestinationVerdict =
  /** At least one address, all of them public. */
  | { readonly kind: "public"; readonly addresses: readonly [string, ...string[]] }
  /** For good: 400 on register and update, terminal on delivery. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The resolver's failure: 503 on register and update, a failed attempt on delivery. */
  | { readonly kind: "unresolved"; readonly reason: string };

interface DestinationOptions extends DestinationRules {
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
    case "name":
      return await checkName(destination.name, options.resolver);
  }
}

/** One answer that is not public condemns the name, even when the other question failed. */
async function checkName(name: string, resolver: Resolver): Promise<DestinationVerdict> {
  const { addresses, exists, failure } = await resolver.resolve(name);
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
