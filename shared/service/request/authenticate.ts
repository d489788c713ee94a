/**
 * Authenticates callers of `POST /compile` (contract 5.9, definitions 7): by a configured key in `x-api-key`, or by a session
 * token as a bearer.
 */
import { errors, jwtVerify, SignJWT } from "jose";
import { HEADERS } from "../../contract/mod.ts";
import { bytesEqual, sha256 } from "../../lib/bytes.ts";
import { hex } from "../../lib/hexadecimal.ts";
import { ServiceRefusal } from "../refusal.ts";

/** Resolves to the caller as a text that is no credential. Refuses a request without one. */
export type Authenticate = (headers: Headers) => Promise<string>;

/** Makes the authentication. A request with both is judged by its key. Without `sessions` nobody can sign in. */
export function authentication(
  apiKeys: readonly string[],
  sessions: Sessions | null = null,
): Authenticate {
  const byKey = keyAuthentication(apiKeys);
  return async (headers) => {
    const authorization = headers.get("authorization");
    if (sessions === null || authorization === null || headers.has(HEADERS.apiKey)) {
      return await byKey(headers);
    }
    const [, token = ""] = /^Bearer +([A-Za-z0-9._-]{1,4096})$/i.exec(authorization) ?? [];
    const verdict = await sessionVerdict(token, sessions);
    if (verdict.kind !== "valid") {
      throw new ServiceRefusal(verdict.kind === "expired" ? "AUTH_EXPIRED" : "AUTH_INVALID_TOKEN", {
        detail: verdict.kind === "expired"
          ? "The session in 'Authorization' is over"
          : "The session in 'Authorization' is not known",
        hint: "Sign in again: quickback login --service <url>",
        headers: { "www-authenticate": 'Bearer realm="quickback", error="invalid_token"' },
      });
    }
    return `session ${verdict.subject}`;
  };
}

/** Compares hashes of equal length with every key, so that the time reveals nothing. */
function keyAuthentication(apiKeys: readonly string[]): Authenticate {
  if (apiKeys.length === 0 || apiKeys.some((key) => key === "")) {
    throw new Error("The build service needs at least one API key, and none may be empty");
  }
  const known = Promise.all(apiKeys.map(sha256));
  return async (headers) => {
    const key = headers.get(HEADERS.apiKey);
    if (key === null) {
      throw headers.has("authorization")
        ? new ServiceRefusal("AUTH_INVALID_TOKEN", {
          detail: "The credentials in 'Authorization' are not known",
          hint: "Send the key of the service in 'x-api-key': a key is no bearer token",
          headers: CHALLENGE,
        })
        : new ServiceRefusal("AUTH_MISSING", { headers: CHALLENGE });
    }
    const digest = await sha256(key);
    const matches = (await known).map((candidate) => bytesEqual(candidate, digest));
    if (!matches.includes(true)) {
      throw new ServiceRefusal("AUTH_INVALID_TOKEN", {
        detail: "The key in 'x-api-key' is not known",
        headers: CHALLENGE,
      });
    }
    return `key ${hex(digest)}`;
  };
}

// A 401 must name a scheme (RFC 9110, 11.6.1).
const CHALLENGE = { "www-authenticate": 'ApiKey realm="quickback"' };

/**
 * Session tokens of people who signed in at the command line (definitions 7). They are signed, so that an edge needs only the
 * secret to verify them.
 */
export interface Sessions {
  /** At least 32 bytes, the same in every process of a service. */
  readonly secret: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface SessionToken {
  readonly token: string;
  /** Lifetime in seconds. */
  readonly expiresIn: number;
}

/** Lifetime of a token. It is a day, because tokens cannot be revoked. */
const LIFETIME_SECONDS = 24 * 60 * 60;
const ISSUER = "quickback-service";
const AUDIENCE = "quickback-compile";
const TYPE = "quickback-session+jwt";
const ALGORITHM = "HS256";

export async function signSession(
  subject: string,
  sessions: Sessions,
): Promise<SessionToken> {
  const issuedAt = Math.floor(sessions.now() / 1000);
  const token = await new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setSubject(subject)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(await keyOf(sessions));
  return { token, expiresIn: LIFETIME_SECONDS };
}

type SessionVerdict =
  | { readonly kind: "valid"; readonly subject: string }
  | { readonly kind: "expired" | "invalid" };

/** Verifies a token with every choice of the library fixed (traps 27). */
async function sessionVerdict(token: string, sessions: Sessions): Promise<SessionVerdict> {
  try {
    const { payload } = await jwtVerify(token, await keyOf(sessions), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["sub", "iat", "exp"],
      maxTokenAge: LIFETIME_SECONDS,
      currentDate: new Date(sessions.now()),
    });
    const { sub: subject = "" } = payload;
    return subject === "" ? { kind: "invalid" } : { kind: "valid", subject };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { kind: "expired" };
    if (error instanceof errors.JOSEError) return { kind: "invalid" };
    throw error;
  }
}

/** Derives a key for sessions, so that no other signature of the secret is valid as one. */
async function keyOf({ secret }: Sessions): Promise<CryptoKey> {
  const usage = { name: "HMAC", hash: "SHA-256" };
  const root = await crypto.subtle.importKey("raw", new Uint8Array(secret), usage, false, ["sign"]);
  const bytes = await crypto.subtle.sign("HMAC", root, new TextEncoder().encode(TYPE));
  return await crypto.subtle.importKey("raw", bytes, usage, false, ["sign", "verify"]);
}
