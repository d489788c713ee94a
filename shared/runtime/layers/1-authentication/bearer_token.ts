/** Bearer tokens: any claims signed with `AUTH_SECRET` are the context (contract 5.1, definitions 7, "JWT"). */
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from "jose";
import { TOKEN_LIFETIME_MAX_SECONDS } from "../../../contract/limits.ts";
import type { Principal } from "../../../model/principal.ts";
import type { JwtModel } from "../../../model/project.ts";
import type { Clock, Settings } from "../../ports.ts";
import { principalOfClaims } from "./token_claims.ts";
import { createTokenKeys, type TokenKeys } from "./token_keys.ts";

/** Characters; no token of ours comes near, and nothing longer is parsed. */
export const TOKEN_MAX_LENGTH = 8192;

/** Tolerance for another host's clock that runs ahead. Nothing is added to `exp`. */
const CLOCK_TOLERANCE_SECONDS = 5;

export type TokenVerdict =
  | { readonly kind: "principal"; readonly principal: Principal }
  | { readonly kind: "refused"; readonly code: "AUTH_INVALID_TOKEN" | "AUTH_EXPIRED" };

const INVALID: TokenVerdict = { kind: "refused", code: "AUTH_INVALID_TOKEN" };
const EXPIRED: TokenVerdict = { kind: "refused", code: "AUTH_EXPIRED" };

interface TokenRules {
  readonly jwt: JwtModel;
  readonly settings: Pick<Settings, "baseUrl">;
  readonly clock: Clock;
  readonly keys: TokenKeys;
}

/** One per application: the keys are imported once. Throws when the secret is too short. */
export function createTokenVerifier(
  { jwt, settings, clock }: {
    readonly jwt: JwtModel;
    readonly settings: Pick<Settings, "baseUrl" | "authSecret">;
    readonly clock: Clock;
  },
): (token: string) => Promise<TokenVerdict> {
  const keys = createTokenKeys(jwt.algorithm, settings.authSecret);
  return async (token) => verifyBearer(token, { jwt, settings, clock, keys: await keys() });
}

/** Verifies a bearer token. Never says why a token is refused, only whether it was once good. */
async function verifyBearer(token: string, rules: TokenRules): Promise<TokenVerdict> {
  if (token.length > TOKEN_MAX_LENGTH || !isCompact(token)) return INVALID;
  const { jwt, settings, clock, keys } = rules;
  const now = Math.floor(clock.now() / 1000);
  try {
    const { payload } = await jwtVerify(token, (header) => keyFor(header, keys), {
      algorithms: [keys.algorithm],
      issuer: jwt.issuer ?? settings.baseUrl,
      audience: jwt.audience ?? settings.baseUrl,
      requiredClaims: ["exp", "iat", "sub"],
      currentDate: new Date(now * 1000),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    return verdictOf(payload, now);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return EXPIRED;
    if (error instanceof errors.JOSEError) return INVALID;
    throw error;
  }
}

/** RFC 7515, 3.1: three parts in base64url without padding. Other spellings of one signature are no token of ours. */
function isCompact(token: string): boolean {
  const [, signature] = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token) ?? [];
  return signature !== undefined && isCanonical(signature);
}

/** The last letter of base64url may carry bits that say nothing. */
function isCanonical(text: string): boolean {
  if (text.length % 4 === 1) return false;
  const bytes = Uint8Array.fromBase64(text, { alphabet: "base64url" });
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true }) === text;
}

/** Headers that name a key, a key's address or an extension are refused, not ignored: the key is ours alone. */
function keyFor(header: JWTHeaderParameters, keys: TokenKeys): CryptoKey {
  const known = Object.entries(header).every(([name, value]) =>
    name === "alg" ||
    (name === "typ" && value === "JWT") ||
    (name === "kid" && keys.keyId !== null && value === keys.keyId)
  );
  if (!known) throw new errors.JWSInvalid("Header parameter not allowed");
  return keys.verifying;
}

function verdictOf(payload: JWTPayload, now: number): TokenVerdict {
  const { iat, exp } = payload;
  if (iat === undefined || exp === undefined) return INVALID;
  if (iat > now + CLOCK_TOLERANCE_SECONDS) return INVALID;
  if (exp <= now) return EXPIRED;
  if (exp <= iat || exp - iat > TOKEN_LIFETIME_MAX_SECONDS) return INVALID;
  const principal = principalOfClaims(payload);
  return principal ? { kind: "principal", principal } : INVALID;
}
