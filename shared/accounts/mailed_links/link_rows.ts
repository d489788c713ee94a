/**
 * The links of account messages as rows: the digest of a token, the act, its account, and the time of the request
 * (decisions/accounts.md). They are among the account library's expiring values, which the library deletes.
 */
import { sha256Hex } from "../../lib/bytes.ts";
import { isJsonObject, parsedJson } from "../../lib/json.ts";
import { type LinkedMail, linkOf, mailsAt } from "../../model/mod.ts";
import type { Database, MailedLink, Reader, SqlValue } from "../../runtime/ports.ts";

/** A link that is valid now. */
export interface LinkRow {
  readonly act: LinkedMail;
  /** The link's account; null: no account has the address yet. */
  readonly userId: string | null;
  /** The account's address, or that of the invited person. */
  readonly email: string;
  readonly isProved: boolean;
  /** Time as ISO 8601. */
  readonly requestedAt: string;
  /** The new address that the account asked for. */
  readonly newEmail?: string;
  readonly invitationId?: string;
  /** Identifier of the row. */
  readonly identifier: string;
}

/** A link to be stored. */
export interface NewLink {
  readonly act: LinkedMail;
  readonly email: string;
  /** Absent: the link is for whoever has the address. */
  readonly user?: string;
  readonly newEmail?: string;
  readonly invitation?: string;
}

const PREFIX = "link:";

/** Returns the identifier of a link's row. It does not reveal the token. */
export async function linkIdentifier(act: LinkedMail, token: string): Promise<string> {
  return `${PREFIX}${act}:${await sha256Hex(token)}`;
}

const NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/** Stores a link that this token opens, until its kind expires. */
export async function keepLink(
  database: Database,
  token: string,
  { act, ...about }: NewLink,
): Promise<void> {
  const identifier = await linkIdentifier(act, token);
  const { expiresIn } = linkOf(act);
  await keepValue(database, { identifier, value: JSON.stringify(about), expiresIn });
}

/** Stores a token of the library's own, which the service passes to the library at once and to nobody else. */
export async function keepOwnToken(
  database: Database,
  identifier: string,
  value: string,
): Promise<void> {
  await keepValue(database, { identifier, value, expiresIn: 60 });
}

async function keepValue(
  database: Database,
  { identifier, value, expiresIn }: {
    readonly identifier: string;
    readonly value: string;
    /** Lifetime in seconds. */
    readonly expiresIn: number;
  },
): Promise<void> {
  await database.write((transaction) =>
    transaction.run({
      sql: `INSERT INTO "auth_verification"
        ("id", "identifier", "value", "expires_at", "created_at", "updated_at")
        VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?), ${NOW}, ${NOW})`,
      // The identifier serves as the id, since both are unique.
      args: [identifier, identifier, value, `+${expiresIn} seconds`],
    })
  );
}

/** Returns the open link of a token among these kinds; null if it is unknown, used or expired. */
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
  // The account is gone, or its address has changed.
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

/** Returns what a link's page shows; null if the link can no longer be followed. */
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

/** Returns the link of this path's kinds that can be followed now. */
export async function openLinkOf(
  reader: Reader,
  path: string,
  token: string,
): Promise<LinkRow | null> {
  const link = await findLink(reader, mailsAt(path), token);
  return link?.act === "verifyEmail" && link.isProved ? null : link;
}

/** Returns the name of the organization of an open invitation; null: the invitation is not open. */
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

/** A row that was deleted and may have to be restored. */
export type TakenLink = readonly SqlValue[];

const COLUMNS = `"id", "identifier", "value", "expires_at", "created_at", "updated_at"`;

/** Uses up a link. Of two callers at once one gets the row, the other null. */
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

/** Restores a link whose act was refused. */
export async function putLinkBack(database: Database, link: TakenLink): Promise<void> {
  const sql = `INSERT INTO "auth_verification" (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`;
  await database.write((transaction) => transaction.run({ sql, args: link }));
}
