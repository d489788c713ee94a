/** Organizations, users and teams put into the account tables past the API: what `scopeTo` names must be there. */
import type { Database, Statement } from "../../shared/runtime/ports.ts";

const NOW = "2026-01-01T00:00:00.000Z";

interface Founded {
  readonly organizations?: readonly string[];
  readonly users?: readonly string[];
  /** Team → its organization. */
  readonly teams?: Readonly<Record<string, string>>;
}

export async function foundAccounts(database: Database, founded: Founded): Promise<void> {
  const statements = foundingStatements(founded);
  await database.write(async (transaction) => void await transaction.runAll(statements));
}

export function foundingStatements(
  { organizations = [], users = [], teams = {} }: Founded,
): readonly Statement[] {
  return [
    ...organizations.map((id) => ({
      sql: "INSERT INTO auth_organization (id, name, slug, created_at) VALUES (?, ?, ?, ?)",
      args: [id, id, id, NOW],
    })),
    ...users.map((id) => ({
      sql: `INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at)
        VALUES (?, ?, ?, 1, ?, ?)`,
      args: [id, id, `${id}@example.com`, NOW, NOW],
    })),
    ...Object.entries(teams).map(([id, organizationId]) => ({
      sql: `INSERT INTO auth_team (id, name, member_count, organization_id, created_at)
        VALUES (?, ?, 0, ?, ?)`,
      args: [id, id, organizationId, NOW],
    })),
  ];
}
