/**
 * Secrets of second factors, which are stored encrypted, during a change of `AUTH_SECRET` (definitions 8,
 * `AUTH_SECRET_PREVIOUS`). Each ciphertext names the secret that opens it. While both secrets are set, it is encrypted anew.
 */
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { sha256 } from "../lib/bytes.ts";
import type { Database, SqlValue } from "../runtime/ports.ts";

/** A secret of the account library with its version number. */
export interface VersionedSecret {
  readonly version: number;
  readonly value: string;
}

/** Derives a number from a secret. It is the same in every process, and reveals nothing of the secret. */
export async function versioned(value: string): Promise<VersionedSecret> {
  const { buffer } = await sha256(`quickback/accounts/version ${value}`);
  return { version: new DataView(buffer).getUint32(0) >>> 1, value };
}

/** Returns the prefix of a ciphertext, as the library writes it. */
const prefixOf = ({ version }: VersionedSecret) => `$ba$${version}$`;

const ROWS_AT_ONCE = 100;

const SELECT = `SELECT "id", "secret", "backup_codes" FROM "auth_two_factor" WHERE "id" > ?
  AND (instr("secret", ?) = 1 OR instr("backup_codes", ?) = 1) ORDER BY "id" LIMIT ${ROWS_AT_ONCE}`;

/** Updates a row unless it was changed meanwhile, since a change encrypts with the present secret anyway. */
const UPDATE = `UPDATE "auth_two_factor" SET "secret" = ?, "backup_codes" = ?
  WHERE "id" = ? AND "secret" = ? AND "backup_codes" = ?`;

/** Encrypts with the present secret what the previous one encrypted. It may run twice, and in several processes at once. */
export async function renewSecondFactors(
  database: Database,
  { present, previous }: { readonly present: VersionedSecret; readonly previous: VersionedSecret },
): Promise<void> {
  const key = {
    keys: new Map([present, previous].map(({ version, value }) => [version, value])),
    currentVersion: present.version,
  };
  const prefix = prefixOf(previous);
  const renewed = async (data: string) =>
    data.startsWith(prefix)
      ? await symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) })
      : data;
  for (let last: SqlValue = "", full = true; full;) {
    const { rows } = await database.run({ sql: SELECT, args: [last, prefix, prefix] });
    for (const [id = "", secret, codes] of rows) {
      const anew = [await renewed(String(secret)), await renewed(String(codes))];
      const args = [...anew, id, secret ?? null, codes ?? null];
      await database.write((transaction) => transaction.run({ sql: UPDATE, args }));
      last = id;
    }
    full = rows.length === ROWS_AT_ONCE;
  }
}
