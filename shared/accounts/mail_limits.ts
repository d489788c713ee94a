/**
 * Limits on messages to one address and on invitations of one account (decisions/accounts.md). They are counted in the
 * database, across all routes and instances, as rows of the account library's expiring values.
 */
import { APIError, getSessionFromCtx, isAPIError } from "better-auth/api";
import { sha256Hex } from "../lib/bytes.ts";
import type { Database } from "../runtime/ports.ts";
import type { AuthMiddlewareContext } from "./last_owner.ts";

/** Origin of a message: a request without a session, one with a session, or an inviter. */
export type MailShare = "anybody" | "session" | "invitation";

/** Returns the share that a request's message counts for. */
export async function shareOf(
  { isSignedIn }: { readonly isSignedIn: (headers: Headers) => Promise<boolean> },
  request: { readonly headers?: Headers | undefined } | undefined,
): Promise<MailShare> {
  const headers = request?.headers;
  return headers !== undefined && await isSignedIn(headers) ? "session" : "anybody";
}

const HOUR_SECONDS = 60 * 60;
/** Messages an hour to one address: in all, and by share. */
const MAILS_MAX = 10;
const SHARES_MAX: Readonly<Partial<Record<MailShare, number>>> = { anybody: 8, invitation: 5 };

const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Invitations that one account may send in a day. */
const INVITATIONS_MAX = 50;

/** Seconds within which an address gets one notice of a kind. Notices do not count as messages. */
const NOTICE_SECONDS = 10 * 60;

/** Counts a message to this address. Returns false if it must not be sent. */
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

/** Counts a notice. Returns false if one of its kind was sent within ten minutes. */
export async function takeNotice(
  database: Database,
  to: string,
  kind: string,
): Promise<boolean> {
  const name = `notice:${kind}:${await addressDigest(to)}`;
  const limits = [{ value: "%", max: 1 }];
  return await take(database, { name, value: kind, seconds: NOTICE_SECONDS, limits }) !== null;
}

/** Returns a digest of the lower-case address. No part of the address is stripped. */
function addressDigest(address: string): Promise<string> {
  return sha256Hex(address.toLowerCase());
}

const NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/** Counts, and returns the id of the counting row; null: a limit is reached. */
async function take(
  database: Database,
  { name, value, seconds, limits }: {
    readonly name: string;
    readonly value: string;
    readonly seconds: number;
    /** Values to count, each with its limit. */
    readonly limits: readonly { readonly value: string; readonly max: number }[];
  },
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

/** Counting rows of invitations by request, until the request is answered. */
export type InvitationCounts = WeakMap<Request, string>;

/** Counts an invitation before it is made. Throws the library's refusal if the account has sent too many that day. */
export async function countInvitation(
  ctx: AuthMiddlewareContext,
  database: Database,
  counts: InvitationCounts,
): Promise<void> {
  const { path, request } = ctx;
  if (path !== INVITING || request === undefined) return;
  const session = await getSessionFromCtx(ctx);
  // The route itself refuses a request without a session.
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

/** Removes the count of an invitation that was refused. */
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
