/**
 * The first proof of an account's address (docs/decisions/accounts.md, "Proofs and credentials"). A proof in a session of the
 * account or with its password confirms. Any other proof takes over: all that was made before it ends. Neither changes an
 * account whose address is proved.
 */
import type { Transaction } from "../../runtime/ports.ts";
import { insertAudit } from "./audit.ts";
import type { EventScene } from "./credential.ts";
import { endCredentials, type Ended } from "./end_credentials.ts";

/** An account as events know it. */
export interface StoredSubject {
  readonly userId: string;
  readonly email: string;
  readonly isProved: boolean;
}

/** Returns null when there is no such account. */
export async function subjectOf(
  transaction: Transaction,
  userId: string,
): Promise<StoredSubject | null> {
  const { rows: [row] } = await transaction.run({
    sql: `SELECT "id", "email", "email_verified" FROM "auth_user" WHERE "id" = ?`,
    args: [userId],
  });
  return row ? storedSubject(row) : null;
}

export function storedSubject([userId, email, verified]: readonly unknown[]): StoredSubject {
  return { userId: String(userId), email: String(email), isProved: verified === 1 };
}

/** An account that was taken over, with all that ended. */
export interface TakenOver {
  readonly userId: string;
  readonly email: string;
  readonly ended: Ended;
}

/** Confirms the address of an account for somebody with its session or password. Returns false if it was proved already. */
export async function confirmAddress(scene: EventScene, userId: string): Promise<boolean> {
  const subject = await subjectOf(scene.transaction, userId);
  if (subject === null || subject.isProved) return false;
  await markProved(scene, userId);
  await endCredentials(scene, "confirmation", subject);
  await audit(scene, "confirmAddress", "confirm", userId);
  return true;
}

/**
 * Ends all that was made before the proof, and marks the address as proved. Returns null if it was proved already.
 * `keptSignIns` are rows of `auth_account` that the proof itself made.
 */
export async function takeOverAccount(
  scene: EventScene,
  userId: string,
  keptSignIns: readonly string[] = [],
): Promise<TakenOver | null> {
  const subject = await subjectOf(scene.transaction, userId);
  if (subject === null || subject.isProved) return null;
  const { email } = subject;
  await markProved(scene, userId);
  const ended = await endCredentials(scene, "takeOver", { userId, email, keptSignIns });
  await audit(scene, "takeOverAccount", "takeOver", userId);
  return { userId, email, ended };
}

async function markProved({ transaction }: EventScene, userId: string): Promise<void> {
  await transaction.run({
    sql: `UPDATE "auth_user" SET "email_verified" = 1,
      "updated_at" = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE "id" = ?`,
    args: [userId],
  });
}

async function audit(
  { transaction }: EventScene,
  actionName: string,
  operation: string,
  userId: string,
): Promise<void> {
  await insertAudit(transaction, {
    actionName,
    operation,
    actorUserId: userId,
    targetRecordId: userId,
  });
}
