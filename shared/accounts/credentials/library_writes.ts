/**
 * Account events behind the library's writes. Every statement of the library passes here, whatever route it comes from. An
 * event and the credentials that it ends are one transaction. A write of an unknown route has the effect of the strictest known
 * one.
 */
import { APIError } from "better-auth/api";
import { RUNTIME_CODES } from "../../contract/mod.ts";
import type { Statement, Transaction } from "../../runtime/ports.ts";
import type { EventScene } from "./credential.ts";
import { endCredentials } from "./end_credentials.ts";
import type { AccountEvent, MembershipSubject } from "./events.ts";
import * as proofs from "./prove_account.ts";

/** One call of a route of the library. */
export interface LibraryCall {
  /** Path as the library names it. */
  readonly path: string;
  /** Identifies the call: the same object throughout. */
  readonly key: object;
  /** Account whose session makes the call. Null: none is known by now. */
  readonly actor: string | null;
}

export interface LibraryWrite {
  /** The library's table, with the rows that it is about to change; null: it inserts one. */
  readonly table: string;
  readonly kind: "insert" | "update" | "delete";
  readonly values: Readonly<Record<string, unknown>>;
  /** ` WHERE …` of the rows to change or delete. */
  readonly where: Statement;
}

/** Routes whose first proof is a confirmation. On every other route it is a taking over. */
const CONFIRMING: ReadonlySet<string> = new Set(["/verify-email", "/admin/update-user"]);

/** The event of a new password by route. On any other route it is a reset. */
const NEW_PASSWORDS: Readonly<Record<string, AccountEvent & `password${string}` | null>> = {
  "/sign-up/email": null,
  "/admin/create-user": null,
  "/change-password": "passwordChange",
  "/admin/set-user-password": "passwordSet",
};

/** Effects of one call so far. */
interface Done {
  /** Rows of `auth_account` that the call has inserted. */
  readonly signIns: string[];
  /** Id of the account that the call took over. */
  tookOver: string | null;
  /** The account that was taken over, until somebody is told. */
  untold: proofs.TakenOver | null;
  /** For each user whose session the call has read: true when the session began after the proof. */
  readonly sessions: Map<unknown, boolean>;
}

export interface LibraryWrites {
  /** Runs a statement of the library together with the events that it causes. */
  run<T>(transaction: Transaction, write: LibraryWrite, run: () => Promise<T>): Promise<T>;
  /** Reports what the call has taken over, after its transaction was committed. */
  tell(): void;
  /** True for a session of an account that this call has taken over. */
  isTakingOver(userId: unknown): boolean;
  /** True when this call has taken over an account. */
  hasTakenOver(): boolean;
  /** Records a session that this call has read. */
  noteSession(session: Readonly<Record<string, unknown>>): void;
  /** False when this call has read a session of the user that began before the proof. */
  isAfterProof(userId: unknown): boolean;
}

export interface LibraryWritesOptions {
  readonly scene: (transaction: Transaction) => EventScene;
  /** Returns the call in progress; null outside of one. */
  readonly call: () => LibraryCall | null;
  /** Is called with an account that was taken over. */
  readonly onTakenOver: (taken: proofs.TakenOver) => void;
}

export function libraryWrites({ scene, call, onTakenOver }: LibraryWritesOptions): LibraryWrites {
  const calls = new WeakMap<object, Done>();
  const doneIn = (one: LibraryCall): Done => {
    const done = calls.get(one.key) ??
      { signIns: [], tookOver: null, untold: null, sessions: new Map() };
    calls.set(one.key, done);
    return done;
  };
  const takeOver = async (at: EventScene, userId: string) => {
    const one = call();
    const done = one && doneIn(one);
    const taken = await proofs.takeOverAccount(at, userId, done?.signIns ?? []);
    if (taken === null) return;
    if (done) Object.assign(done, { tookOver: userId, untold: taken });
    else onTakenOver(taken);
  };
  return {
    tell() {
      const one = call();
      const done = one && calls.get(one.key);
      if (!done?.untold) return;
      onTakenOver(done.untold);
      done.untold = null;
    },
    isTakingOver(userId) {
      const one = call();
      return one !== null && userId !== undefined && calls.get(one.key)?.tookOver === userId;
    },
    hasTakenOver() {
      const one = call();
      return one !== null && (calls.get(one.key)?.tookOver ?? null) !== null;
    },
    noteSession({ userId, afterProof }) {
      const one = call();
      if (one) doneIn(one).sessions.set(userId, afterProof === 1);
    },
    isAfterProof(userId) {
      const one = call();
      return (one && calls.get(one.key)?.sessions.get(userId)) ?? true;
    },
    async run(transaction, write, run) {
      const one = call();
      const at = { ...scene(transaction), actor: one?.actor ?? null };
      const path = one?.path ?? "";
      const changing = { path, run, takeOver, done: one && doneIn(one) };
      switch (`${write.table} ${write.kind}`) {
        case "auth_user update":
          return await changingAccounts(at, write, changing);
        case "auth_user delete":
          return await deleteAccounts(at, write, changing);
        case "auth_account insert":
        case "auth_account update":
          return await writePasswords(at, write, changing);
        case "auth_verification insert":
          return await insertVerification(at, write, changing);
        case "auth_session insert": {
          const result = await run();
          await transaction.run(stampOf(write.values["id"], path));
          return result;
        }
        case "auth_member delete":
          return await deleteMemberships(at, write, changing);
        default:
          return await run();
      }
    },
  };
}

/** Routes by which a member leaves or is removed. Nothing keeps an account that ends otherwise. */
const LEAVING: ReadonlySet<string> = new Set([
  "/organization/leave",
  "/organization/remove-member",
]);

/** Refuses with `MEMBER_REFERENCED` while rows keep one of the members. */
async function requireUnnamed(
  { members, transaction }: EventScene,
  subjects: readonly MembershipSubject[],
): Promise<void> {
  for (const subject of subjects) {
    const count = await members?.referring(transaction, subject) ?? 0;
    if (count === 0) continue;
    const { title: message } = RUNTIME_CODES.MEMBER_REFERENCED;
    throw new APIError("CONFLICT", { code: "MEMBER_REFERENCED", message, count });
  }
}

/** Routes that start a session with a second factor. */
const SECOND_FACTORS: ReadonlySet<string> = new Set([
  "/two-factor/verify-totp",
  "/two-factor/verify-backup-code",
  "/passkey/verify-authentication",
]);

/** Makes the statement that records how a new session was started. */
function stampOf(sessionId: unknown, path: string): Statement {
  return {
    sql: `UPDATE "auth_session" SET "second_factor" = ?, "after_proof" =
      (SELECT "email_verified" FROM "auth_user" WHERE "id" = "user_id") WHERE "id" = ?`,
    args: [SECOND_FACTORS.has(path) ? 1 : 0, String(sessionId)],
  };
}

interface Changing<T> {
  readonly path: string;
  readonly run: () => Promise<T>;
  readonly takeOver: (at: EventScene, userId: string) => Promise<void>;
  /** Null: no call is in progress. */
  readonly done: Done | null;
}

/** Handles writes to accounts: a proved or changed address, and a ban. */
async function changingAccounts<T>(
  at: EventScene,
  write: LibraryWrite,
  { path, run, takeOver }: Changing<T>,
): Promise<T> {
  const { emailVerified, email, banned } = write.values;
  const isProof = emailVerified === true || emailVerified === 1;
  const isBan = banned === true || banned === 1;
  if (!isProof && !isBan && email === undefined) return await run();
  const accounts = await accountsIn(at.transaction, write);
  for (const account of accounts) {
    const isAnother = email !== undefined && email !== account.email;
    if (isAnother || !isProof || account.isProved) continue;
    if (CONFIRMING.has(path)) await proofs.confirmAddress(at, account.userId);
    else await takeOver(at, account.userId);
  }
  const result = await run();
  for (const account of accounts) {
    if (email !== undefined && email !== account.email) {
      await endCredentials(at, "addressChange", account);
    }
    if (isBan) await endCredentials(at, "ban", account);
  }
  return result;
}

/** Handles deletions of accounts. */
async function deleteAccounts<T>(
  at: EventScene,
  write: LibraryWrite,
  { run }: Changing<T>,
): Promise<T> {
  const accounts = await accountsIn(at.transaction, write);
  const result = await run();
  for (const account of accounts) await endCredentials(at, "accountDeletion", account);
  return result;
}

/** Handles passwords and sign-in through providers: a new password ends credentials, and may take the account over. */
async function writePasswords<T>(
  at: EventScene,
  write: LibraryWrite,
  { path, run, takeOver, done }: Changing<T>,
): Promise<T> {
  const accounts = await newPasswordsIn(at.transaction, write);
  const result = await run();
  const { id } = write.values;
  if (done && write.kind === "insert" && typeof id === "string") {
    done.signIns.push(id);
  }
  const event = Object.hasOwn(NEW_PASSWORDS, path) ? NEW_PASSWORDS[path] : "passwordReset";
  for (const account of accounts) {
    if (event === null || event === undefined) continue;
    if (event === "passwordReset" && !account.isProved) {
      if (done) done.signIns.push(...await passwordsOf(at.transaction, account.userId));
      await takeOver(at, account.userId);
    } else {
      await endCredentials(at, event, account);
    }
  }
  return result;
}

/** Handles the taking over of an account by a proof of its address. */
async function insertVerification<T>(
  at: EventScene,
  write: LibraryWrite,
  { run, takeOver }: Changing<T>,
): Promise<T> {
  const result = await run();
  const [, userId] = /^revoke-unproven-account-access:(.+)$/.exec(
    String(write.values["identifier"]),
  ) ?? [];
  // The library would now take the account over in several steps. It finds nothing left to do.
  if (userId !== undefined) await takeOver(at, userId);
  return result;
}

/** Handles ended memberships. */
async function deleteMemberships<T>(
  at: EventScene,
  write: LibraryWrite,
  { path, run }: Changing<T>,
): Promise<T> {
  const { rows } = await at.transaction.run({
    sql: `SELECT "user_id", "organization_id" FROM "auth_member"${write.where.sql}`,
    args: write.where.args,
  });
  const subjects = rows.map(([userId, organizationId]) => ({
    userId: String(userId),
    organizationId: String(organizationId),
  }));
  if (LEAVING.has(path)) await requireUnnamed(at, subjects);
  const result = await run();
  for (const subject of subjects) await endCredentials(at, "membershipEnd", subject);
  return result;
}

async function accountsIn(
  transaction: Transaction,
  { where }: LibraryWrite,
): Promise<readonly proofs.StoredSubject[]> {
  const { rows } = await transaction.run({
    sql: `SELECT "id", "email", "email_verified" FROM "auth_user"${where.sql}`,
    args: where.args,
  });
  return rows.map(proofs.storedSubject);
}

/** Returns the accounts that get a password by this write. */
async function newPasswordsIn(
  transaction: Transaction,
  { kind, values, where }: LibraryWrite,
): Promise<readonly proofs.StoredSubject[]> {
  const { password, userId } = values;
  if (password === undefined || password === null) return [];
  if (kind === "insert") {
    const account = typeof userId === "string" ? await proofs.subjectOf(transaction, userId) : null;
    return account === null ? [] : [account];
  }
  const { rows } = await transaction.run({
    sql: `SELECT "id", "email", "email_verified" FROM "auth_user" WHERE "id" IN
      (SELECT "user_id" FROM "auth_account"${where.sql})`,
    args: where.args,
  });
  return rows.map(proofs.storedSubject);
}

async function passwordsOf(transaction: Transaction, userId: string): Promise<readonly string[]> {
  const { rows } = await transaction.run({
    sql: `SELECT "id" FROM "auth_account" WHERE "user_id" = ? AND "provider_id" = 'credential'`,
    args: [userId],
  });
  return rows.map(([id]) => String(id));
}
