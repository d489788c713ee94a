/**
 * Rights of a session beyond using the account. An account with an unproved address invites nobody and delegates nothing. A
 * platform role is delegated only with a second factor (docs/decisions/accounts.md, "Proofs and credentials").
 */
import type { ProjectModel } from "../model/mod.ts";
import type { Reader } from "../runtime/ports.ts";

export interface SessionHost {
  readonly project: Pick<ProjectModel, "email">;
  readonly settings: { readonly production: boolean };
}

/** Facts about a session. All are false for one that is over. */
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

/** Returns the code of the refusal; null: the session may. */
export function rightsRefusal(
  { isProved, hasSecondFactor }: SessionRights,
  { project, settings }: SessionHost,
  { platformRole }: { readonly platformRole: boolean },
): "EMAIL_UNVERIFIED" | "SECOND_FACTOR_REQUIRED" | null {
  // Without a mail server nobody can prove an address.
  if (!isProved && project.email.provider === "smtp") return "EMAIL_UNVERIFIED";
  return platformRole && settings.production && !hasSecondFactor ? "SECOND_FACTOR_REQUIRED" : null;
}
