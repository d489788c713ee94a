/** Keeps the last owner of an organization, also when several leave at once (definitions 7). */
import { APIError, type createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { RUNTIME_CODES } from "../contract/mod.ts";
import type { Database, Reader, Statement, Transaction } from "../runtime/ports.ts";
import * as credentials from "./credentials/leave_organizations.ts";
import { rolesIn } from "./memberships.ts";

/** The library's argument to a hook that runs before a route. */
export type AuthMiddlewareContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

const OWN_DELETION: readonly string[] = ["/delete-user", "/delete-user/callback"];
const REMOVAL = "/admin/remove-user";

/** Refuses the last owner with `ORG_LAST_OWNER`, before any part of the account is deleted. */
export async function requireNoLastOwner(
  ctx: AuthMiddlewareContext,
  database: Database,
): Promise<void> {
  if (ctx.path === REMOVAL) {
    const userId = await removedUserOf(ctx);
    if (userId !== null) await leaveOrganizations(database, userId);
  } else if (OWN_DELETION.includes(ctx.path)) {
    const session = await getSessionFromCtx(ctx);
    // The account may be deleted later, after a confirmation. The rule is checked again then.
    if (session && await isLastOwner(database, session.user.id)) refuseLastOwner();
  }
}

/**
 * Leaves all organizations as the first step of an account's deletion. The library deletes sessions and credentials one by one,
 * so a refusal must come before. Refuses with `ORG_LAST_OWNER`.
 */
export async function leaveOrganizations(database: Database, userId: string): Promise<void> {
  await database.write(async (transaction) => {
    if (await isLastOwner(transaction, userId)) refuseLastOwner();
    await credentials.leaveOrganizations(transaction, userId);
  });
}

/** Returns the user to be removed; null when the library refuses the request by itself. */
async function removedUserOf(ctx: AuthMiddlewareContext): Promise<string | null> {
  const session = await getSessionFromCtx(ctx);
  if (!session) return null;
  const roles: unknown = Reflect.get(session.user, "role");
  const isAdmin = typeof roles === "string" && rolesIn(roles).includes("sysadmin");
  const userId: unknown = Reflect.get(ctx.body ?? {}, "userId");
  const isOther = typeof userId === "string" && userId !== session.user.id;
  return isAdmin && isOther ? userId : null;
}

/**
 * Runs a change of memberships and checks the result in the same transaction, since earlier reads may be outdated. Refuses with
 * `ORG_LAST_OWNER`.
 */
export async function keepingOwners<T>(
  transaction: Transaction,
  changed: Statement,
  change: () => Promise<T>,
): Promise<T> {
  const { rows: owned } = await transaction.run({
    sql: `SELECT DISTINCT "organization_id" FROM "auth_member"${changed.sql} ${
      changed.sql === "" ? "WHERE" : "AND"
    } ${OWNS("auth_member")}`,
    args: changed.args,
  });
  const result = await change();
  for (const [organizationId = null] of owned) {
    const { rows } = await transaction.run({
      sql: `SELECT 1 FROM "auth_member" WHERE "organization_id" = ? AND ${
        OWNS("auth_member")
      } LIMIT 1`,
      args: [organizationId],
    });
    if (rows.length === 0) refuseLastOwner();
  }
  return result;
}

function refuseLastOwner(): never {
  throw new APIError("CONFLICT", {
    code: "ORG_LAST_OWNER",
    message: `${RUNTIME_CODES.ORG_LAST_OWNER.title}: hand it over or delete it first`,
  });
}

const OWNS = (table: string) => `instr(',' || "${table}"."role" || ',', ',owner,') > 0`;

async function isLastOwner(reader: Reader, userId: string): Promise<boolean> {
  const { rows } = await reader.run({
    sql: `SELECT 1 FROM "auth_member" AS "m" WHERE "m"."user_id" = ? AND ${OWNS("m")}
      AND NOT EXISTS (SELECT 1 FROM "auth_member" AS "o" WHERE "o"."user_id" <> "m"."user_id"
        AND "o"."organization_id" = "m"."organization_id" AND ${OWNS("o")}) LIMIT 1`,
    args: [userId],
  });
  return rows.length > 0;
}
