/**
 * Cookies that the previous `AUTH_SECRET` signed (definitions 8, `AUTH_SECRET_PREVIOUS`). They are signed anew before the
 * account library sees them, since it verifies with one secret. Their expiry is in the database and stays.
 */
import { base64Bytes } from "../lib/bytes.ts";
import { uriDecoded } from "../lib/texts.ts";
import type { AccountLibrary } from "./library.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/** Wraps the library so that it accepts the signatures of both secrets, and signs with the present one. */
export async function acceptingPrevious(
  library: AccountLibrary,
  { secret, previous }: { readonly secret: string; readonly previous: string },
): Promise<AccountLibrary> {
  const keys = { present: await signingKey(secret), previous: await signingKey(previous) };
  return {
    ...library,
    handle: async (request) => await library.handle(await renewedRequest(request, keys)),
    isPassword: async (cookie, password) =>
      await library.isPassword(await renewedCookies(cookie, keys), password),
  };
}

interface Keys {
  readonly present: CryptoKey;
  readonly previous: CryptoKey;
}

/** Imports the key of a secret that signs cookies. */
export function signingKey(secret: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign", "verify"]);
}

async function renewedRequest(request: Request, keys: Keys): Promise<Request> {
  const cookie = request.headers.get("cookie");
  if (cookie !== null) request.headers.set("cookie", await renewedCookies(cookie, keys));
  return request;
}

/** Signs the cookies of a `Cookie` header anew. Cookies of other programs stay as they are. */
async function renewedCookies(header: string, keys: Keys): Promise<string> {
  const pairs = await Promise.all(
    header.split(";").map(async (pair) => {
      const [, name, value = ""] = /^([^=]*=)(.*)$/s.exec(pair.trim()) ?? [];
      if (name === undefined || !/^[\w%.+/=~-]*$/.test(value)) return pair.trim();
      const text = uriDecoded(value);
      const anew = text && await renewed(text, "base64", keys);
      return anew ? name + encodeURIComponent(anew) : pair.trim();
    }),
  );
  return pairs.join("; ");
}

/** Returns `<text>.<signature>` under the present key; null for a value that the previous key did not sign. */
async function renewed(
  sent: string,
  alphabet: "base64" | "base64url",
  { present, previous }: Keys,
): Promise<string | null> {
  const text = await signedText(sent, alphabet, previous);
  if (text === null) return null;
  return await signed(text, alphabet, present);
}

/** Returns `<text>.<signature>`. */
export async function signed(
  text: string,
  alphabet: "base64" | "base64url",
  key: CryptoKey,
): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.sign(HMAC, key, new TextEncoder().encode(text)),
  );
  return `${text}.${bytes.toBase64({ alphabet, omitPadding: alphabet === "base64url" })}`;
}

/** Returns the text of `<text>.<signature>`; null if the key did not sign it. */
export async function signedText(
  signed: string,
  alphabet: "base64" | "base64url",
  key: CryptoKey,
): Promise<string | null> {
  const dot = signed.lastIndexOf(".");
  const signature = base64Bytes(signed.slice(dot + 1), alphabet);
  if (dot < 1 || signature === null) return null;
  const text = signed.slice(0, dot);
  const isSigned = await crypto.subtle.verify(HMAC, key, signature, new TextEncoder().encode(text));
  return isSigned ? text : null;
}
