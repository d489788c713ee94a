/** Mints tokens of this project (definitions 7, "JWT" and "POST /api/v1/token"), which `bearer_token.ts` verifies. */
import { type JWTPayload, SignJWT } from "jose";
import { TOKEN_LIFETIME_MAX_SECONDS, TOKEN_LIFETIME_SECONDS } from "../../../contract/mod.ts";
import type { JwtModel, Principal, ProjectModel } from "../../../model/mod.ts";
import type { Clock, Randomness, Settings } from "../../ports.ts";
import { createTokenKeys, scopeSubject } from "./bearer_token.ts";
import type { TokenCutoffs } from "./token_cutoffs.ts";
import { clientClaims, type ClientToken, mcpAudience } from "./client_token.ts";

export interface MintOptions {
  /** Lifetime in seconds; default: `auth.jwt.expiresIn`. */
  readonly expiresIn?: number;
  /**
   * ISO 8601 time at which the caller was judged: an event that ends tokens after it ends this one, too. Absent: the caller is
   * judged again once the token is made.
   */
  readonly judgedAt?: string;
}

export type MintToken = (bearer: Principal, options?: MintOptions) => Promise<TokenGrant>;

/** Mints a token for a client, with the rights that its user allowed. It lives 15 minutes at most. */
export type MintClientToken = (token: ClientToken) => Promise<TokenGrant>;

interface MintDependencies {
  readonly settings: Pick<Settings, "baseUrl" | "authSecret">;
  readonly clock: Clock;
  readonly random: Randomness;
}

/**
 * Builds the mint, one per application. Null: the project has no tokens (contract 9.2). Throws when the secret is too short.
 */
export function createTokenMint(
  { auth: { jwt } }: ProjectModel,
  { settings, clock, random, notBefore }: MintDependencies & {
    /** Returns the smallest valid `iat`, in seconds; absent: no token was ended. */
    readonly notBefore?: TokenCutoffs["notBefore"];
  },
): MintToken | null {
  if (jwt === null) return null;
  const sign = createSigner(jwt, { settings, clock, random });
  const aud = jwt.audience ?? settings.baseUrl;
  return async (bearer, { expiresIn = jwt.expiresIn, judgedAt } = {}) => {
    const judged = Math.floor((judgedAt ? Date.parse(judgedAt) : clock.now()) / 1000);
    const earliest = Math.max(judged, await notBefore?.(bearer) ?? 0);
    const claims = {
      ...claimsOf(bearer),
      // The account that acts in the bearer's place (RFC 8693, 4.1).
      ...bearer.impersonatedBy === undefined ? {} : { act: { sub: bearer.impersonatedBy } },
      aud,
    };
    const lifetime = Math.min(expiresIn, TOKEN_LIFETIME_MAX_SECONDS, secondsLeft(bearer, clock));
    // An event of the same second came before the caller's credential, which it would have ended.
    const isEarlier = judgedAt === undefined || earliest === judged + 1;
    return await sign(claims, lifetime, isEarlier ? earliest : judged);
  };
}

/** Builds the mint for clients, one per application. Null: the project has no tokens. */
export function createClientTokenMint(
  { auth: { jwt } }: ProjectModel,
  { settings, clock, random }: MintDependencies,
): MintClientToken | null {
  if (jwt === null) return null;
  const sign = createSigner(jwt, { settings, clock, random });
  return (token) => {
    const aud = token.audience === "mcp"
      ? mcpAudience(settings.baseUrl)
      : jwt.audience ?? settings.baseUrl;
    return sign(
      { ...clientClaims(token), aud },
      Math.min(jwt.expiresIn, TOKEN_LIFETIME_SECONDS),
    );
  };
}

function createSigner(
  jwt: JwtModel,
  { settings, clock, random }: MintDependencies,
): (claims: JWTPayload, expiresIn: number, issuedAt?: number) => Promise<TokenGrant> {
  const importedKeys = createTokenKeys(jwt.algorithm, settings.authSecret);
  return async (claims, expiresIn, issuedAt) => {
    const keys = await importedKeys();
    const now = Math.floor(clock.now() / 1000);
    const iat = issuedAt ?? now;
    const exp = Math.min(now + expiresIn, iat + TOKEN_LIFETIME_MAX_SECONDS);
    const { aud, ...others } = claims;
    const token = await new SignJWT({
      ...others,
      iat,
      exp,
      iss: jwt.issuer ?? settings.baseUrl,
      ...(aud === undefined ? {} : { aud }),
      jti: random.bytes(16).toHex(),
    })
      .setProtectedHeader({
        alg: keys.algorithm,
        typ: "JWT",
        ...(keys.keyId === null ? {} : { kid: keys.keyId }),
      })
      .sign(keys.signing);
    return {
      token,
      tokenType: "Bearer",
      expiresIn,
      expiresAt: new Date(exp * 1000).toISOString(),
    };
  };
}

export interface TokenGrant {
  readonly token: string;
  readonly tokenType: "Bearer";
  /** Lifetime in seconds. */
  readonly expiresIn: number;
  /** Time in ISO 8601. */
  readonly expiresAt: string;
}

/** Returns the seconds until the end of an impersonation: no token that is made in one lives longer. */
function secondsLeft({ impersonatedUntil }: Principal, clock: Clock): number {
  if (impersonatedUntil === undefined) return Infinity;
  return Math.max(1, Math.floor((impersonatedUntil - clock.now()) / 1000));
}

function claimsOf({ userId, organizationId, teamId, roles, userRole, scope }: Principal) {
  if (scope !== undefined) {
    return {
      sub: scopeSubject(scope),
      scope,
      ...(organizationId === null ? {} : { orgId: organizationId }),
    };
  }
  if (userId === null) throw new Error("Only a user or a scope can bear a token");
  return {
    sub: userId,
    roles: [...roles],
    ...(organizationId === null ? {} : { orgId: organizationId }),
    ...(teamId === null ? {} : { teamId }),
    ...(userRole === null ? {} : { userRole }),
  };
}
