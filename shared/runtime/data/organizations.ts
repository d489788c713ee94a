/** Deleted organizations, and how far their purge is, in `organization_purges` (definitions 7). */
import type { Reader, Transaction } from "../ports.ts";
import { fragment, jsonList } from "./sql.ts";

export interface Purge {
  readonly id: string;
  readonly organizationId: string;
}

/** From here on nobody acts in the organization: what the accounts know of it is gone, and its rows follow. */
export async function beginPurge(
  transaction: Transaction,
  { id, organizationId }: Purge,
  now: string,
): Promise<void> {
  const statements = [
    `DELETE FROM "auth_invitation" WHERE "organization_id" = ?`,
    `DELETE FROM "auth_team_member" WHERE "team_id" IN
      (SELECT "id" FROM "auth_team" WHERE "organization_id" = ?)`,
    `DELETE FROM "auth_team" WHERE "organization_id" = ?`,
    `DELETE FROM "auth_member" WHERE "organization_id" = ?`,
    `DELETE FROM "auth_apikey" WHERE json_extract("permissions", '$.organization[0]') = ?`,
    `UPDATE "auth_session" SET "active_organization_id" = NULL, "active_team_id" = NULL
      WHERE "active_organization_id" = ?`,
    `DELETE FROM "auth_organization" WHERE "id" = ?`,
  ];
  await transaction.runAll([
    ...statements.map((sql) => ({ sql, args: [organizationId] })),
    {
      sql: `INSERT INTO "organization_purges" ("id", "organization_id", "status", "created_at")
        VALUES (?, ?, 'running', ?)`,
      args: [id, organizationId, now],
    },
  ]);
}

export async function endPurge(transaction: Transaction, id: string, now: string): Promise<void> {
  await transaction.run({
    sql: `UPDATE "organization_purges" SET "status" = 'done', "finished_at" = ? WHERE "id" = ?`,
    args: [now, id],
  });
}

/** The oldest one that is not done; null: there is none. */
export async function runningPurge(reader: Reader): Promise<Purge | null> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT "id", "organization_id" FROM "organization_purges"
      WHERE "status" = 'running' ORDER BY "created_at", "id" LIMIT 1`,
    args: [],
  });
  return row ? { id: String(row[0]), organizationId: String(row[1]) } : null;
}

/** Organizations deleted since then. */
export async function organizationsPurgedSince(
  reader: Reader,
  since: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await reader.run({
    sql: `SELECT "organization_id" FROM "organization_purges" WHERE "created_at" >= ?`,
    args: [since],
  });
  return new Set(rows.map(([id]) => String(id)));
}

/** Null: there is no such organization. */
export async function organizationNamed(
  reader: Reader,
  id: string,
): Promise<{ readonly name: string; readonly slug: string } | null> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT "name", "slug" FROM "auth_organization" WHERE "id" = ?`,
    args: [id],
  });
  return row ? { name: String(row[0]), slug: String(row[1]) } : null;
}

/** Members of an organization, read within a transaction (contract 5.1). */
export async function isMember(
  reader: Reader,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  const { rows } = await reader.run(fragment(
    `SELECT 1 FROM auth_member WHERE organization_id = ? AND user_id = ?`,
    organizationId,
    userId,
  ));
  return rows.length > 0;
}

/** The users among these who belong to the organization. */
export async function membersAmong(
  reader: Reader,
  { userIds, organizationId }: {
    readonly userIds: readonly string[];
    readonly organizationId: string;
  },
): Promise<ReadonlySet<string>> {
  const { rows } = await reader.run(fragment(
    `SELECT user_id FROM auth_member
      WHERE organization_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
    organizationId,
    jsonList(userIds),
  ));
  return new Set(rows.map(([userId]) => String(userId)));
}
