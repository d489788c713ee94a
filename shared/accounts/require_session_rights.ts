/** Refusals of acts that a session lacks the rights for, as errors of the library. */
import { APIError, getSessionFromCtx } from "better-auth/api";
import { RUNTIME_CODES } from "../contract/mod.ts";
import type { Reader } from "../runtime/ports.ts";
import type { AuthMiddlewareContext } from "./last_owner.ts";
import {
  rightsRefusal,
  type SessionHost,
  type SessionRights,
  sessionRights,
} from "./session_rights.ts";

/** Throws the library's error if the session lacks the rights. */
export function requireRights(
  session: SessionRights,
  host: SessionHost,
  asked: { readonly platformRole: boolean },
): void {
  const code = rightsRefusal(session, host, asked);
  if (code === null) return;
  throw new APIError("FORBIDDEN", { code, message: RUNTIME_CODES[code].title });
}

/** Refuses an invitation by an account whose address is unproved, with `EMAIL_UNVERIFIED`. */
export async function requireProvedInviter(
  ctx: AuthMiddlewareContext,
  { database, ...host }: SessionHost & { readonly database: Reader },
): Promise<void> {
  if (ctx.path !== "/organization/invite-member") return;
  const session = await getSessionFromCtx(ctx);
  // The route itself refuses a request without a session.
  if (session === null) return;
  const known = await sessionRights(database, session.session.id);
  requireRights(known, host, { platformRole: false });
}
