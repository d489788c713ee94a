/** Makes signing secrets and signatures in the Standard Webhooks format (contract 5.7, 2.8). */
import { SECRET_PREFIX } from "../../../contract/mod.ts";
import { base64Bytes } from "../../../lib/bytes.ts";
import { requireStrongSecret } from "../../../lib/variables.ts";
import type { Randomness, SecretBox, Secrets } from "../../ports.ts";

const SECRET_BYTES = 32;

/** Returns `whsec_` and base64 of random bytes. */
export function newSecret(random: Randomness): string {
  return SECRET_PREFIX + random.bytes(SECRET_BYTES).toBase64();
}

/** Returns the key behind a secret; null when the text is not a secret. */
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

/** Returns `v1,<base64>` for each secret, separated by spaces: a receiver with one of the secrets can verify. */
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

/** Prefix of a sealed secret: a plain one, from before secrets were sealed, begins with `whsec_`. */
const SEALED_PREFIX = "sealed1.";
const NONCE_BYTES = 12;
const PURPOSE = "quickback/webhooks/secret";

/**
 * Encrypts secrets for the database under a key derived from `AUTH_SECRET` (docs/security.md), and decrypts them with the key
 * of the previous secret too. Derives its keys on first use.
 */
export function createSecretBox(
  { authSecret, authSecretPrevious = null }: Secrets,
  random: Randomness,
): SecretBox {
  const ready = keyOf(authSecret);
  const readyBefore = authSecretPrevious && keyOf(authSecretPrevious);
  const seal = async (id: string, secret: string) => {
    const iv = new Uint8Array(random.bytes(NONCE_BYTES));
    const algorithm = { name: "AES-GCM", iv, additionalData: encoded(id) };
    const sealed = await crypto.subtle.encrypt(algorithm, await ready(), encoded(secret));
    return SEALED_PREFIX + new Uint8Array([...iv, ...new Uint8Array(sealed)]).toBase64();
  };
  return {
    seal,
    async open(id, text) {
      if (text.startsWith(SECRET_PREFIX)) return text;
      return await opened(id, text, await ready()) ??
        (readyBefore && await opened(id, text, await readyBefore()));
    },
    ...(readyBefore === null ? {} : {
      async renew(id, text) {
        const secret = await opened(id, text, await readyBefore());
        return secret === null ? null : await seal(id, secret);
      },
    }),
  };
}

async function opened(id: string, text: string, key: CryptoKey): Promise<string | null> {
  if (!text.startsWith(SEALED_PREFIX)) return null;
  const bytes = base64Bytes(text.slice(SEALED_PREFIX.length));
  if (bytes === null) return null;
  const iv = bytes.slice(0, NONCE_BYTES);
  const algorithm = { name: "AES-GCM", iv, additionalData: encoded(id) };
  try {
    const plain = await crypto.subtle.decrypt(algorithm, key, bytes.slice(NONCE_BYTES));
    return new TextDecoder().decode(plain);
  } catch (error) {
    // The platform throws this for a text that was not sealed with the key.
    if (error instanceof DOMException && error.name === "OperationError") return null;
    throw error;
  }
}

function keyOf(secret: Uint8Array): () => Promise<CryptoKey> {
  requireStrongSecret(secret);
  const bytes = new Uint8Array(secret);
  let derived: Promise<CryptoKey> | null = null;
  return () => derived ??= deriveKey(bytes);
}

async function deriveKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const info = encoded(PURPOSE);
  return await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    base,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
