/**
 * The links of account messages as rows: the digest of a token, what it does, for whom, and when it was asked for
 * (decisions/accounts.md). They stand among the account library's own values that expire, which it removes when they are over.
 */
import { sha256Hex } from "../../lib/bytes.ts";
import { isJsonObject, parsedJson } from "../../lib/json.ts";
import { type LinkedMail, linkOf, mailsAt } from "../../model/mod.ts";
import type { Database, MailedLink, Reader, SqlValue } from "../../runtime/ports.ts";

/** A link that is good now. */
export interface LinkRow {
  readonly act: LinkedMail;
  /** The account that it is for; null: there is none with this address yet. */
  readonly userId: string | null;
  /** The account's address, or whose the invitation is. */
  readonly email: string;
  readonly isProved: boolean;
  /** Time as ISO 8601. */
  readonly requestedAt: string;
  /** The address that the account is to have. */
  readonly newEmail?: string;
  readonly invitationId?: string;
  /** Of this row. */
  readonly identifier: string;
}

/** What a new link is for. */
export interface NewLink {
  readonly act: LinkedMail;
  readonly email: string;
  /** Absent: whoever has the address. */
  readonly user?: string;
  readonly newEmail?: string;
  readonly invitation?: string;
}

const PREFIX = "link:";

/** The name of a link's row, which does not tell its token. */
export async function linkIdentifier(act: LinkedMail, token: string): Promise<string> {
  return `${PREFIX}${act}:${await sha256Hex(token)}`;
}

const NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/** Keeps a link that this token opens, for as long as its kind is good for. */
export async function keepLink(
  database: Database,
  token: string,
  { act, ...about }: NewLink,
): Promise<void> {
  const identifier = await linkIdentifier(act, token);
  const { expiresIn } = linkOf(act);
  await keepValue(database, { identifier, value: JSON.stringify(about), expiresIn });
}

/** Keeps a token of the library's own that nobody is told: the service itself gives it to the library at once. */
export async function keepOwnToken(
  database: Database,
  identifier: string,
  value: string,
): Promise<void> {
  await keepValue(database, { identifier, value, expiresIn: 60 });
}

interface KeptValue {
  readonly identifier: string;
  readonly value: string;
  /** Seconds. */
  readonly expiresIn: number;
}

async function keepValue(
  database: Database,
  { identifier, value, expiresIn }: KeptValue,
): Promise<void> {
  await database.write((transaction) =>
    transaction.run({
      sql: `INSERT INTO "auth_verification"
        ("id", "identifier", "value", "expires_at", "created_at", "updated_at")
        VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?), ${NOW}, ${NOW})`,
      // Its name is as unlike any other as an id has to be.
      args: [identifier, identifier, value, `+${expiresIn} seconds`],
    })
  );
}

/** The open link of a token among these kinds; null for one that is unknown, used or expired. */
async function findLink(
  reader: Reader,
  acts: readonly LinkedMail[],
  token: string,
): Promise<LinkRow | null> {
  const args = await Promise.all(acts.map((act) => linkIdentifier(act, token)));
  const { rows: [row] } = await reader.run({
    sql: `SELECT "identifier", "value", "created_at" FROM "auth_verification"
      WHERE "identifier" IN (${acts.map(() => "?").join(", ")}) AND "expires_at" > ${NOW} LIMIT 1`,
    args,
  });
  if (row === undefined) return null;
  const [identifier, value, requestedAt] = row.map(String);
  const act = acts.find((one) => identifier?.startsWith(`${PREFIX}${one}:`));
  const about = parsedJson(value ?? "");
  if (act === undefined || identifier === undefined || !isJsonObject(about)) return null;
  const { user, newEmail, invitation } = about;
  const email = String(about["email"]).toLowerCase();
  const account = await accountOf(reader, typeof user === "string" ? { id: user } : { email });
  // The account has gone, or has another address by now.
  if (typeof user === "string" && account?.email !== email) return null;
  return {
    identifier,
    act,
    userId: account?.id ?? null,
    email,
    isProved: account?.isProved ?? false,
    requestedAt: requestedAt ?? "",
    ...(typeof newEmail === "string" ? { newEmail } : {}),
    ...(typeof invitation === "string" ? { invitationId: invitation } : {}),
  };
}

/** What the page of a link tells of it; null for one that cannot be followed any more. */
export async function describedLink(
  reader: Reader,
  path: string,
  token: string,
): Promise<MailedLink | null> {
  const link = await openLinkOf(reader, path, token);
  if (link === null) return null;
  const { act, email, userId, requestedAt, newEmail, invitationId } = link;
  const organization = invitationId && await inviterOf(reader, invitationId);
  if (organization === null) return null;
  return {
    act,
    email,
    hasAccount: userId !== null,
    requestedAt,
    ...(newEmail === undefined ? {} : { newEmail }),
    ...(organization ? { organization } : {}),
  };
}

/** The link of this path's kinds that can be followed now. */
export async function openLinkOf(
  reader: Reader,
  path: string,
  token: string,
): Promise<LinkRow | null> {
  const link = await findLink(reader, mailsAt(path), token);
  return link?.act === "verifyEmail" && link.isProved ? null : link;
}

/** Name of the organization whose invitation is open; null: it is not any more. */
async function inviterOf(reader: Reader, invitationId: string): Promise<string | null> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT "o"."name" FROM "auth_invitation" AS "i"
      JOIN "auth_organization" AS "o" ON "o"."id" = "i"."organization_id"
      WHERE "i"."id" = ? AND "i"."status" = 'pending' AND "i"."expires_at" > ${NOW}`,
    args: [invitationId],
    isSingle: true,
  });
  return row ? String(row[0]) : null;
}

async function accountOf(
  reader: Reader,
  by: { readonly id: string } | { readonly email: string },
) {
  const [column, value] = "id" in by ? ["id", by.id] : ["email", by.email];
  const { rows: [row] } = await reader.run({
    sql: `SELECT "id", "email", "email_verified" FROM "auth_user" WHERE "${column}" = ?`,
    args: [value],
    isSingle: true,
  });
  if (row === undefined) return null;
  const [id, email, isProved] = row;
  return { id: String(id), email: String(email).toLowerCase(), isProved: isProved === 1 };
}

/** A row that was taken out, to be put back. */
export type TakenLink = readonly SqlValue[];

const COLUMNS = `"id", "identifier", "value", "expires_at", "created_at", "updated_at"`;

/** Uses a link up: of two who do so at once, one is given the row, the other null. */
export async function takeLink(
  database: Database,
  { identifier }: Pick<LinkRow, "identifier">,
): Promise<TakenLink | null> {
  const sql = `DELETE FROM "auth_verification" WHERE "identifier" = ? AND "expires_at" > ${NOW}
    RETURNING ${COLUMNS}`;
  const { rows } = await database.write((transaction) =>
    transaction.run({ sql, args: [identifier] })
  );
  return rows[0] ?? null;
}

/** Makes a link good again whose act was refused. */
export async function putLinkBack(database: Database, link: TakenLink): Promise<void> {
  const sql = `INSERT INTO "auth_verification" (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`;
  await database.write((transaction) => transaction.run({ sql, args: link }));
}
