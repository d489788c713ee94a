/**
 * Counts keys and grants from before the service recorded how they were made (docs/decisions/accounts.md, "Proofs and
 * credentials"). None carries a platform role any more; the log says how many did.
 */
import type { ProjectModel } from "../model/mod.ts";
import type { LogEntry, Reader } from "../runtime/ports.ts";

/** Returns the line for the log; null: there are no such credentials. */
export async function olderCredentials(
  reader: Reader,
  { project: { agents }, sysadminEmails = [] }: {
    readonly project: Pick<ProjectModel, "agents">;
    readonly sysadminEmails?: readonly string[];
  },
): Promise<LogEntry | null> {
  const listed = JSON.stringify(sysadminEmails.map((email) => email.toLowerCase()));
  const results = await reader.runAll([
    counting("auth_apikey", "reference_id"),
    ...(agents.oauth ? [counting("auth_oauth_grant", "user_id")] : []),
  ].map((sql) => ({ sql, args: [listed] })));
  const [keys = 0, grants = 0] = results.map(({ rows }) => Number(rows[0]?.[0] ?? 0));
  if (keys + grants === 0) return null;
  return {
    level: "warn",
    message: "Accounts: older API keys and grants carry the platform role of their account no " +
      "more: make those that need it anew, with platformRole",
    fields: { keys, grants },
  };
}

function counting(table: string, user: string): string {
  return `SELECT count(*) FROM "${table}" AS "c" JOIN "auth_user" AS "u" ON "u"."id" = "c"."${user}"
    WHERE "c"."platform_role" IS NULL AND (lower("u"."email") IN (SELECT value FROM json_each(?))
      OR ',' || "u"."role" || ',' LIKE '%,sysadmin,%' OR ',' || "u"."role" || ',' LIKE '%,appmanager,%')`;
}
