/** Runs `users list|confirm|lock|sysadmin`: manages the accounts of an API without its routes. */
import { banByOperator, confirmByOperator } from "../../shared/accounts/mod.ts";
import type { Transaction } from "../../shared/runtime/ports.ts";
import type { Arguments, Output } from "../command.ts";
import { CommandError, type ExitCode } from "../exit_codes.ts";
import { tableText } from "../table_text.ts";
import { shownAddress, targetDatabase, withDatabase } from "../target_database.ts";

interface StoredUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly verified: boolean;
  readonly role: string | null;
  readonly locked: boolean;
  /** Memberships such as `acme: owner`. */
  readonly memberships: readonly string[];
  readonly createdAt: string;
}

const LISTED = `SELECT u.id, u.email, u.name, u.email_verified, u.role, u.banned, u.created_at,
  (SELECT json_group_array(o.slug || ': ' || m.role) FROM auth_member m
    JOIN auth_organization o ON o.id = m.organization_id WHERE m.user_id = u.id)
  FROM auth_user u ORDER BY u.created_at, u.id`;

export async function listUsers(
  { positionals: [folder] }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const target = await targetDatabase(folder);
  const { rows } = await withDatabase(
    target,
    (database) => database.run({ sql: LISTED, args: [] }),
  );
  const users = rows.map((row): StoredUser => ({
    id: String(row[0]),
    email: String(row[1]),
    name: String(row[2]),
    verified: Number(row[3]) === 1,
    role: row[4] === null || row[4] === "" ? null : String(row[4]),
    locked: Number(row[5] ?? 0) === 1,
    createdAt: String(row[6]),
    memberships: JSON.parse(String(row[7])),
  }));
  output.result({ database: shownAddress(target.url), users });
  output.out(tableText([HEAD, ...users.map(cellsOf)]));
  return 0;
}

const HEAD = ["EMAIL", "ID", "NAME", "ROLE", "ORGANIZATIONS", "STATE"];

function cellsOf({ email, id, name, role, memberships, locked, verified }: StoredUser) {
  const state = [...(locked ? ["locked"] : []), ...(verified ? [] : ["unconfirmed"])];
  return [email, id, name, role ?? "-", memberships.join(", ") || "-", state.join(", ") || "-"];
}

/** Locks a user with a ban without an end, as the API's own administrators can. */
export async function lockUser(args: Arguments, output: Output): Promise<ExitCode> {
  const isLocked = !args.flags.has("undo");
  const now = new Date().toISOString();
  const user = await changeUser(args, output, async (transaction, { id }) => {
    await transaction.run({
      sql: `UPDATE auth_user SET banned = ?, ban_reason = ?, ban_expires = NULL, updated_at = ?
        WHERE id = ?`,
      args: [isLocked ? 1 : 0, isLocked ? "Locked by an operator" : null, now, id],
    });
    if (isLocked) await banByOperator(transaction, id);
  });
  output.result({ locked: isLocked });
  output.out(
    isLocked
      ? `${user} is locked: sessions and keys end now, a token that is out at its own end (15 minutes)`
      : `${user} may sign in again`,
  );
  return 0;
}

/** Confirms a user whose mail was not followed, on the operator's authority. */
export async function confirmUser(args: Arguments, output: Output): Promise<ExitCode> {
  let isNew = false;
  const user = await changeUser(args, output, async (transaction, { id }) => {
    isNew = await confirmByOperator(transaction, id);
  });
  output.result({ confirmed: true, changed: isNew });
  output.out(isNew ? `The address ${user} is confirmed` : `${user} was confirmed already`);
  return 0;
}

export async function makeSysadmin(args: Arguments, output: Output): Promise<ExitCode> {
  const isOne = !args.flags.has("undo");
  const now = new Date().toISOString();
  const user = await changeUser(args, output, async (transaction, { id, role }) => {
    await transaction.run({
      sql: "UPDATE auth_user SET role = ?, updated_at = ? WHERE id = ?",
      args: [roleWith(role, isOne), now, id],
    });
  });
  output.result({ sysadmin: isOne });
  output.out(
    isOne ? `${user} is sysadmin` : `${user} is not sysadmin, unless SYSADMIN_EMAILS names it`,
  );
  return 0;
}

const SYSADMIN = "sysadmin";

function roleWith(role: string | null, isSysadmin: boolean): string | null {
  const others = (role ?? "").split(",").map((name) => name.trim())
    .filter((name) => name !== "" && name !== SYSADMIN);
  return [...others, ...(isSysadmin ? [SYSADMIN] : [])].join(",") || null;
}

/** Changes an account and returns its address. */
async function changeUser(
  { positionals: [account = "", folder] }: Arguments,
  output: Output,
  change: (
    transaction: Transaction,
    user: { readonly id: string; readonly role: string | null },
  ) => Promise<void>,
): Promise<string> {
  const target = await targetDatabase(folder);
  const email = await withDatabase(target, (database) =>
    database.write(async (transaction) => {
      const { rows: [user] } = await transaction.run({
        sql: "SELECT id, email, role FROM auth_user WHERE id = ? OR lower(email) = lower(?)",
        args: [account, account],
      });
      if (user === undefined) {
        throw new CommandError(
          `No account in "${
            shownAddress(target.url)
          }" has the address or id "${account}"; users list shows them`,
        );
      }
      const role = user[2] === null || user[2] === undefined ? null : String(user[2]);
      await change(transaction, { id: String(user[0]), role });
      return String(user[1]);
    }));
  output.result({ database: shownAddress(target.url), account: email });
  return email;
}
