/** Refusals of what a session may not do for its account, in the form of the library's own. */
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

/** Refuses with the library's kind of error. */
export function requireRights(
  session: SessionRights,
  host: SessionHost,
  asked: { readonly platformRole: boolean },
): void {
  const code = rightsRefusal(session, host, asked);
  if (code === null) return;
  throw new APIError("FORBIDDEN", { code, message: RUNTIME_CODES[code].title });
}

/** Nobody is invited in the name of an address that nobody proved. Refuses with `EMAIL_UNVERIFIED`. */
export async function requireProvedInviter(
  ctx: AuthMiddlewareContext,
  { database, ...host }: SessionHost & { readonly database: Reader },
): Promise<void> {
  if (ctx.path !== "/organization/invite-member") return;
  const session = await getSessionFromCtx(ctx);
  // Without one the route itself refuses.
  if (session === null) return;
  const known = await sessionRights(database, session.session.id);
  requireRights(known, host, { platformRole: false });
}
