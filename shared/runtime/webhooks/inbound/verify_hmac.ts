/** Verification of HMAC signatures, for all providers (contract 5.8, 8). */
import { SIGNATURE_TOLERANCE_SECONDS } from "../../../contract/limits.ts";
import { HMAC } from "../outbound/secret.ts";

interface SignedContent {
  readonly key: Uint8Array<ArrayBuffer>;
  /** The part of the signed content before the payload. */
  readonly prefix: string;
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** True when one of the signatures is right; `verify` compares in constant time. */
export async function isSigned(
  { key, prefix, payload }: SignedContent,
  signatures: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  if (key.byteLength === 0) return false;
  const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["verify"]);
  const head = new TextEncoder().encode(prefix);
  const content = new Uint8Array(head.byteLength + payload.byteLength);
  content.set(head);
  content.set(payload, head.byteLength);
  let found = false;
  for (const signature of signatures) {
    if (await crypto.subtle.verify("HMAC", imported, signature, content)) found = true;
  }
  return found;
}

/** Seconds as a header carries them; null when they are none, or too far from now in either direction. */
export function timelySeconds(text: string | null, now: number): number | null {
  if (text === null || !/^\d{1,12}$/.test(text)) return null;
  const seconds = Number(text);
  // In whole seconds, as senders and their libraries count.
  const distance = Math.abs(Math.floor(now / 1000) - seconds);
  return distance <= SIGNATURE_TOLERANCE_SECONDS ? seconds : null;
}

/** More signatures than that are nobody's rotation. */
export const SIGNATURES_MAX = 16;
