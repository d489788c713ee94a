/** Mints tokens of this project; made once per application (definitions 7, "JWT"). */
import type { Principal } from "../../../model/principal.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { Clock, Randomness, Settings } from "../../ports.ts";
import { signToken, type TokenGrant } from "./token_grant.ts";
import { createTokenKeys } from "./token_keys.ts";

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

/** Null: the project has no tokens (contract 9.2). Throws when the secret is too short. */
export function createTokenMint(
  { auth: { jwt } }: ProjectModel,
  { settings, clock, random }: MintDependencies,
): MintToken | null {
  if (jwt === null) return null;
  const keys = createTokenKeys(jwt.algorithm, settings.authSecret);
  return async (bearer, { expiresIn = jwt.expiresIn } = {}) =>
    signToken(bearer, {
      jwt: { ...jwt, expiresIn },
      settings,
      clock,
      random,
      keys: await keys(),
    });
}
