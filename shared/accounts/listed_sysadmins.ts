/**
 * Accounts that are `sysadmin` by their address (definitions 8, `SYSADMIN_EMAILS`). Nothing of it is stored: the
 * role comes with a confirmed address and goes with it.
 */
import type { ProjectModel } from "../model/project.ts";
import type { SqlValue } from "../runtime/ports.ts";
import type { AccountsDependencies } from "./dependencies.ts";
import { rolesIn } from "./memberships.ts";

/** As the account table has it. */
export interface StoredAccount {
  readonly email: SqlValue | undefined;
  readonly emailVerified: SqlValue | undefined;
  readonly role: SqlValue | undefined;
}

/** The `role` of an account with what its address gives: names with commas. */
export type RoleOf = (account: StoredAccount) => string | null;

/** In development, where messages go to the log, whoever reads it owns every address: none needs to be confirmed. */
export function roleByAddress(
  { email: { provider } }: ProjectModel,
  { sysadminEmails = [], settings }: Pick<AccountsDependencies, "sysadminEmails" | "settings">,
): RoleOf {
  const listed = new Set(sysadminEmails.map((address) => address.toLowerCase()));
  const needsConfirming = settings.production || provider !== "log";
  return ({ email, emailVerified, role }) => {
    const own = typeof role === "string" ? role : null;
    const isListed = typeof email === "string" && listed.has(email.toLowerCase());
    if (!isListed || (needsConfirming && emailVerified !== 1)) return own;
    return [...new Set([...rolesIn(own ?? ""), "sysadmin"])].join(",");
  };
}
