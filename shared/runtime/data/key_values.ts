/** The key-value port over a table of the project's own database: what there is without another store. */
import { KEY_VALUES } from "../../model/service_tables.ts";
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import type { Clock, Database, KeyValues } from "../ports.ts";

const TABLE = sqlIdentifier(KEY_VALUES.name);

export function databaseKeyValues(database: Database, clock: Clock): KeyValues {
  return {
    async get(key) {
      const { rows: [row] } = await database.run({
        sql: `SELECT "value" FROM ${TABLE} WHERE "key" = ? AND "expires_at" > ?`,
        args: [key, clock.now()],
      });
      const value = row?.[0];
      return typeof value === "string" ? value : null;
    },
    async set(key, value, expiresAt) {
      await database.write(async (transaction) => {
        await transaction.run({
          sql: `DELETE FROM ${TABLE} WHERE "expires_at" <= ?`,
          args: [clock.now()],
        });
        await transaction.run({
          sql: `INSERT INTO ${TABLE} ("key", "value", "expires_at") VALUES (?, ?, ?)
            ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value", "expires_at" = excluded."expires_at"`,
          args: [key, value, expiresAt],
        });
      });
    },
  };
}
