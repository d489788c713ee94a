/** Mints tokens of this project (definitions 7, "JWT" and "POST /api/v1/token"): what `bearer_token.ts` verifies. */
import { SignJWT } from "jose";
import { TOKEN_LIFETIME_MAX_SECONDS } from "../../../contract/limits.ts";
import type { Principal, ProjectModel } from "../../../model/mod.ts";
import type { Clock, Randomness, Settings } from "../../ports.ts";
import { createTokenKeys, scopeSubject } from "./bearer_token.ts";

export type MintToken = (
  bearer: Principal,
  /** Seconds; default: `auth.jwt.expiresIn`. */
  options?: { readonly expiresIn?: number },
) => Promise<TokenGrant>;

interface MintDependencies {
  readonly settings: Pick<Settings, "baseUrl" | "authSecret">;
  readonly clock: Clock;
  readonly random: Randomness;
}

/** One per application. Null: the project has no tokens (contract 9.2). Throws when the secret is too short. */
export function createTokenMint(
  { auth: { jwt } }: ProjectModel,
  { settings, clock, random }: MintDependencies,
): MintToken | null {
  if (jwt === null) return null;
  const importedKeys = createTokenKeys(jwt.algorithm, settings.authSecret);
  return async (bearer, { expiresIn: asked = jwt.expiresIn } = {}) => {
    const keys = await importedKeys();
    const iat = Math.floor(clock.now() / 1000);
    const expiresIn = Math.min(asked, TOKEN_LIFETIME_MAX_SECONDS);
    const exp = iat + expiresIn;
    const token = await new SignJWT({
      ...claimsOf(bearer),
      iat,
      exp,
      iss: jwt.issuer ?? settings.baseUrl,
      aud: jwt.audience ?? settings.baseUrl,
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
  /** Seconds. */
  readonly expiresIn: number;
  /** ISO 8601. */
  readonly expiresAt: string;
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
