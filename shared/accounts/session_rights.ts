/**
 * What a session may do for its account beyond using it: an account whose address is not proved invites nobody and lets nobody
 * act for it, and a platform role is handed on with a second factor alone (docs/decisions/accounts.md, "Proofs and
 * credentials").
 */
import type { ProjectModel } from "../model/mod.ts";
import type { Reader } from "../runtime/ports.ts";

export interface SessionHost {
  readonly project: Pick<ProjectModel, "email">;
  readonly settings: { readonly production: boolean };
}

/** What is known of a session; all false for one that is over. */
export interface SessionRights {
  readonly isProved: boolean;
  readonly hasSecondFactor: boolean;
}

export async function sessionRights(
  reader: Reader,
  sessionId: string,
): Promise<SessionRights> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT "u"."email_verified", "s"."second_factor" FROM "auth_session" AS "s"
      JOIN "auth_user" AS "u" ON "u"."id" = "s"."user_id" WHERE "s"."id" = ?`,
    args: [sessionId],
    isSingle: true,
  });
  return { isProved: row?.[0] === 1, hasSecondFactor: row?.[1] === 1 };
}

/** The code that such a session is refused with; null: it may. */
export function rightsRefusal(
  { isProved, hasSecondFactor }: SessionRights,
  { project, settings }: SessionHost,
  { platformRole }: { readonly platformRole: boolean },
): "EMAIL_UNVERIFIED" | "SECOND_FACTOR_REQUIRED" | null {
  // Where no mail is sent, nobody can prove anything.
  if (!isProved && project.email.provider === "smtp") return "EMAIL_UNVERIFIED";
  return platformRole && settings.production && !hasSecondFactor ? "SECOND_FACTOR_REQUIRED" : null;
}
