/**
 * Wrong codes of accounts (contract 7.2, docs/decisions/accounts.md). They are counted in the database for all clients and
 * instances, whether the account exists or not. A code counts before it is checked, and is uncounted if it was right, so that
 * concurrent attempts cannot exceed the limit.
 */
import { CODE_GUESSES as LIMIT } from "../../contract/mod.ts";
import { sha256Hex } from "../../lib/bytes.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { CODE_GUESSES } from "../../model/mod.ts";
import type { Database } from "../ports.ts";

const TABLE = sqlIdentifier(CODE_GUESSES.name);

/** Number of expired rows that a new row removes. */
const PRUNED_AT_ONCE = 20;

/** Counts in one statement, so that concurrent attempts are ordered. An expired window starts anew. */
const CLAIM = `INSERT INTO ${TABLE} ("id", "guesses", "started_at") VALUES (?1, 1, ?2)
  ON CONFLICT ("id") DO UPDATE SET
    "guesses" = CASE WHEN "started_at" <= ?3 THEN 1 ELSE "guesses" + 1 END,
    "started_at" = CASE WHEN "started_at" <= ?3 THEN ?2 ELSE "started_at" END
  WHERE "guesses" < ?4 OR "started_at" <= ?3`;

const PRUNE = `DELETE FROM ${TABLE} WHERE "id" IN (SELECT "id" FROM ${TABLE}
  WHERE "started_at" <= ?1 ORDER BY "started_at" LIMIT ${PRUNED_AT_ONCE})`;

export interface CodeGuess {
  /** Uncounts the code, because it was right or was not checked. */
  giveBack(): Promise<void>;
}

/** The way in and the account, with the time in milliseconds since the epoch. */
interface Guessed {
  readonly way: string;
  /** The account's lower-case address or its id. */
  readonly account: string;
  readonly now: number;
}

/** Counts a code before it is checked. Returns the seconds to wait if the way is locked. */
export async function claimCodeGuess(
  database: Database,
  { way, account, now }: Guessed,
): Promise<CodeGuess | number> {
  const id = await sha256Hex(`${way} ${account}`);
  const periodMs = LIMIT.period * 1000;
  const over = now - periodMs;
  const startedAt = await database.write(async (transaction) => {
    await transaction.run({ sql: PRUNE, args: [over] });
    const { changes } = await transaction.run({ sql: CLAIM, args: [id, now, over, LIMIT.limit] });
    const sql = `SELECT "started_at" FROM ${TABLE} WHERE "id" = ?`;
    const { rows: [row] } = await transaction.run({ sql, args: [id] });
    return { at: Number(row?.[0] ?? now), isClaimed: changes > 0 };
  });
  if (!startedAt.isClaimed) return Math.max(1, Math.ceil((startedAt.at + periodMs - now) / 1000));
  return {
    async giveBack() {
      const args = [id, startedAt.at];
      await database.write((transaction) =>
        transaction.runAll([
          {
            sql:
              `UPDATE ${TABLE} SET "guesses" = "guesses" - 1 WHERE "id" = ? AND "started_at" = ?`,
            args,
          },
          { sql: `DELETE FROM ${TABLE} WHERE "id" = ? AND "guesses" <= 0`, args: [id] },
        ])
      );
    },
  };
}
