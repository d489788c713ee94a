/** Writes an API key of a member of a world's organization into the accounts' tables, bypassing the API (contract 5.1). */
import { sha256 } from "../../shared/lib/bytes.ts";
import { AUTH_TABLES, type SqlTable, storedPermissions } from "../../shared/model/mod.ts";
import type { SeedRandomness } from "./row_ids.ts";
import type { SeedDatabase, SeedSqlValue, SeedStatement } from "./seed_database.ts";
import type { World } from "./world.ts";

export interface ApiKeySeed {
  readonly key: string;
  readonly statements: readonly SeedStatement[];
}

/** Makes the key. Its user belongs to the class of callers; their roles are those of their membership. */
export async function apiKeySeed(
  world: World,
  random: SeedRandomness,
  now: number,
): Promise<ApiKeySeed> {
  const key = random.bytes(32).toHex();
  const { userId, organizationId } = world.home;
  const { grants = null } = world.caller;
  const created_at = new Date(now).toISOString();
  // The table contains keys as SHA-256 in base64url without padding.
  const digest = await sha256(key);
  return {
    key,
    statements: [
      ...memberSeed(world, now),
      insertion(AUTH_TABLES, "auth_apikey", {
        id: `${userId}_key`,
        config_id: "default",
        reference_id: userId,
        key: digest.toBase64({ alphabet: "base64url", omitPadding: true }),
        enabled: 1,
        rate_limit_enabled: 0,
        permissions: JSON.stringify(storedPermissions({ organizationId, grants })),
        platform_role: 0,
        after_proof: 1,
        created_at,
        updated_at: created_at,
      }),
    ],
  };
}

/** Makes the user of a world, with the platform role of its class. */
export function userSeed({ caller, home: { userId } }: World, now: number): SeedStatement {
  const created_at = new Date(now).toISOString();
  return insertion(AUTH_TABLES, "auth_user", {
    id: userId,
    name: "Conformance",
    email: `${userId}@conformance.invalid`,
    email_verified: 1,
    role: caller.userRole,
    created_at,
    updated_at: created_at,
  });
}

/** Makes the user of a world, as a member of its organization with the roles of its class. */
export function memberSeed(world: World, now: number): readonly SeedStatement[] {
  const { caller, home: { userId, organizationId } } = world;
  const created_at = new Date(now).toISOString();
  return [
    userSeed(world, now),
    insertion(AUTH_TABLES, "auth_organization", {
      id: organizationId,
      name: "Conformance",
      slug: organizationId,
      created_at,
    }),
    insertion(AUTH_TABLES, "auth_member", {
      id: `${userId}_member`,
      organization_id: organizationId,
      user_id: userId,
      role: [...caller.roles, "conformance"].join(","),
      created_at,
    }),
  ];
}

/** Inserts rows of accounts into their tables. */
export async function insertAccounts(
  database: SeedDatabase,
  statements: readonly SeedStatement[],
): Promise<void> {
  await database.write(async (transaction) => {
    for (const statement of statements) await transaction.run(statement);
  });
}

/** Makes the insert; columns that the table does not have are left out. */
export function insertion(
  tables: readonly SqlTable[],
  table: string,
  values: Readonly<Record<string, SeedSqlValue>>,
): SeedStatement {
  const known = tables.find(({ name }) => name === table);
  const columns = Object.entries(values).filter(([name]) =>
    known?.columns.some((column) => column.name === name)
  );
  return {
    sql: `INSERT INTO ${table} (${columns.map(([name]) => name).join(", ")}) VALUES (${
      columns.map(() => "?").join(", ")
    })`,
    args: columns.map(([, value]) => value),
  };
}
