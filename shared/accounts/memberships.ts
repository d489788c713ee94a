/** Memberships of organizations, read anew for every request: a lost membership counts at once. */
import { ROLE_NAME } from "../contract/mod.ts";
import { isPlatformRole, type ProjectModel } from "../model/mod.ts";
import type { Reader, SqlValue } from "../runtime/ports.ts";
import type { AccountsDependencies } from "./dependencies.ts";

/** The roles of a member; null for somebody who is none. */
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

/** The organization of somebody who belongs to exactly one. */
export async function onlyOrganizationOf(reader: Reader, userId: string): Promise<string | null> {
  const { rows } = await reader.run({
    sql: `SELECT DISTINCT "organization_id" FROM "auth_member" WHERE "user_id" = ? LIMIT 2`,
    args: [userId],
  });
  const organizationId = rows[0]?.[0];
  return rows.length === 1 && typeof organizationId === "string" ? organizationId : null;
}

/** The roles in one stored text, where commas part them. What is no exact name counts for nothing. */
export function rolesIn(text: string): readonly string[] {
  return text.split(",").filter((role) => ROLE_NAME.test(role));
}

/** As the account table has it, and what speaks for it. */
export interface StoredAccount {
  readonly email: SqlValue | undefined;
  readonly emailVerified: SqlValue | undefined;
  readonly role: SqlValue | undefined;
  /** The session that speaks for it, or that made what does, was begun after the address was proved. */
  readonly isAfterProof: boolean;
}

/** The `role` of an account with what its address gives: names with commas. */
export type RoleOf = (account: StoredAccount) => string | null;

/**
 * Accounts that are `sysadmin` by their address (definitions 8, `SYSADMIN_EMAILS`). Nothing of it is stored: the role
 * comes with a sign-in to a proved address and goes with it. In development, where messages go to the log, whoever reads it
 * owns every address: none needs to be proved.
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

/** The roles that a key or a grant has of its user: those of the platform only where it was made for them. */
export function delegatedRoles(roles: readonly string[], carriesPlatformRole: boolean) {
  return carriesPlatformRole ? roles : roles.filter((role) => !isPlatformRole(role));
}

/** True while a ban holds. `now` as ISO 8601, like the dates in the table. */
export function isBanned(
  banned: SqlValue | undefined,
  banExpires: SqlValue | undefined,
  now: string,
): boolean {
  if (banned === null || banned === undefined || banned === 0) return false;
  return typeof banExpires !== "string" || banExpires > now;
}

/** The text of a cell; null for anything else, and for an empty one. */
export function textOf(value: SqlValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
