/** The secret that signs cookies of accounts, and the cookie of a session. */
import { sessionCookieName } from "./library_request.ts";
import { signed, signingKey } from "./previous_secret.ts";

/**
 * Derives the library's secret, so that a cookie's signature is never that of a bearer token. 32 bytes of HKDF-SHA-256 over
 * `AUTH_SECRET`, as base64url.
 */
export async function librarySecret(authSecret: Uint8Array): Promise<string> {
  const key = await crypto.subtle.importKey("raw", new Uint8Array(authSecret), "HKDF", false, [
    "deriveBits",
  ]);
  const info = new TextEncoder().encode("quickback/accounts");
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  const bits = new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
  return btoa(String.fromCharCode(...bits))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Makes the `Cookie` header of a session, for proofs that hold the API's secret. */
export async function sessionCookieFor(
  token: string,
  { authSecret, baseUrl }: { readonly authSecret: Uint8Array; readonly baseUrl: string },
): Promise<string> {
  const key = await signingKey(await librarySecret(authSecret));
  const value = encodeURIComponent(await signed(token, "base64", key));
  return `${sessionCookieName(baseUrl.startsWith("https://"))}=${value}`;
}
