/**
 * Writes grants of a member of a world's organization to an OAuth client into the accounts' tables, bypassing the API (contract
 * 5.1).
 */
import { OAUTH_TABLES } from "../../shared/model/mod.ts";
import { insertion, memberSeed } from "./api_key_seed.ts";
import type { SeedStatement } from "./seed_database.ts";
import type { World } from "./world.ts";

export interface ClientGrantSeed {
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly string[];
  readonly statements: readonly SeedStatement[];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes the grant. Its user belongs to the class of callers; its scopes are those to which the class is narrowed. */
export function clientGrantSeed(world: World, now: number): ClientGrantSeed {
  const { caller, home: { userId, organizationId } } = world;
  const [clientId, grantId] = [`${userId}_client`, `${userId}_grant`];
  const created_at = new Date(now).toISOString();
  const scopes = Object.entries(caller.grants ?? {}).flatMap(([resource, verbs]) =>
    verbs.map((verb) => `${resource}:${verb}`)
  );
  return {
    clientId,
    grantId,
    scopes,
    statements: [
      ...memberSeed(world, now),
      insertion(OAUTH_TABLES, "auth_oauth_client", {
        id: clientId,
        name: "Conformance",
        redirect_uris: "[]",
        created_at,
      }),
      insertion(OAUTH_TABLES, "auth_oauth_grant", {
        id: grantId,
        client_id: clientId,
        user_id: userId,
        organization_id: caller.organizationId === null ? null : organizationId,
        scope: scopes.join(" "),
        resource: "api",
        platform_role: 0,
        after_proof: 1,
        created_at,
        expires_at: new Date(now + DAY_MS).toISOString(),
      }),
    ],
  };
}
