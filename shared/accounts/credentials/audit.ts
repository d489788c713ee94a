/** Rows of `audit_events` about accounts (definitions 7). */
import type { Transaction } from "../../runtime/ports.ts";

export async function insertAudit(
  transaction: Transaction,
  { actionName, operation, actorUserId, targetOrgId = "", targetRecordId }: {
    readonly actionName: string;
    readonly operation: string;
    /** Null: an operator acted, who has no account. */
    readonly actorUserId: string | null;
    readonly targetOrgId?: string;
    /** Id of the account that the event is about. */
    readonly targetRecordId: string;
  },
): Promise<void> {
  await transaction.run({
    sql: `INSERT INTO "audit_events" ("id", "action_name", "operation", "actor_user_id",
        "target_scope", "target_org_id", "target_record_id", "result", "created_at")
      VALUES ('aud_' || lower(hex(randomblob(16))), ?, ?, ?, ?, nullif(?, ''), ?, 'success',
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`,
    args: [
      actionName,
      operation,
      actorUserId,
      targetOrgId === "" ? "account" : "organization",
      targetOrgId,
      targetRecordId,
    ],
  });
}
