/** "Not before" of tokens, as the accounts' table has it (docs/decisions/accounts.md, "Proofs and credentials"). */
import { jsonList } from "./sql.ts";
import type { TokenCutoff } from "../layers/1-authentication/token_cutoffs.ts";
import type { Reader } from "../ports.ts";

/** Those after one that is known, the oldest first. */
export async function cutoffsAfter(
  reader: Reader,
  sequence: number,
): Promise<readonly TokenCutoff[]> {
  const { rows } = await reader.run({
    sql: `SELECT "id", "not_before", "sequence", "expires_at" FROM "auth_token_cutoff"
      WHERE "sequence" > ? ORDER BY "sequence"`,
    args: [sequence],
  });
  return rows.map(([subject, notBefore, order, expiresAt]) => ({
    subject: String(subject),
    notBefore: Number(notBefore),
    sequence: Number(order),
    expiresAt: Number(expiresAt),
  }));
}

/** The smallest `iat`, in seconds, that is good for all of these subjects. */
export async function notBeforeOf(
  reader: Reader,
  subjects: readonly string[],
): Promise<number> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT max("not_before") FROM "auth_token_cutoff"
      WHERE "id" IN (SELECT value FROM json_each(?))`,
    args: [jsonList(subjects)],
  });
  return Number(row?.[0] ?? 0);
}
