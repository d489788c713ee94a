/** Statements by which an event of an account ends or narrows its credentials, by kind. */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { Statement } from "../../runtime/ports.ts";
import { ending, narrowing, statement } from "./credential.ts";
import type { EventProject } from "./event_project.ts";
import type { AccountSubject } from "./events.ts";
import { cutOffUser } from "./token_cutoffs.ts";

/** Selects the organizations that a user is still a member of. After the shared ones were left, the user is alone in these. */
export const OWN_ORGANIZATIONS = `SELECT "organization_id" FROM "auth_member" WHERE "user_id" = ?`;
export const sessionsOf = ending(({ userId }: AccountSubject) => [
  statement(
    `DELETE FROM "auth_session" WHERE "user_id" = ? OR "impersonated_by" = ?`,
    userId,
    userId,
  ),
]);
export const tokensOf = { ends: cutOffUser };
export const keysOf = ending(({ userId }: AccountSubject) => [
  statement(`DELETE FROM "auth_apikey" WHERE "reference_id" = ?`, userId),
]);
export const grantsOf = ending(({ userId }: AccountSubject, project) =>
  grantsWhere(project, `"user_id" = ?`, userId)
);

export const refreshTokensOf = ending(({ userId }: AccountSubject, project) =>
  refreshTokensWhere(project, `"user_id" = ?`, userId)
);

/** Ends the grants to applications that meet a condition. */
export function grantsWhere(project: EventProject, condition: string, ...args: readonly string[]) {
  return ofOauth(
    project,
    statement(`DELETE FROM "auth_oauth_grant" WHERE ${condition}`, ...args),
  );
}

/** Ends the refresh tokens and codes of the grants that meet a condition. */
export function refreshTokensWhere(
  project: EventProject,
  condition: string,
  ...args: readonly string[]
) {
  const grants = `SELECT "id" FROM "auth_oauth_grant" WHERE ${condition}`;
  return ofOauth(
    project,
    statement(`DELETE FROM "auth_oauth_token" WHERE "grant_id" IN (${grants})`, ...args),
  );
}

export const linksOf = ending(({ userId, email }: AccountSubject) => [
  statement(
    `DELETE FROM "auth_verification" WHERE "identifier" NOT LIKE 'trust-device-%'
      AND "identifier" NOT LIKE 'link:invitation:%' AND ("value" = ?1
      OR substr(lower("identifier"), -length(?2) - 5) = '-otp-' || lower(?2)
      OR CASE WHEN json_valid("value") THEN json_type("value") = 'object' AND (
        lower(json_extract("value", '$.email')) = lower(?2)
        OR json_extract("value", '$.user') = ?1
        OR json_extract("value", '$.link.userId') = ?1) END)`,
    userId,
    email,
  ),
]);
export const devicesOf = ending(({ userId }: AccountSubject) => [
  statement(
    `DELETE FROM "auth_verification" WHERE "identifier" LIKE 'trust-device-%' AND "value" = ?`,
    userId,
  ),
]);
export const passkeysOf = ending(({ userId }: AccountSubject, project) =>
  project.has("auth_passkey")
    ? [statement(`DELETE FROM "auth_passkey" WHERE "user_id" = ?`, userId)]
    : []
);

export const factorsOf = ending(({ userId }: AccountSubject, project) =>
  project.has("auth_two_factor")
    ? [
      statement(`DELETE FROM "auth_two_factor" WHERE "user_id" = ?`, userId),
      statement(
        `UPDATE "auth_user" SET "two_factor_enabled" = 0 WHERE "id" = ? AND "two_factor_enabled" = 1`,
        userId,
      ),
    ]
    : []
);

export const signInsOf = ending(({ userId, keptSignIns = [] }: AccountSubject) => [
  statement(
    `DELETE FROM "auth_account" WHERE "user_id" = ? AND "id" NOT IN (SELECT "value" FROM json_each(?))`,
    userId,
    JSON.stringify(keptSignIns),
  ),
]);
export const registrationsOf = ending(({ userId }: AccountSubject, { registrations }) => {
  if (registrations === null) return [];
  const [table, owner] = [registrations.table, registrations.owner].map(sqlIdentifier);
  return [statement(`DELETE FROM ${table} WHERE ${owner} = ?`, userId)];
});

/** Roles given by an address are valid in sessions that began after its proof, and in credentials made there. */
export const rolesOfAddress = narrowing(({ userId }: AccountSubject, project) => [
  statement(`UPDATE "auth_session" SET "after_proof" = 0 WHERE "user_id" = ?`, userId),
  statement(`UPDATE "auth_apikey" SET "after_proof" = 0 WHERE "reference_id" = ?`, userId),
  ...ofOauth(
    project,
    statement(`UPDATE "auth_oauth_grant" SET "after_proof" = 0 WHERE "user_id" = ?`, userId),
  ),
]);
export const invitationsBy = ending(({ userId }: AccountSubject) => [
  statement(
    `UPDATE "auth_invitation" SET "status" = 'canceled' WHERE "status" = 'pending'
          AND ("inviter_id" = ? OR "organization_id" IN (${OWN_ORGANIZATIONS}))`,
    userId,
    userId,
  ),
]);
export const endpointsOf = ending(({ userId }: AccountSubject, project) => {
  if (!project.has("webhook_endpoints")) return [];
  const disabling = `UPDATE "webhook_endpoints" SET "enabled" = 0 WHERE "enabled" = 1 AND`;
  const own = statement(`${disabling} "user_id" = ?`, userId);
  const inOrganizations = project.isDivided
    // Endpoints are in the organizations' own databases. A mark disables them at their next use, and a worker removes them
    // soon.
    ? `UPDATE "tenant_databases" SET "endpoints_over" = lower(hex(randomblob(16))),
        "work_at" = 1000 * unixepoch() WHERE "status" <> 'deleted' AND`
    : disabling;
  return [own, statement(`${inOrganizations} "organization_id" IN (${OWN_ORGANIZATIONS})`, userId)];
});

/** Returns the statement for projects with an authorization server, and none for others. */
function ofOauth(project: EventProject, one: Statement): readonly Statement[] {
  return project.has("auth_oauth_grant") ? [one] : [];
}
