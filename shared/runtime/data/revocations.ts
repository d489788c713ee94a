/** Revoked tokens in a table of the project's database (contract 5.2; definitions 7, "revocations"). */
import { TOKEN_LIFETIME_MAX_SECONDS } from "../../contract/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { KEY_VALUES } from "../../model/mod.ts";
import type { RevocationStore } from "../layers/1-authentication/revocation.ts";
import type { Ports } from "../ports.ts";

const TABLE = sqlIdentifier(KEY_VALUES.name);
const PREFIX = "revoked:";

/**
 * Inserts a revocation with a later end than all others, whatever the clock says. So a process finds new ones after the last
 * known end. The newest one is kept even after its end.
 */
const INSERTION = `
  INSERT INTO ${TABLE} ("key", "value", "expires_at")
  VALUES (?, '1', max(?, coalesce((SELECT max("expires_at") FROM ${TABLE}), 0) + 1))
  ON CONFLICT ("key") DO UPDATE SET "expires_at" = excluded."expires_at"
  RETURNING "expires_at"`;
const PURGE = `
  DELETE FROM ${TABLE}
  WHERE "expires_at" <= ? AND "expires_at" < (SELECT max("expires_at") FROM ${TABLE})`;
const SELECTION =
  `SELECT "key", "expires_at" FROM ${TABLE} WHERE "expires_at" > ? ORDER BY "expires_at"`;

export function revocationStore(
  { database, copy, clock }: Pick<Ports, "database" | "copy" | "clock">,
): RevocationStore {
  const reader = copy ?? database;
  return {
    async after(endsAt) {
      const { rows } = await reader.run({ sql: SELECTION, args: [endsAt] });
      return rows.map(([key, expiresAt]) => ({
        tokenId: String(key).slice(PREFIX.length),
        expiresAt: Number(expiresAt),
      }));
    },
    async keep(tokenId) {
      const now = clock.now();
      // The revocation lasts as long as any token may live.
      const expiresAt = now + TOKEN_LIFETIME_MAX_SECONDS * 1000;
      const { rows: [row] } = await database.write(async (transaction) => {
        const kept = await transaction.run({ sql: INSERTION, args: [PREFIX + tokenId, expiresAt] });
        await transaction.run({ sql: PURGE, args: [now] });
        return kept;
      });
      return { tokenId, expiresAt: Number(row?.[0]) };
    },
  };
}
