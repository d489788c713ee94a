/**
 * Outbound deliveries where a connection cannot be pinned to a checked address (contract 8.2.5): `fetch` of a worker resolves
 * the name again, so nothing is sent.
 */
import type { Dialer } from "../../shared/runtime/ports.ts";

export function noDialer(): Dialer {
  const reason = "Workers cannot connect to the address that was checked";
  return { post: () => Promise.resolve({ kind: "failed", reason }) };
}
