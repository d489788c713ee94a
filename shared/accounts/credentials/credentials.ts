/**
 * Every kind of credential, and what each event does to it (docs/decisions/accounts.md, "Proofs and credentials"). This is the
 * only such list. A kind that omits an event does not type-check. An event runs these records in this order, in one
 * transaction.
 */
import {
  devicesOf,
  endpointsOf,
  factorsOf,
  grantsOf,
  grantsWhere,
  invitationsBy,
  keysOf,
  linksOf,
  OWN_ORGANIZATIONS,
  passkeysOf,
  refreshTokensOf,
  refreshTokensWhere,
  registrationsOf,
  rolesOfAddress,
  sessionsOf,
  signInsOf,
  tokensOf,
} from "./account_statements.ts";
import {
  type Credential,
  type CredentialKind,
  ending,
  narrowing,
  statement,
} from "./credential.ts";
import type { AccountSubject, MembershipSubject, OrganizationSubject } from "./events.ts";
import { leaveOrganizations, leaveSharedOrganizations } from "./leave_organizations.ts";
import { cutOffOrganizations } from "./token_cutoffs.ts";

const KEY_ORGANIZATION = `json_extract("permissions", '$.organization[0]')`;

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
        refreshTokensWhere(
          project,
          `"user_id" = ? OR "organization_id" IN (${OWN_ORGANIZATIONS})`,
          userId,
          userId,
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
        refreshTokensWhere(
          project,
          `"user_id" = ? AND "organization_id" = ?`,
          userId,
          organizationId,
        )
      ),
      organizationDeletion: ending(({ organizationId }: OrganizationSubject, project) =>
        refreshTokensWhere(project, `"organization_id" = ?`, organizationId)
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
        grantsWhere(
          project,
          `"user_id" = ? OR "organization_id" IN (${OWN_ORGANIZATIONS})`,
          userId,
          userId,
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
        grantsWhere(project, `"user_id" = ? AND "organization_id" = ?`, userId, organizationId)
      ),
      organizationDeletion: ending(({ organizationId }: OrganizationSubject, project) =>
        grantsWhere(project, `"organization_id" = ?`, organizationId)
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
