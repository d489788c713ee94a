/** Clients of the authorization server, the grants of users, and their secrets (contract 5.1). Times are ISO texts. */
import type { Reader, RequestOrigin, SecurityLog, SqlValue, Transaction } from "../ports.ts";

export interface OauthClient {
  readonly id: string;
  /** Name that the client gave; null: none. */
  readonly name: string | null;
  readonly redirectUris: readonly string[];
}

export interface NewClient extends OauthClient {
  readonly ipAddress: string | null;
  readonly createdAt: string;
}

export interface NewGrant {
  readonly id: string;
  /** Id of the session that makes the grant. */
  readonly sessionId: string;
  /** True when the grant carries its user's platform role. */
  readonly platformRole: boolean;
  readonly clientId: string;
  readonly userId: string;
  readonly organizationId: string | null;
  /** Scopes separated by spaces. */
  readonly scope: string;
  readonly resource: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface NewSecret {
  /** Digest of the secret. */
  readonly id: string;
  readonly kind: "code" | "refresh";
  readonly grantId: string;
  readonly expiresAt: string;
  /** Redirect URI of a code. */
  readonly redirectUri?: string;
  readonly codeChallenge?: string;
}

/** A code or refresh token with its grant. */
export interface StoredSecret {
  readonly grantId: string;
  readonly redirectUri: string | null;
  readonly codeChallenge: string | null;
  readonly expiresAt: string;
  readonly isUsed: boolean;
  readonly clientId: string;
  readonly userId: string;
  readonly scope: string;
  readonly resource: string;
  /** True when the user is banned, or no longer a member of the grant's organization. */
  readonly isOver: boolean;
}

/** Condition of a live client. Without grants and unused for this long, it counts as gone. */
const IS_LIVE = `(coalesce("c"."used_at", "c"."created_at") > ? OR EXISTS
  (SELECT 1 FROM "auth_oauth_grant" AS "g" WHERE "g"."client_id" = "c"."id"))`;

/** Returns a client; null: it is not registered, or has been unused for too long. */
export async function clientOf(
  reader: Reader,
  { clientId, unusedSince }: { readonly clientId: string; readonly unusedSince: string },
): Promise<OauthClient | null> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT "c"."id", "c"."name", "c"."redirect_uris" FROM "auth_oauth_client" AS "c"
      WHERE "c"."id" = ? AND ${IS_LIVE}`,
    args: [clientId, unusedSince],
  });
  if (!row) return null;
  const [id, name, uris] = row;
  const parsed: unknown = JSON.parse(text(uris));
  const redirectUris = Array.isArray(parsed) ? parsed.filter((uri) => typeof uri === "string") : [];
  return { id: text(id), name: typeof name === "string" ? name : null, redirectUris };
}

/** Returns the number of clients registered from an address since then. */
export async function registeredSince(
  reader: Reader,
  { ipAddress, since }: { readonly ipAddress: string | null; readonly since: string },
): Promise<number> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT count(*) FROM "auth_oauth_client" WHERE "ip_address" IS ? AND "created_at" > ?`,
    args: [ipAddress, since],
  });
  return Number(row?.[0] ?? 0);
}

export async function insertClient(transaction: Transaction, client: NewClient): Promise<void> {
  const { id, name, redirectUris, ipAddress, createdAt } = client;
  await transaction.run({
    sql: `INSERT INTO "auth_oauth_client"
      ("id", "name", "redirect_uris", "ip_address", "created_at") VALUES (?, ?, ?, ?, ?)`,
    args: [id, name, JSON.stringify(redirectUris), ipAddress, createdAt],
  });
}

/** Most clients removed at a time, because a request waits for it. */
const PRUNED_MAX = 500;

/** Removes expired secrets and grants, and unused clients. */
export async function pruneOauth(
  transaction: Transaction,
  { now, unusedSince }: { readonly now: string; readonly unusedSince: string },
): Promise<void> {
  await transaction.runAll([
    { sql: `DELETE FROM "auth_oauth_token" WHERE "expires_at" <= ?`, args: [now] },
    { sql: `DELETE FROM "auth_oauth_grant" WHERE "expires_at" <= ?`, args: [now] },
    {
      sql: `DELETE FROM "auth_oauth_client" WHERE "id" IN
        (SELECT "c"."id" FROM "auth_oauth_client" AS "c" WHERE "c"."created_at" <= ?
          AND NOT ${IS_LIVE} LIMIT ${PRUNED_MAX})`,
      args: [unusedSince, unusedSince],
    },
  ]);
}

export interface OrganizationName {
  readonly id: string;
  readonly name: string;
}

/** Returns a user's organizations by name. */
export async function organizationsOf(
  reader: Reader,
  userId: string,
): Promise<readonly OrganizationName[]> {
  const { rows } = await reader.run({
    sql: `SELECT DISTINCT "o"."id", "o"."name" FROM "auth_member" AS "m"
      JOIN "auth_organization" AS "o" ON "o"."id" = "m"."organization_id"
      WHERE "m"."user_id" = ? ORDER BY "o"."name", "o"."id"`,
    args: [userId],
  });
  return rows.map(([id, name]) => ({ id: text(id), name: text(name) }));
}

/** Stores a grant and its code. Returns false, and stores nothing, if the session has ended meanwhile. */
export async function insertGrant(
  transaction: Transaction,
  grant: NewGrant,
  code: NewSecret,
): Promise<boolean> {
  const { id, clientId, userId, organizationId, scope, resource, createdAt, expiresAt } = grant;
  const { changes } = await transaction.run({
    sql: `INSERT INTO "auth_oauth_grant" ("id", "client_id", "user_id", "organization_id", "scope",
        "resource", "created_at", "expires_at", "platform_role", "after_proof")
      SELECT ?, ?, "user_id", ?, ?, ?, ?, ?, ?, "after_proof" FROM "auth_session"
      WHERE "id" = ? AND "user_id" = ?`,
    args: [
      id,
      clientId,
      organizationId,
      scope,
      resource,
      createdAt,
      expiresAt,
      grant.platformRole ? 1 : 0,
      grant.sessionId,
      userId,
    ],
  });
  if (changes === 0) return false;
  await transaction.run({
    sql: `UPDATE "auth_oauth_client" SET "used_at" = ? WHERE "id" = ?`,
    args: [createdAt, clientId],
  });
  await insertSecret(transaction, code);
  return true;
}

async function insertSecret(transaction: Transaction, secret: NewSecret): Promise<void> {
  const { id, kind, grantId, redirectUri = null, codeChallenge = null, expiresAt } = secret;
  await transaction.run({
    sql: `INSERT INTO "auth_oauth_token"
      ("id", "kind", "grant_id", "redirect_uri", "code_challenge", "expires_at")
      VALUES (?, ?, ?, ?, ?, ?)`,
    args: [id, kind, grantId, redirectUri, codeChallenge, expiresAt],
  });
}

const IS_BANNED = `coalesce("u"."banned", 0) <> 0 AND
  ("u"."ban_expires" IS NULL OR "u"."ban_expires" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`;

const HAS_LEFT =
  `"g"."organization_id" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "auth_member" AS "m"
  WHERE "m"."user_id" = "g"."user_id" AND "m"."organization_id" = "g"."organization_id")`;

/** Returns a secret by its digest; null: there is none of this kind. */
export async function secretOf(
  reader: Reader,
  { id, kind }: Pick<NewSecret, "id" | "kind">,
): Promise<StoredSecret | null> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT "t"."grant_id", "t"."redirect_uri", "t"."code_challenge", "t"."expires_at",
        "t"."used_at", "g"."client_id", "g"."user_id", "g"."scope", "g"."resource",
        (${IS_BANNED}) OR (${HAS_LEFT})
      FROM "auth_oauth_token" AS "t"
      JOIN "auth_oauth_grant" AS "g" ON "g"."id" = "t"."grant_id"
      JOIN "auth_user" AS "u" ON "u"."id" = "g"."user_id"
      WHERE "t"."id" = ? AND "t"."kind" = ?`,
    args: [id, kind],
  });
  if (!row) return null;
  const [grantId, redirectUri, codeChallenge, expiresAt, usedAt, clientId, userId] = row;
  const [scope, resource, isOver] = row.slice(7);
  return {
    grantId: text(grantId),
    redirectUri: typeof redirectUri === "string" ? redirectUri : null,
    codeChallenge: typeof codeChallenge === "string" ? codeChallenge : null,
    expiresAt: text(expiresAt),
    isUsed: usedAt !== null,
    clientId: text(clientId),
    userId: text(userId),
    scope: text(scope),
    resource: text(resource),
    isOver: isOver !== 0,
  };
}

/** Uses up a secret and stores the grant's next refresh token. */
export async function rotateSecret(
  transaction: Transaction,
  { used, next, now }: {
    readonly used: string;
    readonly next: NewSecret;
    readonly now: string;
  },
): Promise<void> {
  await transaction.run({
    sql: `UPDATE "auth_oauth_token" SET "used_at" = ? WHERE "id" = ?`,
    args: [now, used],
  });
  await insertSecret(transaction, next);
  await transaction.run({
    sql: `UPDATE "auth_oauth_grant" SET "used_at" = ?, "expires_at" = ? WHERE "id" = ?`,
    args: [now, next.expiresAt, next.grantId],
  });
}

/** The end of a grant for the log of its account. */
export interface GrantEnd {
  /** Null: it is not logged. */
  readonly log: SecurityLog | null;
  readonly by: "account" | "organization" | "client" | "reuse";
  /** Null: somebody other than the account ends it. */
  readonly origin: RequestOrigin | null;
}

/** Deletes a grant with all its secrets. */
export async function deleteGrant(
  transaction: Transaction,
  grantId: string,
  { log, by, origin }: GrantEnd,
): Promise<void> {
  const { rows: [row] } = await transaction.run({
    sql: `SELECT "user_id", "client_id" FROM "auth_oauth_grant" WHERE "id" = ?`,
    args: [grantId],
  });
  if (row) {
    await log?.record(transaction, {
      userId: text(row[0]),
      kind: "grant",
      details: { act: "ended", by, grantId, clientId: text(row[1]) },
      origin,
      notifies: false,
    });
  }
  await transaction.runAll([
    { sql: `DELETE FROM "auth_oauth_token" WHERE "grant_id" = ?`, args: [grantId] },
    { sql: `DELETE FROM "auth_oauth_grant" WHERE "id" = ?`, args: [grantId] },
  ]);
}

/** The owner of grants: a user, or an organization. */
export type GrantsOwner =
  | { readonly userId: string }
  | { readonly organizationId: string };

function ownedBy(owner: GrantsOwner): { readonly sql: string; readonly args: readonly SqlValue[] } {
  return "userId" in owner
    ? { sql: `"g"."user_id" = ?`, args: [owner.userId] }
    : { sql: `"g"."organization_id" = ?`, args: [owner.organizationId] };
}

/** Returns valid grants as JSON, the newest first. */
export async function grantsIn(
  reader: Reader,
  owner: GrantsOwner,
  now: string,
): Promise<readonly object[]> {
  const { sql, args } = ownedBy(owner);
  const { rows } = await reader.run({
    sql: `SELECT "g"."id", "c"."id", "c"."name", "g"."user_id", "g"."organization_id", "g"."scope",
        "g"."created_at", "g"."used_at", "g"."expires_at"
      FROM "auth_oauth_grant" AS "g" JOIN "auth_oauth_client" AS "c" ON "c"."id" = "g"."client_id"
      WHERE ${sql} AND "g"."expires_at" > ? ORDER BY "g"."created_at" DESC, "g"."id"`,
    args: [...args, now],
  });
  return rows.map((row) => {
    const [id, clientId, clientName, userId, organizationId, scope] = row;
    const [createdAt, usedAt, expiresAt] = row.slice(6);
    return {
      id,
      clientId,
      clientName: clientName ?? null,
      userId,
      organizationId: organizationId ?? null,
      scopes: text(scope).split(" "),
      createdAt,
      lastUsedAt: usedAt ?? null,
      expiresAt,
    };
  });
}

/** Withdraws a grant. Returns false if the owner has none with this id. */
export async function withdrawGrant(
  transaction: Transaction,
  owner: GrantsOwner,
  grantId: string,
  end: GrantEnd,
): Promise<boolean> {
  const { sql, args } = ownedBy(owner);
  const { rows } = await transaction.run({
    sql: `SELECT "g"."id" FROM "auth_oauth_grant" AS "g" WHERE "g"."id" = ? AND ${sql}`,
    args: [grantId, ...args],
  });
  if (rows.length === 0) return false;
  await deleteGrant(transaction, grantId, end);
  return true;
}

function text(value: SqlValue | undefined): string {
  return typeof value === "string" ? value : "";
}
