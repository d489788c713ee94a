/**
 * "Not before" times of bearer tokens, by user or organization. A token is refused if it was issued before the next full second
 * after an event (docs/decisions/accounts.md, "Proofs and credentials"). Rows are kept for as long as any token may live.
 */
import { TOKEN_LIFETIME_MAX_SECONDS } from "../../contract/mod.ts";
import { tokenSubject } from "../../model/mod.ts";
import type { Transaction } from "../../runtime/ports.ts";
import type { EventScene } from "./credential.ts";
import type { AccountSubject } from "./events.ts";

/** Inserts a row. Its sequence is greater than all others', and its time later than that of the same subject's row before. */
const CUT_OFF = `
  INSERT INTO "auth_token_cutoff" ("id", "not_before", "sequence", "expires_at")
  VALUES (?1, coalesce(?2, unixepoch()) + 1,
    (SELECT coalesce(max("sequence"), 0) + 1 FROM "auth_token_cutoff"),
    1000 * (coalesce(?2, unixepoch()) + 1 + ?3))
  ON CONFLICT ("id") DO UPDATE SET "sequence" = excluded."sequence",
    "not_before" = max(excluded."not_before", "not_before" + 1),
    "expires_at" = max(excluded."expires_at", "expires_at" + 1000)`;

/** Deletes expired rows. The newest row is kept, because the next sequence follows it. */
const PRUNE = `
  DELETE FROM "auth_token_cutoff" WHERE "expires_at" <= 1000 * coalesce(?1, unixepoch())
    AND "sequence" < (SELECT max("sequence") FROM "auth_token_cutoff")`;

/** Ends the tokens of a user. */
export async function cutOffUser(scene: EventScene, { userId }: AccountSubject): Promise<number> {
  return await cutOff(scene, [tokenSubject("user", userId)]);
}

/** Ends the tokens of every organization that a user belongs to. */
export async function cutOffOrganizations(
  scene: EventScene,
  { userId }: AccountSubject,
): Promise<number> {
  const organizations = await organizationsOf(scene.transaction, userId);
  return await cutOff(scene, organizations.map((id) => tokenSubject("organization", id)));
}

async function cutOff(
  { project, transaction, seconds, onTokensEnding }: EventScene,
  subjects: readonly string[],
): Promise<number> {
  if (!project.hasTokens || subjects.length === 0) return 0;
  onTokensEnding();
  await transaction.runAll([
    ...subjects.map((subject) => ({
      sql: CUT_OFF,
      args: [subject, seconds, TOKEN_LIFETIME_MAX_SECONDS],
    })),
    { sql: PRUNE, args: [seconds] },
  ]);
  return subjects.length;
}

async function organizationsOf(transaction: Transaction, userId: string) {
  const { rows } = await transaction.run({
    sql: `SELECT DISTINCT "organization_id" FROM "auth_member" WHERE "user_id" = ?`,
    args: [userId],
  });
  return rows.map(([id]) => String(id));
}
