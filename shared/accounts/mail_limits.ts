/**
 * How many messages go to one address, and how many invitations one account sends (decisions/accounts.md): counted in the
 * database, so that it holds over all routes and instances. A count is a row of the account library's own values that expire.
 */
import { APIError, getSessionFromCtx, isAPIError } from "better-auth/api";
import { sha256Hex } from "../lib/bytes.ts";
import type { Database } from "../runtime/ports.ts";
import type { AuthMiddlewareContext } from "./last_owner.ts";

/** Who had a message sent: anybody without a session, somebody with one, or the inviter. */
export type MailShare = "anybody" | "session" | "invitation";

/** Who has a message sent, by the request that asks for it. */
export async function shareOf(
  { isSignedIn }: { readonly isSignedIn: (headers: Headers) => Promise<boolean> },
  request: { readonly headers?: Headers | undefined } | undefined,
): Promise<MailShare> {
  const headers = request?.headers;
  return headers !== undefined && await isSignedIn(headers) ? "session" : "anybody";
}

const HOUR_SECONDS = 60 * 60;
/** Messages an hour to one address, all together and of those shares that have a limit of their own. */
const MAILS_MAX = 10;
const SHARES_MAX: Readonly<Partial<Record<MailShare, number>>> = { anybody: 8, invitation: 5 };

const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Invitations a day of one account. */
const INVITATIONS_MAX = 50;

/** Seconds in which a notice of one kind goes to an address once. Notices do not count as messages. */
const NOTICE_SECONDS = 10 * 60;

/** Counts a message to this address; false: it is not to be sent. */
export async function takeMail(
  database: Database,
  to: string,
  share: MailShare,
): Promise<boolean> {
  const limits = [
    { value: "%", max: MAILS_MAX },
    ...(SHARES_MAX[share] === undefined ? [] : [{ value: share, max: SHARES_MAX[share] }]),
  ];
  const name = `mail:${await addressDigest(to)}`;
  return await take(database, { name, value: share, seconds: HOUR_SECONDS, limits }) !== null;
}

/** The same for a notice, of which one of a kind is sent in ten minutes. */
export async function takeNotice(
  database: Database,
  to: string,
  kind: string,
): Promise<boolean> {
  const name = `notice:${kind}:${await addressDigest(to)}`;
  const limits = [{ value: "%", max: 1 }];
  return await take(database, { name, value: kind, seconds: NOTICE_SECONDS, limits }) !== null;
}

/** Of the address in lower case; nothing of it is taken away. */
function addressDigest(address: string): Promise<string> {
  return sha256Hex(address.toLowerCase());
}

interface Counted {
  readonly name: string;
  readonly value: string;
  readonly seconds: number;
  /** Counts of values like these that are not exceeded. */
  readonly limits: readonly { readonly value: string; readonly max: number }[];
}

const NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/** The id of the row that counts; null: a limit is reached. */
async function take(
  database: Database,
  { name, value, seconds, limits }: Counted,
): Promise<string | null> {
  const open = limits.map(() =>
    `(SELECT count(*) FROM "auth_verification" WHERE "identifier" = ? AND "value" LIKE ?
      AND "expires_at" > ${NOW}) < ?`
  );
  const { rows: [row] } = await database.write((transaction) =>
    transaction.run({
      sql: `INSERT INTO "auth_verification"
        ("id", "identifier", "value", "expires_at", "created_at", "updated_at")
        SELECT ? || ':' || lower(hex(randomblob(16))), ?, ?,
          strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?), ${NOW}, ${NOW}
        WHERE ${open.join(" AND ")} RETURNING "id"`,
      args: [
        name,
        name,
        value,
        `+${seconds} seconds`,
        ...limits.flatMap((limit) => [name, limit.value, limit.max]),
      ],
    })
  );
  return row ? String(row[0]) : null;
}

const INVITING = "/organization/invite-member";

/** Rows that count invitations, by their requests, until these are answered. */
export type InvitationCounts = WeakMap<Request, string>;

/** Counts an invitation before it is made. Throws the library's refusal when the account has sent too many that day. */
export async function countInvitation(
  ctx: AuthMiddlewareContext,
  database: Database,
  counts: InvitationCounts,
): Promise<void> {
  const { path, request } = ctx;
  if (path !== INVITING || request === undefined) return;
  const session = await getSessionFromCtx(ctx);
  // Without a session the route itself refuses.
  if (!session) return;
  const name = `invitations:${session.user.id}`;
  const limits = [{ value: "%", max: INVITATIONS_MAX }];
  const counted = await take(database, { name, value: "sent", seconds: DAY_SECONDS, limits });
  if (counted !== null) return void counts.set(request, counted);
  throw new APIError("TOO_MANY_REQUESTS", {
    code: "RATE_LIMITED",
    message: "Too many invitations today",
  });
}

/** Takes the count back of an invitation that was refused. */
export async function uncountInvitation(
  { path, request, context }: AuthMiddlewareContext,
  database: Database,
  counts: InvitationCounts,
): Promise<void> {
  const counted = request && counts.get(request);
  if (path !== INVITING || counted === undefined || !isAPIError(context.returned)) return;
  const sql = `DELETE FROM "auth_verification" WHERE "id" = ?`;
  await database.write((transaction) => transaction.run({ sql, args: [counted] }));
}
