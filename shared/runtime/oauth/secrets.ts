/** Makes codes and tokens for clients, and the digests that the database keeps of them. */
import { sha256 } from "../../lib/bytes.ts";
import type { Randomness } from "../ports.ts";

/** Lifetime of a code in milliseconds. */
export const CODE_LIFETIME_MS = 10 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
export const REFRESH_LIFETIME_MS = 30 * DAY_MS;
const UNUSED_MS = 30 * DAY_MS;

/** Returns 256 random bits, as text that any header and any query takes. */
export function newSecret(random: Randomness): string {
  return random.bytes(32).toBase64({ alphabet: "base64url", omitPadding: true });
}

/**
 * Returns SHA-256 as base64url: the form in which a secret is kept, and a challenge's relation to its verifier (RFC 7636, 4.2).
 */
export async function digestOf(text: string): Promise<string> {
  return (await sha256(text)).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Returns the later time as an ISO text. */
export function later(now: string, milliseconds: number): string {
  return new Date(Date.parse(now) + milliseconds).toISOString();
}

/** Returns the time before which a client must have been used last to be removed as unused. */
export function unusedSince(now: string): string {
  return later(now, -UNUSED_MS);
}
