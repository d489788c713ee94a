/** Reads and writes `qb_member_releases`: releases of accounts that one transaction could not finish (definitions 3). */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { MEMBER_RELEASES } from "../../model/mod.ts";
import type { Reader, ReleasedMember, Transaction } from "../ports.ts";

const TABLE = sqlIdentifier(MEMBER_RELEASES.name);

/** Release that a worker continues. */
export interface WaitingRelease extends ReleasedMember {
  readonly id: string;
}

/** Inserts a release, in the transaction that began it. */
export async function insertRelease(
  transaction: Transaction,
  { userId, organizationId, isGone, by }: ReleasedMember,
  now: string,
): Promise<void> {
  await transaction.run({
    sql: `INSERT INTO ${TABLE}
      ("id", "user_id", "organization_id", "is_gone", "by_user_id", "created_at")
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT ("id") DO UPDATE SET "is_gone" = max("is_gone", excluded."is_gone")`,
    args: [
      JSON.stringify([userId, organizationId]),
      userId,
      organizationId,
      Number(isGone),
      by,
      now,
    ],
  });
}

/** Returns the oldest release; null if there is none. */
export async function selectRelease(reader: Reader): Promise<WaitingRelease | null> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT "id", "user_id", "organization_id", "is_gone", "by_user_id" FROM ${TABLE}
      ORDER BY "created_at", "id" LIMIT 1`,
    args: [],
  });
  if (!row) return null;
  const [id, userId, organizationId = null, isGone, by = null] = row;
  return {
    id: String(id),
    userId: String(userId),
    organizationId: organizationId === null ? null : String(organizationId),
    isGone: isGone === 1,
    by: by === null ? null : String(by),
  };
}

export async function deleteRelease(transaction: Transaction, id: string): Promise<void> {
  await transaction.run({ sql: `DELETE FROM ${TABLE} WHERE "id" = ?`, args: [id] });
}
