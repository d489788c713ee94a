/** Codes and tokens as their clients have them, and the digests that are kept of them. */
import { sha256 } from "../../lib/bytes.ts";
import type { Randomness } from "../ports.ts";

/** Milliseconds. */
export const CODE_LIFETIME_MS = 10 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
export const REFRESH_LIFETIME_MS = 30 * DAY_MS;
const UNUSED_MS = 30 * DAY_MS;

/** 256 random bits, as text that any header and any query takes. */
export function newSecret(random: Randomness): string {
  return random.bytes(32).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** SHA-256 as base64url: what is kept of a secret, and what a challenge is of its verifier (RFC 7636, 4.2). */
export async function digestOf(text: string): Promise<string> {
  return (await sha256(text)).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** An ISO text. */
export function later(now: string, milliseconds: number): string {
  return new Date(Date.parse(now) + milliseconds).toISOString();
}

/** Clients that nobody used since then are gone. */
export function unusedSince(now: string): string {
  return later(now, -UNUSED_MS);
}
