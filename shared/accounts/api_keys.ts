/**
 * Identifies callers with an API key (contract 5.1, definitions 7 "Smaller answers"): a user, in the organization of the
 * key.
 */
import { isPlatformRole, type Principal, projectRolesOf } from "../model/principal.ts";
import type { CredentialVerdict, Reader, SqlValue } from "../runtime/ports.ts";
import { type RoleOf, rolesIn } from "./memberships.ts";

/** Characters; no key of ours comes near. */
const KEY_MAX_LENGTH = 256;

interface ApiKeyRules {
  readonly reader: Reader;
  readonly multiTenant: boolean;
  readonly roleOf: RoleOf;
  /** Counts a use of a key that has a limit of its own: null when it may be used. */
  readonly claimUse: (key: string) => Promise<"AUTH_INVALID_TOKEN" | "RATE_LIMITED" | null>;
}

const INVALID: CredentialVerdict = { kind: "refused", code: "AUTH_INVALID_TOKEN" };
const EXPIRED: CredentialVerdict = { kind: "refused", code: "AUTH_EXPIRED" };

/** Read anew for every request: a revoked key, a ban and a lost membership count at once. */
export async function apiKeyVerdict(key: string, rules: ApiKeyRules): Promise<CredentialVerdict> {
  if (key === "" || key.length > KEY_MAX_LENGTH) return INVALID;
  const stored = await storedKey(await hashOf(key), rules);
  if (stored === null || !stored.isEnabled || stored.isBanned) return INVALID;
  if (stored.expiresAt !== null && stored.expiresAt <= stored.now) return EXPIRED;
  if (stored.isLimited) {
    const code = await rules.claimUse(key);
    if (code !== null) return { kind: "refused", code };
  }
  return { kind: "principal", principal: principalOf(stored, rules.multiTenant) };
}

interface StoredKey {
  readonly userId: string;
  readonly organizationId: string | null;
  readonly isEnabled: boolean;
  readonly isBanned: boolean;
  readonly isLimited: boolean;
  readonly expiresAt: string | null;
  /** Of the database, in the form of `expiresAt`. */
  readonly now: string;
  /** Null: no member of the key's organization. */
  readonly memberRoles: string | null;
  readonly userRoles: string;
}

/** One read: the key, its user and what they are in its organization. */
const KEY_SQL = `
  SELECT "k"."enabled", "k"."expires_at", "k"."rate_limit_enabled", "k"."remaining",
    "u"."id", "u"."role", "u"."banned", "u"."ban_expires", "m"."organization_id", "m"."role",
    strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), "u"."email", "u"."email_verified"
  FROM "auth_apikey" AS "k"
  JOIN "auth_user" AS "u" ON "u"."id" = "k"."reference_id"
  LEFT JOIN "auth_member" AS "m" ON "m"."user_id" = "u"."id"
    AND "m"."organization_id" = json_extract("k"."permissions", '$.organization[0]')
  WHERE "k"."key" = ? LIMIT 1`;

async function storedKey(
  hash: string,
  { reader, roleOf }: Pick<ApiKeyRules, "reader" | "roleOf">,
): Promise<StoredKey | null> {
  const { rows: [row] } = await reader.run({ sql: KEY_SQL, args: [hash] });
  if (!row) return null;
  const [enabled, expiresAt, limited, remaining, userId, role, banned, banExpires] = row;
  const [organizationId, memberRoles, now, email, emailVerified] = row.slice(8);
  return {
    userId: textOf(userId) ?? "",
    organizationId: textOf(organizationId),
    isEnabled: enabled === 1,
    isBanned: isBanned({ banned, banExpires }, textOf(now) ?? ""),
    isLimited: limited !== 0 || remaining !== null,
    expiresAt: textOf(expiresAt),
    now: textOf(now) ?? "",
    memberRoles: textOf(memberRoles),
    userRoles: roleOf({ email, emailVerified, role }) ?? "",
  };
}

function principalOf(stored: StoredKey, multiTenant: boolean): Principal {
  const own = rolesIn(stored.userRoles);
  const member = stored.memberRoles === null ? [] : rolesIn(stored.memberRoles);
  return {
    credential: "apiKey",
    userId: stored.userId,
    organizationId: multiTenant ? stored.organizationId : null,
    teamId: null,
    roles: projectRolesOf(multiTenant ? member : own),
    userRole: own.find(isPlatformRole) ?? null,
  };
}

/** As the account library stores keys: SHA-256 as base64url without padding. The keys are 64 random letters. */
export async function hashOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function textOf(value: SqlValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

interface BanColumns {
  readonly banned: SqlValue | undefined;
  readonly banExpires: SqlValue | undefined;
}

/** `now` as ISO 8601, like the dates in the table. */
function isBanned({ banned, banExpires }: BanColumns, now: string): boolean {
  if (banned === null || banned === undefined || banned === 0) return false;
  return typeof banExpires !== "string" || banExpires > now;
}
