/** Stored roles that the project does not have (definitions 7). They count for nothing. */
import { accountRoleNames, memberRoleNames, type ProjectModel } from "../model/mod.ts";
import type { LogEntry, Reader } from "../runtime/ports.ts";

/** Most texts in the log line. */
const SHOWN_MAX = 20;

/** Returns the log line that lists them; null when there are none. */
export async function strangeRoles(
  project: ProjectModel,
  reader: Reader,
): Promise<LogEntry | null> {
  const { multiTenant } = project;
  const ofMembers = multiTenant ? await storedIn(reader, "auth_member") : [];
  const ofAccounts = await storedIn(reader, "auth_user");
  const strange = [
    ...named("member", ofMembers, memberRoleNames(project.auth)),
    ...named("account", ofAccounts, accountRoleNames(project)),
  ];
  if (strange.length === 0) return null;
  const shown = strange.slice(0, SHOWN_MAX);
  const more = strange.length - shown.length;
  return {
    level: "warn",
    message: "Accounts: stored roles that the project does not name count for nothing: " +
      shown.join("; ") + (more > 0 ? `; and ${more} more` : ""),
  };
}

interface StoredRoles {
  readonly text: string;
  readonly rows: number;
}

async function storedIn(
  reader: Reader,
  table: "auth_member" | "auth_user",
): Promise<readonly StoredRoles[]> {
  const sql = `SELECT "role", count(*) FROM "${table}" WHERE "role" IS NOT NULL AND "role" <> ''
    GROUP BY "role" ORDER BY "role"`;
  const { rows } = await reader.run({ sql, args: [] });
  return rows.map(([text, count]) => ({ text: String(text), rows: Number(count) }));
}

function named(
  kind: "member" | "account",
  stored: readonly StoredRoles[],
  known: readonly string[],
): readonly string[] {
  const rowsOf = new Map<string, number>();
  for (const { text, rows } of stored) {
    for (const role of text.split(",").filter((one) => !known.includes(one))) {
      rowsOf.set(role, (rowsOf.get(role) ?? 0) + rows);
    }
  }
  return [...rowsOf].map(([role, rows]) =>
    `${JSON.stringify(role)} of ${rows} ${kind}${rows === 1 ? "" : "s"}`
  );
}
