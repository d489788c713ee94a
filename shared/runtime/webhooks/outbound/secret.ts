/** Signing secrets and what they sign, in the Standard Webhooks format (contract 5.7, 2.8). */
import { SECRET_PREFIX } from "../../../contract/webhooks.ts";
import { base64Bytes } from "../../../lib/base64_bytes.ts";
import type { Randomness } from "../../ports.ts";

const SECRET_BYTES = 32;

/** `whsec_` and base64 of random bytes. */
export function newSecret(random: Randomness): string {
  return SECRET_PREFIX + random.bytes(SECRET_BYTES).toBase64();
}

/** The key behind a secret; null when the text is none. */
export function secretBytes(secret: string): Uint8Array<ArrayBuffer> | null {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  return base64Bytes(text);
}

interface SignedMessage {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly body: string;
}

/** `v1,<base64>` for each secret, parted by spaces: whoever knows one of them can verify. */
export async function signatureOf(
  message: SignedMessage,
  secrets: readonly string[],
): Promise<string> {
  const signatures = await Promise.all(secrets.map((secret) => signed(message, secret)));
  return signatures.join(" ");
}

async function signed({ id, timestamp, body }: SignedMessage, secret: string): Promise<string> {
  const bytes = secretBytes(secret);
  if (bytes === null) throw new Error("A stored webhook secret is not base64");
  const key = await crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign"]);
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, content));
  return `v1,${signature.toBase64()}`;
}

export const HMAC = { name: "HMAC", hash: "SHA-256" } as const;
