/** The keys that sign and verify bearer tokens, made once per application from `AUTH_SECRET` (definitions 7, "JWT"). */
import { calculateJwkThumbprint, exportJWK, type JWK } from "jose";
import { requireStrongSecret } from "../../../lib/variables.ts";
import type { JwtModel } from "../../../model/project.ts";

export interface TokenKeys {
  readonly algorithm: JwtModel["algorithm"];
  readonly signing: CryptoKey;
  readonly verifying: CryptoKey;
  /** Thumbprint of a published key; null when the algorithm is symmetric and nothing is published. */
  readonly keyId: string | null;
  /** The key that anyone may have; null when there is none. */
  readonly publicKey: JWK | null;
}

/** Imports the keys on the first call and keeps them. Refuses a secret that is too short at once. */
export function createTokenKeys(
  algorithm: JwtModel["algorithm"],
  secret: Uint8Array,
): () => Promise<TokenKeys> {
  requireStrongSecret(secret);
  const bytes = new Uint8Array(secret);
  let keys: Promise<TokenKeys> | null = null;
  return () => keys ??= algorithm === "HS256" ? symmetricKeys(bytes) : edwardsKeys(bytes);
}

async function symmetricKeys(secret: Uint8Array<ArrayBuffer>): Promise<TokenKeys> {
  const key = await crypto.subtle.importKey(
    "raw",
    secret,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign", "verify"],
  );
  return { algorithm: "HS256", signing: key, verifying: key, keyId: null, publicKey: null };
}

/** RFC 8410, section 7: what stands before the 32 bytes of an Ed25519 private key in PKCS #8. */
const ED25519_PKCS8_PREFIX = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];

/** The private key is derived from the secret, so that every instance has the same one and none is stored. */
async function edwardsKeys(secret: Uint8Array<ArrayBuffer>): Promise<TokenKeys> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const info = new TextEncoder().encode("quickback/token/ed25519");
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  const seed = new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
  const pkcs8 = new Uint8Array([...ED25519_PKCS8_PREFIX, ...seed]);
  const extractable = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  const { kty, crv, x } = await exportJWK(extractable);
  if (kty !== "OKP" || crv !== "Ed25519" || x === undefined) {
    throw new Error("The platform exported no Ed25519 public key");
  }
  const keyId = await calculateJwkThumbprint({ kty, crv, x });
  return {
    algorithm: "EdDSA",
    signing: await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", false, ["sign"]),
    verifying: await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]),
    keyId,
    publicKey: { kty, crv, x, kid: keyId, alg: "EdDSA", use: "sig" },
  };
}
