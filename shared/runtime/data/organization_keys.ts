/** API keys of an organization in the accounts' tables (definitions 7). */
import { permissionsIn } from "../../model/mod.ts";
import type { Reader, SecurityLog, Transaction } from "../ports.ts";

/** Condition for keys of an organization, by their permissions. */
const OF_ORGANIZATION = `json_extract("permissions", '$.organization[0]') = ?`;

/** Returns the keys of an organization as JSON without their text, the newest first. */
export async function keysIn(reader: Reader, organizationId: string): Promise<readonly object[]> {
  const { rows } = await reader.run({
    sql: `SELECT "id", "name", "start", "reference_id", "enabled", "permissions", "expires_at",
        "created_at", "last_request"
      FROM "auth_apikey" WHERE ${OF_ORGANIZATION} ORDER BY "created_at" DESC, "id"`,
    args: [organizationId],
  });
  return rows.map((row) => {
    const [id, name, start, userId, enabled, permissions, expiresAt, createdAt, lastUsedAt] = row;
    return {
      id,
      name: name ?? null,
      start: start ?? null,
      userId,
      enabled: enabled === 1,
      permissions: permissionsIn(typeof permissions === "string" ? permissions : null).grants,
      expiresAt: expiresAt ?? null,
      createdAt,
      lastUsedAt: lastUsedAt ?? null,
    };
  });
}

/** Deletes a key of the organization and logs it for its maker. Returns false if there is none with this id. */
export async function deleteKey(
  transaction: Transaction,
  { keyId, organizationId }: { readonly keyId: string; readonly organizationId: string },
  log: SecurityLog | null,
): Promise<boolean> {
  const { rows: [row] } = await transaction.run({
    sql: `DELETE FROM "auth_apikey" WHERE "id" = ? AND ${OF_ORGANIZATION}
      RETURNING "reference_id", "name"`,
    args: [keyId, organizationId],
  });
  if (row === undefined) return false;
  await log?.record(transaction, {
    userId: String(row[0]),
    kind: "key",
    details: { act: "deleted", by: "organization", keyId, name: row[1] ?? null, organizationId },
    origin: null,
    notifies: false,
  });
  return true;
}
