/**
 * Every kind of credential, and what each event does to it (docs/decisions/accounts.md, "Proofs and credentials"). This is the
 * only such list. A kind that omits an event does not type-check. An event runs these records in this order, in one
 * transaction.
 */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { Statement } from "../../runtime/ports.ts";
import { type Credential, ending, narrowing, statement } from "./credential.ts";
import type { EventProject } from "./event_project.ts";
import type { AccountSubject, MembershipSubject, OrganizationSubject } from "./events.ts";
import { leaveOrganizations, leaveSharedOrganizations } from "./leave_organizations.ts";
import { cutOffOrganizations, cutOffUser } from "./token_cutoffs.ts";

export type CredentialKind =
  | "membership"
  | "invitation"
  | "signIn"
  | "session"
  | "bearerToken"
  | "scopeToken"
  | "apiKey"
  | "refreshToken"
  | "oauthGrant"
  | "passkey"
  | "secondFactor"
  | "trustedDevice"
  | "pushRegistration"
  | "openLink"
  | "platformRole"
  | "webhookEndpoint";

/** Selects the organizations that a user is still a member of. After the shared ones were left, the user is alone in these. */
const OWN_ORGANIZATIONS = `SELECT "organization_id" FROM "auth_member" WHERE "user_id" = ?`;

const KEY_ORGANIZATION = `json_extract("permissions", '$.organization[0]')`;

const sessionsOf = ending(({ userId }: AccountSubject) => [
  statement(
    `DELETE FROM "auth_session" WHERE "user_id" = ? OR "impersonated_by" = ?`,
    userId,
    userId,
  ),
]);

const tokensOf = { ends: cutOffUser };

const keysOf = ending(({ userId }: AccountSubject) => [
  statement(`DELETE FROM "auth_apikey" WHERE "reference_id" = ?`, userId),
]);

const grantsOf = ending(({ userId }: AccountSubject, project) =>
  ofOauth(project, statement(`DELETE FROM "auth_oauth_grant" WHERE "user_id" = ?`, userId))
);

const refreshTokensOf = ending(({ userId }: AccountSubject, project) =>
  ofOauth(
    project,
    statement(
      `DELETE FROM "auth_oauth_token" WHERE "grant_id" IN
        (SELECT "id" FROM "auth_oauth_grant" WHERE "user_id" = ?)`,
      userId,
    ),
  )
);

const linksOf = ending(({ userId, email }: AccountSubject) => [
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

const devicesOf = ending(({ userId }: AccountSubject) => [
  statement(
    `DELETE FROM "auth_verification" WHERE "identifier" LIKE 'trust-device-%' AND "value" = ?`,
    userId,
  ),
]);

const passkeysOf = ending(({ userId }: AccountSubject, project) =>
  project.has("auth_passkey")
    ? [statement(`DELETE FROM "auth_passkey" WHERE "user_id" = ?`, userId)]
    : []
);

const factorsOf = ending(({ userId }: AccountSubject, project) =>
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

const signInsOf = ending(({ userId, keptSignIns = [] }: AccountSubject) => [
  statement(
    `DELETE FROM "auth_account" WHERE "user_id" = ? AND "id" NOT IN (SELECT "value" FROM json_each(?))`,
    userId,
    JSON.stringify(keptSignIns),
  ),
]);

const registrationsOf = ending(({ userId }: AccountSubject, { registrations }) => {
  if (registrations === null) return [];
  const [table, owner] = [registrations.table, registrations.owner].map(sqlIdentifier);
  return [statement(`DELETE FROM ${table} WHERE ${owner} = ?`, userId)];
});

/** Roles given by an address are valid in sessions that began after its proof, and in credentials made there. */
const rolesOfAddress = narrowing(({ userId }: AccountSubject, project) => [
  statement(`UPDATE "auth_session" SET "after_proof" = 0 WHERE "user_id" = ?`, userId),
  statement(`UPDATE "auth_apikey" SET "after_proof" = 0 WHERE "reference_id" = ?`, userId),
  ...ofOauth(
    project,
    statement(`UPDATE "auth_oauth_grant" SET "after_proof" = 0 WHERE "user_id" = ?`, userId),
  ),
]);

const invitationsBy = ending(({ userId }: AccountSubject) => [
  statement(
    `UPDATE "auth_invitation" SET "status" = 'canceled' WHERE "status" = 'pending'
          AND ("inviter_id" = ? OR "organization_id" IN (${OWN_ORGANIZATIONS}))`,
    userId,
    userId,
  ),
]);

const endpointsOf = ending(({ userId }: AccountSubject, project) => {
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

const ACCOUNT_MAKER = "session of the account";

/**
 * By kind, in the order in which they end. Memberships are first, because later records ask which organizations the user is
 * alone in.
 */
export const CREDENTIALS: Readonly<Record<CredentialKind, Credential>> = {
  membership: {
    name: "memberships of organizations with others",
    madeAt: "auth_member.created_at",
    madeBy: "founding, or an invitation that was accepted",
    on: {
      takeOver: { ends: leaveSharedOrganizations },
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: ending(({ userId, organizationId }: MembershipSubject) => [
        statement(
          `DELETE FROM "auth_team_member" WHERE "user_id" = ? AND "team_id" IN
            (SELECT "id" FROM "auth_team" WHERE "organization_id" = ?)`,
          userId,
          organizationId,
        ),
        statement(
          `DELETE FROM "auth_member" WHERE "user_id" = ? AND "organization_id" = ?`,
          userId,
          organizationId,
        ),
      ]),
      organizationDeletion: ending(({ organizationId }: OrganizationSubject) => [
        statement(
          `DELETE FROM "auth_team_member" WHERE "team_id" IN
            (SELECT "id" FROM "auth_team" WHERE "organization_id" = ?)`,
          organizationId,
        ),
        statement(`DELETE FROM "auth_team" WHERE "organization_id" = ?`, organizationId),
        statement(`DELETE FROM "auth_member" WHERE "organization_id" = ?`, organizationId),
      ]),
      accountDeletion: {
        ends: ({ transaction }, { userId }) => leaveOrganizations(transaction, userId),
      },
    },
  },
  invitation: {
    name: "invitations that were sent",
    madeAt: "auth_invitation.created_at",
    madeBy: "session of an `owner` or `admin`",
    on: {
      takeOver: invitationsBy,
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: "stays",
      ban: "stays",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: ending(({ organizationId }: OrganizationSubject) => [
        statement(
          `DELETE FROM "auth_verification" WHERE "identifier" LIKE 'link:invitation:%'
            AND json_extract("value", '$.invitation') IN
              (SELECT "id" FROM "auth_invitation" WHERE "organization_id" = ?)`,
          organizationId,
        ),
        statement(`DELETE FROM "auth_invitation" WHERE "organization_id" = ?`, organizationId),
      ]),
      accountDeletion: invitationsBy,
    },
  },
  signIn: {
    name: "the password and sign-in through providers",
    madeAt: "auth_account.created_at",
    madeBy: "signing up, a mailed link, a provider",
    on: {
      takeOver: signInsOf,
      confirmation: "stays",
      passwordChange: "itself",
      passwordReset: "itself",
      passwordSet: "itself",
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: signInsOf,
    },
  },
  session: {
    name: "sessions",
    madeAt: "auth_session.created_at",
    madeBy: "signing in",
    on: {
      takeOver: sessionsOf,
      confirmation: "stays",
      // Other sessions end only if the request has `revokeOtherSessions`.
      passwordChange: "stays",
      passwordReset: sessionsOf,
      passwordSet: sessionsOf,
      addressChange: "stays",
      ban: sessionsOf,
      signOut: "itself",
      membershipEnd: narrowing(({ userId, organizationId }: MembershipSubject) => [
        statement(
          `UPDATE "auth_session" SET "active_organization_id" = NULL, "active_team_id" = NULL
            WHERE "user_id" = ? AND "active_organization_id" = ?`,
          userId,
          organizationId,
        ),
      ]),
      organizationDeletion: narrowing(({ organizationId }: OrganizationSubject) => [
        statement(
          `UPDATE "auth_session" SET "active_organization_id" = NULL, "active_team_id" = NULL
            WHERE "active_organization_id" = ?`,
          organizationId,
        ),
      ]),
      accountDeletion: sessionsOf,
    },
  },
  bearerToken: {
    name: "bearer tokens",
    madeAt: null,
    madeBy: ACCOUNT_MAKER,
    on: {
      takeOver: tokensOf,
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: tokensOf,
      passwordSet: tokensOf,
      addressChange: "stays",
      // Tokens carry their claims until they expire (definitions 7, "JWT").
      ban: "stays",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "refused",
      accountDeletion: tokensOf,
    },
  },
  scopeToken: {
    name: "scope tokens of its own organizations",
    madeAt: null,
    madeBy: "session of an `owner` or `admin`, or an action",
    on: {
      takeOver: { ends: cutOffOrganizations },
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: "stays",
      ban: "stays",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "refused",
      accountDeletion: "stays",
    },
  },
  apiKey: {
    name: "API keys",
    madeAt: "auth_apikey.created_at",
    madeBy: ACCOUNT_MAKER,
    on: {
      takeOver: ending(({ userId }: AccountSubject) => [
        statement(
          `DELETE FROM "auth_apikey" WHERE "reference_id" = ? OR ${KEY_ORGANIZATION} IN (${OWN_ORGANIZATIONS})`,
          userId,
          userId,
        ),
      ]),
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: keysOf,
      passwordSet: keysOf,
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: ending(({ userId, organizationId }: MembershipSubject) => [
        statement(
          `DELETE FROM "auth_apikey" WHERE "reference_id" = ? AND ${KEY_ORGANIZATION} = ?`,
          userId,
          organizationId,
        ),
      ]),
      organizationDeletion: ending(({ organizationId }: OrganizationSubject) => [
        statement(`DELETE FROM "auth_apikey" WHERE ${KEY_ORGANIZATION} = ?`, organizationId),
      ]),
      accountDeletion: keysOf,
    },
  },
  refreshToken: {
    name: "refresh tokens and codes of applications",
    madeAt: null,
    madeBy: "the grant",
    on: {
      takeOver: ending(({ userId }: AccountSubject, project) =>
        ofOauth(
          project,
          statement(
            `DELETE FROM "auth_oauth_token" WHERE "grant_id" IN (SELECT "id" FROM "auth_oauth_grant"
              WHERE "user_id" = ? OR "organization_id" IN (${OWN_ORGANIZATIONS}))`,
            userId,
            userId,
          ),
        )
      ),
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: refreshTokensOf,
      passwordSet: refreshTokensOf,
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: ending(({ userId, organizationId }: MembershipSubject, project) =>
        ofOauth(
          project,
          statement(
            `DELETE FROM "auth_oauth_token" WHERE "grant_id" IN (SELECT "id" FROM "auth_oauth_grant"
              WHERE "user_id" = ? AND "organization_id" = ?)`,
            userId,
            organizationId,
          ),
        )
      ),
      organizationDeletion: ending(({ organizationId }: OrganizationSubject, project) =>
        ofOauth(
          project,
          statement(
            `DELETE FROM "auth_oauth_token" WHERE "grant_id" IN
              (SELECT "id" FROM "auth_oauth_grant" WHERE "organization_id" = ?)`,
            organizationId,
          ),
        )
      ),
      accountDeletion: refreshTokensOf,
    },
  },
  oauthGrant: {
    name: "grants to applications",
    madeAt: "auth_oauth_grant.created_at",
    madeBy: ACCOUNT_MAKER,
    on: {
      takeOver: ending(({ userId }: AccountSubject, project) =>
        ofOauth(
          project,
          statement(
            `DELETE FROM "auth_oauth_grant" WHERE "user_id" = ? OR "organization_id" IN (${OWN_ORGANIZATIONS})`,
            userId,
            userId,
          ),
        )
      ),
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: grantsOf,
      passwordSet: grantsOf,
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: ending(({ userId, organizationId }: MembershipSubject, project) =>
        ofOauth(
          project,
          statement(
            `DELETE FROM "auth_oauth_grant" WHERE "user_id" = ? AND "organization_id" = ?`,
            userId,
            organizationId,
          ),
        )
      ),
      organizationDeletion: ending(({ organizationId }: OrganizationSubject, project) =>
        ofOauth(
          project,
          statement(`DELETE FROM "auth_oauth_grant" WHERE "organization_id" = ?`, organizationId),
        )
      ),
      accountDeletion: grantsOf,
    },
  },
  passkey: {
    name: "passkeys",
    madeAt: "auth_passkey.created_at",
    madeBy: ACCOUNT_MAKER,
    on: {
      takeOver: passkeysOf,
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: passkeysOf,
    },
  },
  secondFactor: {
    name: "second factors",
    madeAt: null,
    madeBy: ACCOUNT_MAKER,
    on: {
      takeOver: factorsOf,
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: factorsOf,
    },
  },
  trustedDevice: {
    name: "trusted devices",
    madeAt: "auth_verification.created_at",
    madeBy: "signing in with a second factor",
    on: {
      takeOver: devicesOf,
      confirmation: "stays",
      passwordChange: devicesOf,
      passwordReset: devicesOf,
      passwordSet: devicesOf,
      addressChange: devicesOf,
      ban: "refused",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: devicesOf,
    },
  },
  pushRegistration: {
    name: "devices for push messages",
    madeAt: "pushSubscriptions.createdAt",
    madeBy: "any credential of the account",
    on: {
      takeOver: registrationsOf,
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: "stays",
      ban: "stays",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: registrationsOf,
    },
  },
  openLink: {
    name: "open links, codes and changes of address",
    madeAt: "auth_verification.created_at",
    madeBy: "whoever asks for the mail",
    on: {
      takeOver: linksOf,
      confirmation: "stays",
      passwordChange: linksOf,
      passwordReset: linksOf,
      passwordSet: linksOf,
      addressChange: linksOf,
      ban: "refused",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: linksOf,
    },
  },
  platformRole: {
    name: "roles of the address",
    madeAt: null,
    madeBy: "`SYSADMIN_EMAILS`",
    on: {
      takeOver: rolesOfAddress,
      confirmation: rolesOfAddress,
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: rolesOfAddress,
      ban: "refused",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: "itself",
    },
  },
  webhookEndpoint: {
    name: "webhook endpoints",
    madeAt: "webhook_endpoints.created_at",
    madeBy: "any credential of the account",
    on: {
      takeOver: endpointsOf,
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: "stays",
      ban: "stays",
      signOut: "stays",
      membershipEnd: "stays",
      // They are deleted with the rows of the organization.
      organizationDeletion: "itself",
      accountDeletion: endpointsOf,
    },
  },
};

/** Returns the statement for projects with an authorization server, and none for others. */
function ofOauth(project: EventProject, one: Statement): readonly Statement[] {
  return project.has("auth_oauth_grant") ? [one] : [];
}
