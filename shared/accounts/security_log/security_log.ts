/**
 * Writes the log of accounts (docs/decisions/accounts.md, "Security events"): events in the transaction of the act, and failed
 * sign-ins. A failed sign-in makes the same writes with and without an account.
 */
import type { JsonObject } from "../../lib/json.ts";
import { FAILURES_KEPT_PER_DAY, isNoticeKind, type NoticeKind } from "../../model/mod.ts";
import type { Database, RequestOrigin, SecurityEvent, Transaction } from "../../runtime/ports.ts";
import { textOf } from "../memberships.ts";

/** A notice to send after its transaction was committed. */
export interface DueNotice {
  readonly kind: NoticeKind;
  readonly to: string;
  /** Time as ISO 8601. */
  readonly at: string;
  /** Shortened address; null: unknown, or not to be shown. */
  readonly address: string | null;
  readonly device: string | null;
}

/** Minutes in which an account gets one notice of a kind. */
const QUIET_MINUTES = 10;

const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

const NEW_ID = `'sec_' || lower(hex(randomblob(16)))`;

const INSERTION = `
  INSERT INTO "qb_security_events"
    ("id", "user_id", "kind", "address", "device", "details", "noticed", "created_at")
  SELECT ${NEW_ID}, ?1, ?2, ?3, ?4, ?5, ?6 AND NOT EXISTS (
      SELECT 1 FROM "qb_security_events" WHERE "user_id" = ?1 AND "kind" = ?2 AND "noticed" = 1
        AND "created_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${QUIET_MINUTES} minutes')),
    ${NOW}
  RETURNING "id", "noticed", "created_at"`;

export interface RecordedEvent {
  readonly id: string;
  /** Null: no notice is due. */
  readonly notice: DueNotice | null;
}

/** Writes an event. `notifies` is the address for a notice; null: none is sent. */
export async function insertEvent(
  transaction: Transaction,
  { userId, kind, details, origin }: Omit<SecurityEvent, "notifies">,
  notifies: string | null,
): Promise<RecordedEvent> {
  const { address, device } = shownOrigin(origin);
  const isNotice = notifies !== null && isNoticeKind(kind);
  const { rows: [row] } = await transaction.run({
    sql: INSERTION,
    args: [userId, kind, address, device, JSON.stringify(details), isNotice ? 1 : 0],
  });
  const [id, noticed, at] = row ?? [];
  const notice = isNotice && noticed === 1
    ? { kind, to: notifies, at: String(at), address, device }
    : null;
  return { id: String(id), notice };
}

/** Returns the address of an account; null: the account is gone. */
export async function addressOf(
  transaction: Transaction,
  userId: string,
): Promise<string | null> {
  const sql = `SELECT "email" FROM "auth_user" WHERE "id" = ?`;
  const { rows: [row] } = await transaction.run({ sql, args: [userId] });
  return row ? String(row[0]) : null;
}

export async function deleteEvent(transaction: Transaction, id: string): Promise<void> {
  await transaction.run({ sql: `DELETE FROM "qb_security_events" WHERE "id" = ?`, args: [id] });
}

/** A failed sign-in: of the typed address, or of the account whose first factor was right. */
export interface FailedSignIn {
  readonly of: { readonly email: string } | { readonly userId: string };
  readonly details: JsonObject;
  readonly origin: RequestOrigin;
}

/**
 * Writes a failure as a row of the account, while there were few today. Further ones, and those without an account, are added
 * to the day's count.
 */
const FAILURE = `
  WITH "failed" AS MATERIALIZED (
    SELECT "u"."id" AS "user_id", "u"."id" IS NULL OR (
      SELECT count(*) FROM "qb_security_events" WHERE "kind" = 'sign-in-failed'
        AND "user_id" = "u"."id" AND "created_at" >= strftime('%Y-%m-%d', 'now')
    ) >= ${FAILURES_KEPT_PER_DAY} AS "is_counted"
    FROM (SELECT 1) LEFT JOIN "auth_user" AS "u" ON "u"."email" = ?1 OR "u"."id" = ?5)
  INSERT INTO "qb_security_events"
    ("id", "user_id", "kind", "address", "device", "details", "noticed", "created_at")
  SELECT iif("is_counted",
      'sec_' || strftime('%Y%m%d', 'now') || '_' || coalesce("user_id", ''), ${NEW_ID}),
    "user_id", 'sign-in-failed', iif("is_counted", NULL, ?2), iif("is_counted", NULL, ?3),
    iif("is_counted", '{"count":1}', ?4), 0, ${NOW}
  FROM "failed" WHERE true
  ON CONFLICT ("id") DO UPDATE SET
    "details" = json_object('count', json_extract("details", '$.count') + 1)`;

export async function recordFailure(
  database: Database,
  { of, details, origin }: FailedSignIn,
): Promise<void> {
  const { address, device } = shownOrigin(origin);
  const email = "email" in of ? of.email.toLowerCase() : null;
  const userId = "userId" in of ? of.userId : null;
  const args = [email, address, device, JSON.stringify(details), userId];
  await database.write((transaction) => transaction.run({ sql: FAILURE, args }));
}

/** Characters of a program's name that are kept. */
const DEVICE_MAX_LENGTH = 200;

/** Returns the parts of an origin that are kept: a network, and the program's name for itself. */
function shownOrigin(origin: RequestOrigin | null) {
  if (origin === null) return { address: null, device: null };
  const { clientIp, userAgent } = origin;
  return {
    address: clientIp && shortAddress(clientIp),
    device: userAgent && userAgent.replace(/[\p{Cc}\s]+/gu, " ").trim().slice(0, DEVICE_MAX_LENGTH),
  };
}

/** Returns the network of a client's address: /24 for IPv4, /48 for IPv6. */
export function shortAddress(clientIp: string): string {
  return clientIp.includes(":")
    ? `${clientIp.split(":").slice(0, 3).join(":")}::/48`
    : `${clientIp.split(".").slice(0, 3).join(".")}.0/24`;
}

/** Marks a sign-in as from a new device. Returns null if the account was told of another one a moment ago. */
export async function noticeSignIn(
  transaction: Transaction,
  eventId: string,
  to: string,
): Promise<DueNotice | null> {
  const { rows: [row] } = await transaction.run({
    sql:
      `UPDATE "qb_security_events" AS "e" SET "details" = json_set("details", '$.newDevice', json('true')),
        "noticed" = NOT EXISTS (SELECT 1 FROM "qb_security_events" WHERE "user_id" = "e"."user_id"
          AND "kind" = 'sign-in' AND "noticed" = 1
          AND "created_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${QUIET_MINUTES} minutes'))
      WHERE "id" = ? RETURNING "noticed", "created_at", "address", "device"`,
    args: [eventId],
  });
  if (row === undefined || row[0] !== 1) return null;
  const [, at, address, device] = row;
  return { kind: "sign-in", to, at: String(at), address: textOf(address), device: textOf(device) };
}
