/** Identifies callers by an API key (contract 5.1, definitions 7 "Smaller answers"): a user in the organization of the key. */
import { sha256 } from "../lib/bytes.ts";
import { permissionsIn, platformRoleIn, projectRolesOf } from "../model/mod.ts";
import type { Grants, Principal } from "../model/mod.ts";
import type { CredentialVerdict, Database, Reader, SqlValue } from "../runtime/ports.ts";
import { delegatedRoles, isBanned, type RoleOf, rolesIn, textOf } from "./memberships.ts";

/** Most characters of a key. Keys of this service are far shorter. */
const KEY_MAX_LENGTH = 256;
const HASHES_MAX = 1000;

/** Milliseconds after which a key's last use is recorded anew. */
const USE_NOTED_FOR_MS = 60_000;

/** A use of a key: the key's stored hash, and the database's time. */
export interface KeyUse {
  readonly hash: string;
  readonly at: string;
}

interface ApiKeyRules {
  readonly reader: Reader;
  readonly multiTenant: boolean;
  readonly roleOf: RoleOf;
  /** Counts a use of a key with a rate limit. Returns null if the key may be used. */
  readonly claimUse: (key: string) => Promise<"AUTH_INVALID_TOKEN" | "RATE_LIMITED" | null>;
  /**
   * Receives a use, at most one a minute for each key. The request does not wait for it. Keys with a rate limit record their
   * uses by counting.
   */
  readonly noteUse: (use: KeyUse) => void;
}

const INVALID: CredentialVerdict = { kind: "refused", code: "AUTH_INVALID_TOKEN" };
const EXPIRED: CredentialVerdict = { kind: "refused", code: "AUTH_EXPIRED" };

/**
 * Returns a judge of keys. It reads key, user and membership for every request, so that a revocation, a ban and a lost
 * membership count at once. It caches only the hashes of existing keys.
 */
export function apiKeyJudge(rules: ApiKeyRules): (key: string) => Promise<CredentialVerdict> {
  const hashes = new Map<string, string>();
  // Notes of uses that a read may not show yet, because a copy of the database lags behind.
  const noted = new Map<string, string>();
  return async (key) => {
    if (key === "" || key.length > KEY_MAX_LENGTH) return INVALID;
    const hash = hashes.get(key) ?? await hashOf(key);
    const { rows: [row] } = await rules.reader.run({ sql: KEY_SQL, args: [hash], isSingle: true });
    if (!row) {
      hashes.delete(key);
      return INVALID;
    }
    const stored = storedKeyIn(row, rules.roleOf);
    // Only existing keys are cached, so that a caller who tries many keys cannot evict others.
    if (!hashes.has(key)) {
      if (hashes.size >= HASHES_MAX) hashes.clear();
      hashes.set(key, hash);
    }
    const verdict = await verdictOn(key, stored, rules);
    const at = stored.now;
    const isNoted = [stored.usedAt, noted.get(hash)].some((last) =>
      last && Date.parse(at) - Date.parse(last) < USE_NOTED_FOR_MS
    );
    if (verdict.kind === "principal" && !stored.isLimited && !isNoted) {
      if (noted.size >= HASHES_MAX) noted.clear();
      noted.set(hash, at);
      rules.noteUse({ hash, at });
    }
    return verdict;
  };
}

/** Records the use of a key, unless the key is gone or a later use is recorded. */
export async function writeKeyUse(database: Database, { hash, at }: KeyUse): Promise<void> {
  await database.write((transaction) =>
    transaction.run({
      sql: `UPDATE "auth_apikey" SET "last_request" = ?
        WHERE "key" = ? AND ("last_request" IS NULL OR "last_request" < ?)`,
      args: [at, hash, at],
    })
  );
}

async function verdictOn(
  key: string,
  stored: StoredKey,
  { claimUse, multiTenant }: ApiKeyRules,
): Promise<CredentialVerdict> {
  const verdict = standingVerdict(stored, multiTenant);
  if (verdict.kind === "refused" || !stored.isLimited) return verdict;
  const code = await claimUse(key);
  return code === null ? verdict : { kind: "refused", code };
}

/** Returns the caller of a row of `KEYS_SQL` without counting a use; null: the key is no longer valid. */
export function keyHolder(
  row: readonly SqlValue[],
  { multiTenant, roleOf }: Pick<ApiKeyRules, "multiTenant" | "roleOf">,
): Principal | null {
  const verdict = standingVerdict(storedKeyIn(row, roleOf), multiTenant);
  return verdict.kind === "principal" ? verdict.principal : null;
}

function standingVerdict(stored: StoredKey, multiTenant: boolean): CredentialVerdict {
  if (!stored.isEnabled || stored.isBanned) return INVALID;
  // A key ends with its user's membership of its organization.
  if (multiTenant && stored.organizationId !== null && stored.memberRoles === null) {
    return INVALID;
  }
  if (stored.expiresAt !== null && stored.expiresAt <= stored.now) return EXPIRED;
  const own = stored.userRoles;
  const member = stored.memberRoles === null ? [] : rolesIn(stored.memberRoles);
  return {
    kind: "principal",
    principal: {
      credential: "apiKey",
      userId: stored.userId,
      organizationId: multiTenant ? stored.organizationId : null,
      teamId: null,
      roles: projectRolesOf(multiTenant ? member : own),
      userRole: platformRoleIn(own),
      ...(stored.grants === null ? {} : { grants: stored.grants }),
    },
  };
}

interface StoredKey {
  readonly userId: string;
  /** Organization of the key; null: it was made outside of organizations. */
  readonly organizationId: string | null;
  readonly isEnabled: boolean;
  readonly isBanned: boolean;
  readonly isLimited: boolean;
  readonly expiresAt: string | null;
  /** Last recorded use, in the form of `expiresAt`; null: none. */
  readonly usedAt: string | null;
  /** Time of the database, in the form of `expiresAt`. */
  readonly now: string;
  /** Roles in the key's organization; null: the user is no member of it. */
  readonly memberRoles: string | null;
  readonly userRoles: readonly string[];
  /** Null: the key may do all that its user may. */
  readonly grants: Grants | null;
}

/** Selects the key, its user, and the user's roles in the key's organization. */
const keySql = (condition: string) => `
  SELECT "k"."enabled", "k"."expires_at", "k"."rate_limit_enabled", "k"."remaining",
    "u"."id", "u"."role", "u"."banned", "u"."ban_expires", "k"."permissions", "m"."role",
    strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), "u"."email", "u"."email_verified",
    "k"."last_request", "k"."after_proof", "k"."platform_role", "k"."key"
  FROM "auth_apikey" AS "k"
  JOIN "auth_user" AS "u" ON "u"."id" = "k"."reference_id"
  LEFT JOIN "auth_member" AS "m" ON "m"."user_id" = "u"."id"
    AND "m"."organization_id" = json_extract("k"."permissions", '$.organization[0]')
  WHERE "k"."key" ${condition}`;

const KEY_SQL = `${keySql("= ?")} LIMIT 1`;

/** Selects the keys of all hashes in a JSON list. The last cell of a row is its hash. */
export const KEYS_SQL = keySql("IN (SELECT value FROM json_each(?))");

function storedKeyIn(row: readonly SqlValue[], roleOf: RoleOf): StoredKey {
  const [enabled, expiresAt, limited, remaining, userId, role, banned, banExpires] = row;
  const [permissions, memberRoles, now, email, emailVerified, usedAt] = row.slice(8);
  const [afterProof, platformRole] = row.slice(14);
  const { organizationId, grants } = permissionsIn(textOf(permissions));
  return {
    userId: textOf(userId) ?? "",
    organizationId,
    isEnabled: enabled === 1,
    isBanned: isBanned(banned, banExpires, textOf(now) ?? ""),
    isLimited: limited !== 0 || remaining !== null,
    expiresAt: textOf(expiresAt),
    usedAt: textOf(usedAt),
    now: textOf(now) ?? "",
    memberRoles: textOf(memberRoles),
    userRoles: delegatedRoles(
      rolesIn(roleOf({ email, emailVerified, role, isAfterProof: afterProof === 1 }) ?? ""),
      platformRole === 1,
    ),
    grants,
  };
}

/**
 * Returns the hash under which the account library stores a key: SHA-256 as base64url without padding. A key is 64 random
 * letters.
 */
export async function hashOf(key: string): Promise<string> {
  return (await sha256(key)).toBase64({ alphabet: "base64url", omitPadding: true });
}
