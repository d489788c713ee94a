/** Rows of a seed that no route makes: its accounts, and the mark that it was planted (definitions 1, `seed.ts`). */
import type { SeedModel } from "../../model/mod.ts";
import { ConstraintError, type Statement, type Transaction } from "../ports.ts";

/** Table of planted seeds. A project without a seed lacks it. */
const TABLE = "__quickback_seed";

/** True for this seed. Throws where another one has been planted. */
export async function isPlanted(transaction: Transaction, hash: string): Promise<boolean> {
  await transaction.run({
    sql: `CREATE TABLE IF NOT EXISTS "${TABLE}" (hash text NOT NULL, planted_at text NOT NULL)`,
    args: [],
  });
  const { rows: [row] } = await transaction.run({ sql: `SELECT hash FROM "${TABLE}"`, args: [] });
  if (row === undefined) return false;
  if (row[0] === hash) return true;
  throw new Error(
    "Another seed was planted in this database before seed.ts was changed; begin with an empty one: dev --fresh --seed",
  );
}

export async function markPlanted(
  transaction: Transaction,
  { hash, now }: { readonly hash: string; readonly now: string },
): Promise<void> {
  await transaction.run({
    sql: `INSERT INTO "${TABLE}" (hash, planted_at) VALUES (?, ?)`,
    args: [hash, now],
  });
}

interface SeedAccounts extends Pick<SeedModel, "organizations" | "users"> {
  /** Password hashes by user id. */
  readonly passwords: ReadonlyMap<string, string>;
  /** ISO 8601. */
  readonly now: string;
}

/** Inserts users, organizations and members. Throws if one of them exists. */
export async function insertAccounts(
  transaction: Transaction,
  accounts: SeedAccounts,
): Promise<void> {
  try {
    for (const one of accountStatements(accounts)) await transaction.run(one);
  } catch (cause) {
    if (!(cause instanceof ConstraintError)) throw cause;
    throw new Error(
      "Cannot plant the seed: this database has a user or an organization with the id, address or slug of one of its own",
      { cause },
    );
  }
}

/** Parents before children. */
function accountStatements(
  { organizations, users, passwords, now }: SeedAccounts,
): readonly Statement[] {
  return [
    ...users.flatMap(({ id, name, email, userRole }): Statement[] => {
      const password = passwords.get(id);
      return [
        {
          sql:
            `INSERT INTO auth_user (id, name, email, email_verified, role, created_at, updated_at)
            VALUES (?, ?, ?, 1, ?, ?, ?)`,
          args: [id, name, email.toLowerCase(), userRole, now, now],
        },
        ...(password === undefined ? [] : [{
          sql: `INSERT INTO auth_account
            (id, account_id, provider_id, user_id, password, created_at, updated_at)
            VALUES (?, ?, 'credential', ?, ?, ?, ?)`,
          args: [`seed-${id}`, id, id, password, now, now],
        }]),
      ];
    }),
    ...organizations.flatMap(({ id, name, slug, members }): Statement[] => [
      {
        sql: "INSERT INTO auth_organization (id, name, slug, created_at) VALUES (?, ?, ?, ?)",
        args: [id, name, slug, now],
      },
      ...Object.entries(members).map(([userId, roles]) => ({
        sql: `INSERT INTO auth_member (id, organization_id, user_id, role, created_at)
          VALUES (?, ?, ?, ?, ?)`,
        args: [`seed-${id}-${userId}`, id, userId, roles.join(","), now],
      })),
    ]),
  ];
}
