/**
 * Wrong codes of accounts (contract 7.2, docs/decisions/accounts.md): counted in the database, for all clients and instances,
 * whether there is such an account or not. A code takes its place before it is looked at and gives it back when it was right,
 * so that of any number at once no more are looked at than may be wrong.
 */
import { CODE_GUESSES as LIMIT } from "../../contract/mod.ts";
import { sha256Hex } from "../../lib/bytes.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { CODE_GUESSES } from "../../model/mod.ts";
import type { Database } from "../ports.ts";

const TABLE = sqlIdentifier(CODE_GUESSES.name);

/** Of those that are over, a new row removes so many. */
const PRUNED_AT_ONCE = 20;

/** One statement: whoever comes at the same moment is counted before or after it. Over windows begin anew. */
const CLAIM = `INSERT INTO ${TABLE} ("id", "guesses", "started_at") VALUES (?1, 1, ?2)
  ON CONFLICT ("id") DO UPDATE SET
    "guesses" = CASE WHEN "started_at" <= ?3 THEN 1 ELSE "guesses" + 1 END,
    "started_at" = CASE WHEN "started_at" <= ?3 THEN ?2 ELSE "started_at" END
  WHERE "guesses" < ?4 OR "started_at" <= ?3`;

const PRUNE = `DELETE FROM ${TABLE} WHERE "id" IN (SELECT "id" FROM ${TABLE}
  WHERE "started_at" <= ?1 ORDER BY "started_at" LIMIT ${PRUNED_AT_ONCE})`;

export interface CodeGuess {
  /** Uncounts it: the code was right, or was not looked at. */
  giveBack(): Promise<void>;
}

/** Way in and account whose code is guessed, and the time in milliseconds since the epoch. */
interface Guessed {
  readonly way: string;
  /** Its address, in lower case, or its id. */
  readonly account: string;
  readonly now: number;
}

/** Counts a code before it is looked at; the seconds that are to be waited for when the way is locked. */
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
