/**
 * Identifies callers by a session cookie (contract 5.1, definitions 7 "session cookie"). One statement reads session, user and
 * memberships for every request, so that a sign-out, a ban, a changed role and a lost membership count at once in every
 * process. Only the verified signature of a cookie is cached.
 */
import { uriDecoded } from "../lib/texts.ts";
import { platformRoleIn, type Principal, projectRolesOf } from "../model/mod.ts";
import type { Reader, SqlValue } from "../runtime/ports.ts";
import { sessionCookie } from "./library_request.ts";
import { isBanned, type RoleOf, rolesIn, textOf } from "./memberships.ts";
import { signedText, signingKey } from "./previous_secret.ts";

export interface Session {
  readonly id: string;
  readonly userId: string;
  /** The user's address, in lower case. */
  readonly email: string;
  readonly name: string;
  /** Time of signing in, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly principal: Principal;
}

interface SessionRules {
  readonly reader: Reader;
  /** Public address. The cookie of an `https:` address has another name. */
  readonly baseUrl: string;
  readonly multiTenant: boolean;
  readonly roleOf: RoleOf;
  /** Secrets that may have signed a cookie. */
  readonly secrets: () => Promise<readonly string[]>;
}

/** Most characters of a cookie's value. Cookies of this service are far shorter. */
const VALUE_MAX_LENGTH = 512;
const PROOFS_MAX = 1000;

export interface SessionReader {
  /**
   * Returns the valid session of a request's cookie; null without one. It does not prolong the session: only the library's
   * answers renew a cookie.
   */
  of(headers: Headers): Promise<Session | null>;
  /** Returns the token in a request's cookie, as `SESSIONS_SQL` takes it; null: the cookie is missing or not signed by us. */
  tokenOf(headers: Headers): Promise<string | null>;
  /** Returns the valid session of a row of `SESSIONS_SQL`; null: it is over. */
  inRow(row: readonly SqlValue[]): Session | null;
}

export function sessionReader(rules: SessionRules): SessionReader {
  const { reader, baseUrl } = rules;
  const isSecure = baseUrl.startsWith("https://");
  const proven = cookieProof(rules.secrets);
  const tokenOf = async (headers: Headers) => {
    const value = sessionCookie(headers, isSecure);
    return value === null ? null : await proven(value);
  };
  return {
    tokenOf,
    inRow: (row) => sessionOf(row, rules),
    async of(headers) {
      const token = await tokenOf(headers);
      if (token === null) return null;
      const { rows: [row] } = await reader.run({ sql: SESSION_SQL, args: [token], isSingle: true });
      return row ? sessionOf(row, rules) : null;
    },
  };
}

/** Returns the text in a cookie's value if one of the secrets signed it. */
export type CookieProof = (value: string) => string | Promise<string | null>;

export function cookieProof(secrets: SessionRules["secrets"]): CookieProof {
  const proven = new Map<string, string>();
  let keys: Promise<readonly CryptoKey[]> | null = null;
  const proved = async (value: string) => {
    const text = value.length > VALUE_MAX_LENGTH ? null : uriDecoded(value);
    if (text === null) return null;
    keys ??= secrets().then((all) => Promise.all(all.map(signingKey)));
    for (const key of await keys) {
      const token = await signedText(text, "base64", key);
      if (token === null) continue;
      if (proven.size >= PROOFS_MAX) proven.clear();
      proven.set(value, token);
      return token;
    }
    return null;
  };
  return (value) => proven.get(value) ?? proved(value);
}

/**
 * Selects a session. The roles of a member are one text with commas; null: the user is no member of the session's active
 * organization.
 */
const sessionSql = (condition: string) => `
  SELECT "u"."id", "u"."email", "u"."email_verified", "u"."name", "u"."role", "u"."banned",
    "u"."ban_expires", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), "s"."created_at",
    "s"."active_organization_id",
    (SELECT group_concat("m"."role") FROM "auth_member" AS "m"
      WHERE "m"."organization_id" = "s"."active_organization_id" AND "m"."user_id" = "u"."id"),
    (SELECT "t"."id" FROM "auth_team_member" AS "m" JOIN "auth_team" AS "t" ON "t"."id" = "m"."team_id"
      WHERE "t"."id" = "s"."active_team_id" AND "m"."user_id" = "u"."id"
        AND "t"."organization_id" = "s"."active_organization_id"),
    "s"."impersonated_by", "s"."expires_at", "i"."email", "i"."email_verified", "i"."role",
    "i"."banned", "i"."ban_expires", "s"."after_proof", "s"."id", "s"."token"
  FROM "auth_session" AS "s" JOIN "auth_user" AS "u" ON "u"."id" = "s"."user_id"
    LEFT JOIN "auth_user" AS "i" ON "i"."id" = "s"."impersonated_by"
  WHERE "s"."token" ${condition} AND "s"."expires_at" >= strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

const SESSION_SQL = `${sessionSql("= ?")} LIMIT 1`;

/** Selects the sessions of all tokens in a JSON list. The last cell of a row is its token. */
export const SESSIONS_SQL = sessionSql("IN (SELECT value FROM json_each(?))");

/** Makes a session of a row. It has no organization or team that the user has left. The session of a banned user is over. */
function sessionOf(
  row: readonly SqlValue[],
  { multiTenant, roleOf }: SessionRules,
): Session | null {
  const [userId, email, emailVerified, name, role, banned, banExpires, now, startedAt] = row;
  const [activeOrganizationId, memberRoles, teamId] = row.slice(9);
  if (isBanned(banned, banExpires, textOf(now) ?? "")) return null;
  const impersonation = impersonationIn(row, roleOf);
  if (impersonation === null) return null;
  const isAfterProof = row[19] === 1;
  const own = rolesIn(roleOf({ email, emailVerified, role, isAfterProof }) ?? "")
    .filter((name) => name !== "sysadmin" || impersonation.impersonatedBy === undefined);
  const member = multiTenant && typeof memberRoles === "string" ? rolesIn(memberRoles) : null;
  const id = textOf(userId) ?? "";
  return {
    id: textOf(row[20]) ?? "",
    userId: id,
    email: (textOf(email) ?? "").toLowerCase(),
    name: textOf(name) ?? "",
    startedAt: Date.parse(textOf(startedAt) ?? ""),
    principal: {
      credential: "session",
      userId: id,
      organizationId: member === null ? null : textOf(activeOrganizationId),
      teamId: member === null ? null : textOf(teamId),
      roles: projectRolesOf(multiTenant ? member ?? [] : own),
      userRole: platformRoleIn(own),
      ...impersonation,
    },
  };
}

type Impersonation = Pick<Principal, "impersonatedBy" | "impersonatedUntil">;

/** Returns the impersonator of a session; null if that account is no longer `sysadmin`. */
function impersonationIn(row: readonly SqlValue[], roleOf: RoleOf): Impersonation | null {
  const impersonatedBy = textOf(row[12]);
  if (impersonatedBy === null) return {};
  const [expiresAt, email, emailVerified, role, banned, banExpires] = row.slice(13);
  const isOver = isBanned(banned, banExpires, textOf(row[7]) ?? "") ||
    !rolesIn(roleOf({ email, emailVerified, role, isAfterProof: true }) ?? "").includes("sysadmin");
  return isOver ? null : { impersonatedBy, impersonatedUntil: Date.parse(textOf(expiresAt) ?? "") };
}
