/** Signs claims that the API itself reads again later (definitions 8, `AUTH_SECRET_PREVIOUS`). */
import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Clock, Secrets } from "./ports.ts";

export interface SignedClaims<Claims> {
  /**
   * Signs claims that only the same `holder` can bring back. Everybody who has the text can read them. `until`: seconds since
   * the epoch.
   */
  sign(claims: Claims, holder: string, until: number): Promise<string>;
  /** Verifies a text; null when it was not signed here for this holder, or has expired. */
  open(text: string, holder: string): Promise<Claims | null>;
}

/** Builds the signer. `kind` is a name that no other claims have: claims of one kind are never read as another. */
export function signedClaims<Claims>(
  { authSecret, authSecretPrevious = null }: Secrets,
  clock: Clock,
  kind: string,
): SignedClaims<Claims> {
  const keyOf = (secret: Uint8Array) => {
    let key: Promise<CryptoKey> | null = null;
    return () => key ??= derivedKey(new Uint8Array(secret), kind);
  };
  const present = keyOf(authSecret);
  const keys = authSecretPrevious ? [present, keyOf(authSecretPrevious)] : [present];
  return {
    async sign(claims, holder, until) {
      return await new SignJWT({ claims, iat: Math.floor(clock.now() / 1000), exp: until })
        .setSubject(holder)
        .setProtectedHeader({ alg: "HS256", typ: kind })
        .sign(await present());
    },
    async open(text, holder) {
      for (const key of keys) {
        try {
          const { payload } = await jwtVerify<JWTPayload & { claims: Claims }>(text, await key(), {
            algorithms: ["HS256"],
            typ: kind,
            subject: holder,
            currentDate: new Date(clock.now()),
            requiredClaims: ["exp"],
          });
          return payload.claims;
        } catch (error) {
          if (!(error instanceof errors.JOSEError)) throw error;
        }
      }
      return null;
    },
  };
}

/** Derives a key of its own, so that nothing is ever signed as a token is. */
async function derivedKey(secret: Uint8Array<ArrayBuffer>, kind: string): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  return await crypto.subtle.deriveKey(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: new TextEncoder().encode(kind),
    },
    base,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
}
