/**
 * Every kind of credential, and what each event does to it (docs/decisions/accounts.md, "Proofs and credentials"). This is the
 * only such list. A kind that omits an event does not type-check. An event runs these records in this order, in one
 * transaction.
 */
import * as statements from "./account_statements.ts";
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
      takeOver: statements.invitationsBy,
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
      accountDeletion: statements.invitationsBy,
    },
  },
  signIn: {
    name: "the password and sign-in through providers",
    madeAt: "auth_account.created_at",
    madeBy: "signing up, a mailed link, a provider",
    on: {
      takeOver: statements.signInsOf,
      confirmation: "stays",
      passwordChange: "itself",
      passwordReset: "itself",
      passwordSet: "itself",
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: statements.signInsOf,
    },
  },
  session: {
    name: "sessions",
    madeAt: "auth_session.created_at",
    madeBy: "signing in",
    on: {
      takeOver: statements.sessionsOf,
      confirmation: "stays",
      // Other sessions end only if the request has `revokeOtherSessions`.
      passwordChange: "stays",
      passwordReset: statements.sessionsOf,
      passwordSet: statements.sessionsOf,
      addressChange: "stays",
      ban: statements.sessionsOf,
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
      accountDeletion: statements.sessionsOf,
    },
  },
  bearerToken: {
    name: "bearer tokens",
    madeAt: null,
    madeBy: ACCOUNT_MAKER,
    on: {
      takeOver: statements.tokensOf,
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: statements.tokensOf,
      passwordSet: statements.tokensOf,
      addressChange: "stays",
      // Tokens carry their claims until they expire (definitions 7, "JWT").
      ban: "stays",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "refused",
      accountDeletion: statements.tokensOf,
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
          `DELETE FROM "auth_apikey" WHERE "reference_id" = ? OR ${KEY_ORGANIZATION} IN (${statements.OWN_ORGANIZATIONS})`,
          userId,
          userId,
        ),
      ]),
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: statements.keysOf,
      passwordSet: statements.keysOf,
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
      accountDeletion: statements.keysOf,
    },
  },
  refreshToken: {
    name: "refresh tokens and codes of applications",
    madeAt: null,
    madeBy: "the grant",
    on: {
      takeOver: ending(({ userId }: AccountSubject, project) =>
        statements.refreshTokensWhere(
          project,
          `"user_id" = ? OR "organization_id" IN (${statements.OWN_ORGANIZATIONS})`,
          userId,
          userId,
        )
      ),
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: statements.refreshTokensOf,
      passwordSet: statements.refreshTokensOf,
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: ending(({ userId, organizationId }: MembershipSubject, project) =>
        statements.refreshTokensWhere(
          project,
          `"user_id" = ? AND "organization_id" = ?`,
          userId,
          organizationId,
        )
      ),
      organizationDeletion: ending(({ organizationId }: OrganizationSubject, project) =>
        statements.refreshTokensWhere(project, `"organization_id" = ?`, organizationId)
      ),
      accountDeletion: statements.refreshTokensOf,
    },
  },
  oauthGrant: {
    name: "grants to applications",
    madeAt: "auth_oauth_grant.created_at",
    madeBy: ACCOUNT_MAKER,
    on: {
      takeOver: ending(({ userId }: AccountSubject, project) =>
        statements.grantsWhere(
          project,
          `"user_id" = ? OR "organization_id" IN (${statements.OWN_ORGANIZATIONS})`,
          userId,
          userId,
        )
      ),
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: statements.grantsOf,
      passwordSet: statements.grantsOf,
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: ending(({ userId, organizationId }: MembershipSubject, project) =>
        statements.grantsWhere(
          project,
          `"user_id" = ? AND "organization_id" = ?`,
          userId,
          organizationId,
        )
      ),
      organizationDeletion: ending(({ organizationId }: OrganizationSubject, project) =>
        statements.grantsWhere(project, `"organization_id" = ?`, organizationId)
      ),
      accountDeletion: statements.grantsOf,
    },
  },
  passkey: {
    name: "passkeys",
    madeAt: "auth_passkey.created_at",
    madeBy: ACCOUNT_MAKER,
    on: {
      takeOver: statements.passkeysOf,
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: statements.passkeysOf,
    },
  },
  secondFactor: {
    name: "second factors",
    madeAt: null,
    madeBy: ACCOUNT_MAKER,
    on: {
      takeOver: statements.factorsOf,
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: "stays",
      ban: "refused",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: statements.factorsOf,
    },
  },
  trustedDevice: {
    name: "trusted devices",
    madeAt: "auth_verification.created_at",
    madeBy: "signing in with a second factor",
    on: {
      takeOver: statements.devicesOf,
      confirmation: "stays",
      passwordChange: statements.devicesOf,
      passwordReset: statements.devicesOf,
      passwordSet: statements.devicesOf,
      addressChange: statements.devicesOf,
      ban: "refused",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: statements.devicesOf,
    },
  },
  pushRegistration: {
    name: "devices for push messages",
    madeAt: "pushSubscriptions.createdAt",
    madeBy: "any credential of the account",
    on: {
      takeOver: statements.registrationsOf,
      confirmation: "stays",
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: "stays",
      ban: "stays",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: statements.registrationsOf,
    },
  },
  openLink: {
    name: "open links, codes and changes of address",
    madeAt: "auth_verification.created_at",
    madeBy: "whoever asks for the mail",
    on: {
      takeOver: statements.linksOf,
      confirmation: "stays",
      passwordChange: statements.linksOf,
      passwordReset: statements.linksOf,
      passwordSet: statements.linksOf,
      addressChange: statements.linksOf,
      ban: "refused",
      signOut: "stays",
      membershipEnd: "stays",
      organizationDeletion: "stays",
      accountDeletion: statements.linksOf,
    },
  },
  platformRole: {
    name: "roles of the address",
    madeAt: null,
    madeBy: "`SYSADMIN_EMAILS`",
    on: {
      takeOver: statements.rolesOfAddress,
      confirmation: statements.rolesOfAddress,
      passwordChange: "stays",
      passwordReset: "stays",
      passwordSet: "stays",
      addressChange: statements.rolesOfAddress,
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
      takeOver: statements.endpointsOf,
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
      accountDeletion: statements.endpointsOf,
    },
  },
};
