/** An account that is the last owner of an organization stays until that is handed over or purged (extensions 1). */
import { APIError, type createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { RUNTIME_CODES } from "../contract/codes.ts";
import type { Reader } from "../runtime/ports.ts";
import { rolesIn } from "./memberships.ts";

/** The library's argument to a hook that looks at a request before its route does. */
export type AuthMiddlewareContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

const OWN_DELETION: readonly string[] = ["/delete-user", "/delete-user/callback"];
const REMOVAL = "/admin/remove-user";

/** Refuses with `ORG_LAST_OWNER`, before anything of the account is gone. */
export async function requireNoLastOwner(
  ctx: AuthMiddlewareContext,
  reader: Reader,
): Promise<void> {
  const userId = await deletedUserOf(ctx);
  if (userId === null || !await isLastOwner(reader, userId)) return;
  throw new APIError("CONFLICT", {
    code: "ORG_LAST_OWNER",
    message: `${RUNTIME_CODES.ORG_LAST_OWNER.title}: hand it over or delete it first`,
  });
}

/** Null: nobody is about to be deleted, or the library refuses it by itself. */
async function deletedUserOf(ctx: AuthMiddlewareContext): Promise<string | null> {
  const isOwn = OWN_DELETION.includes(ctx.path);
  if (!isOwn && ctx.path !== REMOVAL) return null;
  const session = await getSessionFromCtx(ctx);
  if (!session) return null;
  if (isOwn) return session.user.id;
  const roles: unknown = Reflect.get(session.user, "role");
  const isAdmin = typeof roles === "string" && rolesIn(roles).includes("sysadmin");
  const userId: unknown = Reflect.get(ctx.body ?? {}, "userId");
  return isAdmin && typeof userId === "string" ? userId : null;
}

const OWNS = (table: string) =>
  `instr(',' || replace("${table}"."role", ' ', '') || ',', ',owner,') > 0`;

async function isLastOwner(reader: Reader, userId: string): Promise<boolean> {
  const { rows } = await reader.run({
    sql: `SELECT 1 FROM "auth_member" AS "m" WHERE "m"."user_id" = ? AND ${OWNS("m")}
      AND NOT EXISTS (SELECT 1 FROM "auth_member" AS "o" WHERE "o"."user_id" <> "m"."user_id"
        AND "o"."organization_id" = "m"."organization_id" AND ${OWNS("o")}) LIMIT 1`,
    args: [userId],
  });
  return rows.length > 0;
}
