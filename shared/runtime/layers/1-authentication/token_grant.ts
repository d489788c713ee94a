/** Tokens of our own (definitions 7, "JWT" and "POST /api/v1/token"): what `bearer_token.ts` verifies. */
import { SignJWT } from "jose";
import { TOKEN_LIFETIME_MAX_SECONDS } from "../../../contract/limits.ts";
import type { Principal } from "../../../model/principal.ts";
import type { JwtModel } from "../../../model/project.ts";
import type { Clock, Randomness, Settings } from "../../ports.ts";
import { scopeSubject } from "./token_claims.ts";
import type { TokenKeys } from "./token_keys.ts";

export interface TokenGrant {
  readonly token: string;
  readonly tokenType: "Bearer";
  /** Seconds. */
  readonly expiresIn: number;
  /** ISO 8601. */
  readonly expiresAt: string;
}

interface SigningRules {
  readonly jwt: JwtModel;
  readonly settings: Pick<Settings, "baseUrl">;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly keys: TokenKeys;
}

/** A token whose claims are this principal's context. */
export async function signToken(principal: Principal, rules: SigningRules): Promise<TokenGrant> {
  const { jwt, settings, clock, random, keys } = rules;
  const iat = Math.floor(clock.now() / 1000);
  const expiresIn = Math.min(jwt.expiresIn, TOKEN_LIFETIME_MAX_SECONDS);
  const exp = iat + expiresIn;
  const token = await new SignJWT({
    ...claimsOf(principal),
    iat,
    exp,
    iss: jwt.issuer ?? settings.baseUrl,
    aud: jwt.audience ?? settings.baseUrl,
    jti: hex(random.bytes(16)),
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

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
