/** Secrets as the database holds them: encrypted under a key derived from `AUTH_SECRET` (docs/security.md). */
import { SECRET_PREFIX } from "../../../contract/webhooks.ts";
import { base64Bytes } from "../../../lib/base64_bytes.ts";
import { requireStrongSecret } from "../../../lib/strong_secret.ts";
import type { Randomness, SecretBox } from "../../ports.ts";

/** Of a sealed secret: a plain one, from before they were sealed, begins with `whsec_`. */
const SEALED_PREFIX = "sealed1.";
const NONCE_BYTES = 12;
const PURPOSE = "quickback/webhooks/secret";

/** Derives its key on first use. */
export function createSecretBox(authSecret: Uint8Array, random: Randomness): SecretBox {
  requireStrongSecret(authSecret);
  const bytes = new Uint8Array(authSecret);
  let key: Promise<CryptoKey> | null = null;
  const ready = () => key ??= deriveKey(bytes);
  return {
    async seal(id, secret) {
      const iv = new Uint8Array(random.bytes(NONCE_BYTES));
      const algorithm = { name: "AES-GCM", iv, additionalData: encoded(id) };
      const sealed = await crypto.subtle.encrypt(algorithm, await ready(), encoded(secret));
      return SEALED_PREFIX + new Uint8Array([...iv, ...new Uint8Array(sealed)]).toBase64();
    },
    async open(id, text) {
      if (text.startsWith(SECRET_PREFIX)) return text;
      if (!text.startsWith(SEALED_PREFIX)) return null;
      const bytes = base64Bytes(text.slice(SEALED_PREFIX.length));
      if (bytes === null) return null;
      const iv = bytes.slice(0, NONCE_BYTES);
      const algorithm = { name: "AES-GCM", iv, additionalData: encoded(id) };
      return await opened(algorithm, await ready(), bytes.slice(NONCE_BYTES));
    },
  };
}

async function opened(
  algorithm: AesGcmParams,
  key: CryptoKey,
  sealed: Uint8Array<ArrayBuffer>,
): Promise<string | null> {
  try {
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, sealed));
  } catch (error) {
    // What the platform says of a text that was not sealed so.
    if (error instanceof DOMException && error.name === "OperationError") return null;
    throw error;
  }
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
