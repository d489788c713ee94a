/** Writes a session of a world's user into the accounts' tables, bypassing the API (contract 5.1). */
import { AUTH_TABLES } from "../../shared/model/mod.ts";
import { insertion, memberSeed, userSeed } from "./api_key_seed.ts";
import type { SeedRandomness } from "./row_ids.ts";
import type { SeedStatement } from "./seed_database.ts";
import type { World } from "./world.ts";

export interface SessionSeed {
  /** Token that the session's cookie contains, signed. */
  readonly token: string;
  readonly statements: readonly SeedStatement[];
}

const HOUR_MS = 60 * 60 * 1000;

/** Makes the session. Its user belongs to the class of callers, in its organization if it has one. */
export function sessionSeed(world: World, random: SeedRandomness, now: number): SessionSeed {
  const { caller: { organizationId }, home: { userId } } = world;
  // The token is unique even if a test's randomness repeats itself.
  const token = `${userId}_${random.bytes(24).toHex()}`;
  const [created_at, expires_at] = [now, now + HOUR_MS].map((at) => new Date(at).toISOString());
  return {
    token,
    statements: [
      ...(organizationId === null ? [userSeed(world, now)] : memberSeed(world, now)),
      insertion(AUTH_TABLES, "auth_session", {
        id: `${userId}_session`,
        token,
        user_id: userId,
        expires_at: expires_at ?? "",
        created_at: created_at ?? "",
        updated_at: created_at ?? "",
        active_organization_id: organizationId,
      }),
    ],
  };
}
