/** Invitations to an unproved address are shown only to somebody who can read its mail (decisions/accounts.md). */
import { getSessionFromCtx } from "better-auth/api";
import type { AuthMiddlewareContext } from "../last_owner.ts";

/** Returns the empty list for an account whose address is not confirmed; undefined: the library answers. */
export async function unprovedInvitations(ctx: AuthMiddlewareContext) {
  if (ctx.path !== "/organization/list-user-invitations") return;
  const session = await getSessionFromCtx(ctx);
  if (session?.user.emailVerified === false) return ctx.json([]);
}
