/** Memberships of organizations. They are read for every request, so that a lost membership counts at once. */
import { ROLE_NAME } from "../contract/mod.ts";
import { isPlatformRole, type ProjectModel } from "../model/mod.ts";
import type { Reader, SqlValue } from "../runtime/ports.ts";
import type { AccountsDependencies } from "./dependencies.ts";

/** Returns the roles of a member; null for a user who is none. */
export async function rolesOfMember(
  reader: Reader,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<readonly string[] | null> {
  const { rows } = await reader.run({
    sql: `SELECT "role" FROM "auth_member" WHERE "organization_id" = ? AND "user_id" = ?`,
    args: [organizationId, userId],
  });
  if (rows.length === 0) return null;
  return rows.flatMap(([roles]) => typeof roles === "string" ? rolesIn(roles) : []);
}

/** Returns the organization of a user who belongs to exactly one. */
export async function onlyOrganizationOf(reader: Reader, userId: string): Promise<string | null> {
  const { rows } = await reader.run({
    sql: `SELECT DISTINCT "organization_id" FROM "auth_member" WHERE "user_id" = ? LIMIT 2`,
    args: [userId],
  });
  const organizationId = rows[0]?.[0];
  return rows.length === 1 && typeof organizationId === "string" ? organizationId : null;
}

/** Returns the roles in a stored text with commas. A part that is no exact name is ignored. */
export function rolesIn(text: string): readonly string[] {
  return text.split(",").filter((role) => ROLE_NAME.test(role));
}

/** Facts about a stored account and its credential. */
export interface StoredAccount {
  readonly email: SqlValue | undefined;
  readonly emailVerified: SqlValue | undefined;
  readonly role: SqlValue | undefined;
  /** True when the session, or the session that made the credential, began after the address was proved. */
  readonly isAfterProof: boolean;
}

/** Returns the `role` of an account, with the roles that its address gives, separated by commas. */
export type RoleOf = (account: StoredAccount) => string | null;

/**
 * Makes accounts `sysadmin` by their address (definitions 8, `SYSADMIN_EMAILS`). The role is not stored: it applies to sessions
 * that began after the address was proved. In development messages go to the log, so no proof is needed.
 */
export function roleByAddress(
  { email: { provider } }: ProjectModel,
  { sysadminEmails = [], settings }: Pick<AccountsDependencies, "sysadminEmails" | "settings">,
): RoleOf {
  const listed = new Set(sysadminEmails.map((address) => address.toLowerCase()));
  const needsProof = settings.production || provider !== "log";
  return ({ email, emailVerified, role, isAfterProof }) => {
    const own = typeof role === "string" ? role : null;
    const isListed = typeof email === "string" && listed.has(email.toLowerCase());
    const isProved = emailVerified === 1 && isAfterProof;
    if (!isListed || (needsProof && !isProved)) return own;
    return [...new Set([...rolesIn(own ?? ""), "sysadmin"])].join(",");
  };
}

/** Returns the roles that a key or grant has of its user. Platform roles are included only if it was made to carry them. */
export function delegatedRoles(roles: readonly string[], carriesPlatformRole: boolean) {
  return carriesPlatformRole ? roles : roles.filter((role) => !isPlatformRole(role));
}

/** True while a ban lasts. `now` is ISO 8601, like the dates in the table. */
export function isBanned(
  banned: SqlValue | undefined,
  banExpires: SqlValue | undefined,
  now: string,
): boolean {
  if (banned === null || banned === undefined || banned === 0) return false;
  return typeof banExpires !== "string" || banExpires > now;
}

/** Returns the text of a cell; null for an empty one or another type. */
export function textOf(value: SqlValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
