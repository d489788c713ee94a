/**
 * Session tokens of people who signed in at the command line (definitions 7): signed, so that an edge verifies them with the
 * secret alone.
 */
import { errors, jwtVerify, SignJWT } from "jose";

export interface Sessions {
  /** At least 32 bytes; the same in every process of one service. */
  readonly secret: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface SessionToken {
  readonly token: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** Nothing can be asked whether a token still holds: it holds for a day. */
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

/** Everything that the library leaves open is pinned (traps 27). */
export async function sessionVerdict(token: string, sessions: Sessions): Promise<SessionVerdict> {
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

/** A key of its own: what else the secret signs is no session. */
async function keyOf({ secret }: Sessions): Promise<CryptoKey> {
  const usage = { name: "HMAC", hash: "SHA-256" };
  const root = await crypto.subtle.importKey("raw", new Uint8Array(secret), usage, false, ["sign"]);
  const bytes = await crypto.subtle.sign("HMAC", root, new TextEncoder().encode(TYPE));
  return await crypto.subtle.importKey("raw", bytes, usage, false, ["sign", "verify"]);
}
