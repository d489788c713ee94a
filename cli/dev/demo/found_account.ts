/** Inserts an account of the demo into the development database without the API, where people may not sign up by themselves. */
import { hashPassword } from "../../../shared/accounts/mod.ts";
import { openDatabase } from "../../../library/platform/mod.ts";

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** Inserts the account with a confirmed address. An existing account keeps its password. */
export async function foundAccount(
  databaseUrl: string,
  { email, name, password }: NewAccount,
): Promise<void> {
  const now = new Date().toISOString();
  const hash = await hashPassword(password);
  const userId = crypto.randomUUID();
  const database = await openDatabase({ url: databaseUrl });
  try {
    await database.write(async (transaction) => {
      const known = await transaction.run({
        sql: "UPDATE auth_user SET email_verified = 1 WHERE email = ? RETURNING id",
        args: [email],
      });
      if (known.rows.length > 0) return;
      await transaction.runAll([{
        sql: `INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at)
          VALUES (?, ?, ?, 1, ?, ?)`,
        args: [userId, name, email, now, now],
      }, {
        sql: `INSERT INTO auth_account (id, account_id, provider_id, user_id, password, created_at,
          updated_at) VALUES (?, ?, 'credential', ?, ?, ?, ?)`,
        args: [crypto.randomUUID(), userId, userId, hash, now, now],
      }]);
    });
  } finally {
    await database.close();
  }
}
