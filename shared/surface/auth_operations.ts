/** The account routes that `openapi.json` lists (contract 4.7, definitions 7 "auth routes"); the account library answers them. */
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import type { ProjectModel } from "../model/project.ts";
import {
  API_KEY,
  described,
  INVITATION,
  listOf,
  member,
  MEMBERSHIP,
  nullable,
  object,
  ORGANIZATION,
  SESSION,
  STATUS,
  SUCCESS,
  TEAM,
  USER,
} from "./auth_schemas.ts";
import type { JsonSchema } from "./parameters.ts";
import { orNull } from "./schema/zod_json.ts";

export interface AuthOperation {
  /** Unique in the document; begins with `auth`. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** Below the auth base. */
  readonly path: string;
  readonly summary: string;
  /** Whether a session cookie is needed. */
  readonly needsSession: boolean;
  readonly body: JsonSchema | null;
  readonly bodyExample: JsonSchema | null;
  readonly success: JsonSchema;
  /** Of refusals, whose body is the library's `{ message, code? }`. */
  readonly refusals: readonly number[];
}

/** Where the document lists them: the alias in v1, the base itself in v2. */
export function authBaseOf(project: ProjectModel): string {
  const { authAlias, authBase } = CONTRACT_VERSIONS[project.contract];
  return authAlias ?? authBase;
}

export function authOperationsOf(project: ProjectModel): readonly AuthOperation[] {
  return [
    ...(project.auth.emailAndPassword ? [...PASSWORD_OPERATIONS, ...RECOVERY_OPERATIONS] : []),
    ...SESSION_OPERATIONS,
    ...MORE_SESSION_OPERATIONS,
    ...API_KEY_OPERATIONS,
    ...(project.multiTenant ? [...ORGANIZATION_OPERATIONS, ...TEAM_OPERATIONS] : []),
    ...ADMIN_OPERATIONS,
  ];
}

const PASSWORD_OPERATIONS: readonly AuthOperation[] = [
  {
    id: "authSignUpEmail",
    method: "POST",
    path: "/sign-up/email",
    summary: "Create an account and sign in",
    needsSession: false,
    body: object(["name", "email", "password"]),
    bodyExample: { name: "Jane Doe", email: "jane@example.com", password: "<password>" },
    success: object([], { token: nullable("token"), user: described("The account.", USER) }),
    refusals: [400, 403, 422],
  },
  {
    id: "authSignInEmail",
    method: "POST",
    path: "/sign-in/email",
    summary: "Sign in",
    needsSession: false,
    body: object(["email", "password"]),
    bodyExample: { email: "jane@example.com", password: "<password>" },
    success: object(["token"], { user: described("The account.", USER) }),
    refusals: [400, 401, 403],
  },
];

const RECOVERY_OPERATIONS: readonly AuthOperation[] = [
  {
    id: "authRequestPasswordReset",
    method: "POST",
    path: "/request-password-reset",
    summary: "Ask for a message with a link to a new password",
    needsSession: false,
    body: object(["email"]),
    bodyExample: { email: "jane@example.com" },
    success: STATUS,
    refusals: [400, 403],
  },
  {
    id: "authResetPassword",
    method: "POST",
    path: "/reset-password",
    summary: "Set a new password with the token of that link",
    needsSession: false,
    body: object(["newPassword", "token"]),
    bodyExample: { newPassword: "<password>", token: "<token>" },
    success: STATUS,
    refusals: [400, 403],
  },
  {
    id: "authSendVerificationEmail",
    method: "POST",
    path: "/send-verification-email",
    summary: "Ask for another message that confirms the address",
    needsSession: false,
    body: object(["email"]),
    bodyExample: { email: "jane@example.com" },
    success: STATUS,
    refusals: [400, 403],
  },
];

const SESSION_OPERATIONS: readonly AuthOperation[] = [
  {
    id: "authSignOut",
    method: "POST",
    path: "/sign-out",
    summary: "End the session",
    needsSession: false,
    body: object([]),
    bodyExample: {},
    success: SUCCESS,
    refusals: [400, 403],
  },
  {
    id: "authGetSession",
    method: "GET",
    path: "/get-session",
    summary: "Read the session and its user; null without one",
    needsSession: false,
    body: null,
    bodyExample: null,
    success: orNull(object([], {
      session: described("The session.", SESSION),
      user: described("The account.", USER),
    })),
    refusals: [403],
  },
];

const MORE_SESSION_OPERATIONS: readonly AuthOperation[] = [
  {
    id: "authListSessions",
    method: "GET",
    path: "/list-sessions",
    summary: "List the caller's sessions",
    needsSession: true,
    body: null,
    bodyExample: null,
    success: listOf("The sessions.", SESSION),
    refusals: [401, 403],
  },
  {
    id: "authRevokeSession",
    method: "POST",
    path: "/revoke-session",
    summary: "End one of the caller's sessions",
    needsSession: true,
    body: object(["token"]),
    bodyExample: { token: "<session_token>" },
    success: STATUS,
    refusals: [400, 401, 403],
  },
  {
    id: "authRevokeOtherSessions",
    method: "POST",
    path: "/revoke-other-sessions",
    summary: "End all of the caller's sessions but this one",
    needsSession: true,
    body: object([]),
    bodyExample: {},
    success: STATUS,
    refusals: [401, 403],
  },
];

const API_KEY_OPERATIONS: readonly AuthOperation[] = [
  {
    id: "authApiKeyCreate",
    method: "POST",
    path: "/api-key/create",
    summary: "Make an API key for the caller in the active organization; the key is shown once",
    needsSession: true,
    body: {
      type: "object",
      properties: {
        name: member("name"),
        expiresIn: {
          type: ["integer", "null"],
          minimum: 1,
          description: "Seconds until it ends; null: never.",
        },
        rateLimitMax: { type: "integer", minimum: 1, description: "Calls per time window." },
        rateLimitTimeWindow: { type: "integer", minimum: 1000, description: "Milliseconds." },
        remaining: {
          type: ["integer", "null"],
          minimum: 1,
          description: "Calls until it is used up; null: no such limit.",
        },
      },
    },
    bodyExample: { name: "ci", expiresIn: 2_592_000 },
    success: object(["id", "key"], { name: nullable("name"), expiresAt: nullable("expiresAt") }),
    refusals: [400, 401, 403],
  },
  {
    id: "authApiKeyList",
    method: "GET",
    path: "/api-key/list",
    summary: "List the caller's API keys, without their text",
    needsSession: true,
    body: null,
    bodyExample: null,
    success: object([], { apiKeys: listOf("The keys.", API_KEY) }),
    refusals: [401, 403],
  },
  {
    id: "authApiKeyUpdate",
    method: "POST",
    path: "/api-key/update",
    summary: "Rename, disable or enable an API key",
    needsSession: true,
    body: {
      ...object(["keyId"]),
      properties: {
        keyId: member("keyId"),
        name: member("name"),
        enabled: member("enabled"),
      },
    },
    bodyExample: { keyId: "<key_id>", enabled: false },
    success: API_KEY,
    refusals: [400, 401, 403, 404],
  },
  {
    id: "authApiKeyDelete",
    method: "POST",
    path: "/api-key/delete",
    summary: "Take an API key back",
    needsSession: true,
    body: object(["keyId"]),
    bodyExample: { keyId: "<key_id>" },
    success: SUCCESS,
    refusals: [400, 401, 403, 404],
  },
];

const TEAM_OPERATIONS: readonly AuthOperation[] = [
  {
    id: "authOrganizationCreateTeam",
    method: "POST",
    path: "/organization/create-team",
    summary: "Create a team in the active organization",
    needsSession: true,
    body: object(["name"]),
    bodyExample: { name: "Support" },
    success: TEAM,
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationListTeams",
    method: "GET",
    path: "/organization/list-teams",
    summary: "List the teams of the active organization",
    needsSession: true,
    body: null,
    bodyExample: null,
    success: listOf("The teams.", TEAM),
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationAddTeamMember",
    method: "POST",
    path: "/organization/add-team-member",
    summary: "Add a member to a team",
    needsSession: true,
    body: object(["teamId", "userId"]),
    bodyExample: { teamId: "<team_id>", userId: "<user_id>" },
    success: object(["id", "teamId", "userId"]),
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationSetActiveTeam",
    method: "POST",
    path: "/organization/set-active-team",
    summary: "Choose the team that the session acts in",
    needsSession: true,
    body: object([], { teamId: nullable("teamId") }),
    bodyExample: { teamId: "<team_id>" },
    success: orNull(TEAM),
    refusals: [400, 401, 403],
  },
];

const ADMIN_OPERATIONS: readonly AuthOperation[] = [
  {
    id: "authAdminSetRole",
    method: "POST",
    path: "/admin/set-role",
    summary: "Name the platform roles of an account; for sysadmin",
    needsSession: true,
    body: object(["userId"], { role: member("roles") }),
    bodyExample: { userId: "<user_id>", role: "appmanager" },
    success: object([], { user: described("The account.", USER) }),
    refusals: [400, 401, 403, 404],
  },
  {
    id: "authAdminBanUser",
    method: "POST",
    path: "/admin/ban-user",
    summary: "Lock an account out and end its sessions; for sysadmin",
    needsSession: true,
    body: object(["userId"]),
    bodyExample: { userId: "<user_id>" },
    success: object([], { user: described("The account.", USER) }),
    refusals: [400, 401, 403, 404],
  },
];

const ORGANIZATION_OPERATIONS: readonly AuthOperation[] = [
  {
    id: "authOrganizationCreate",
    method: "POST",
    path: "/organization/create",
    summary: "Create an organization, owned and entered by the caller",
    needsSession: true,
    body: object(["name", "slug"]),
    bodyExample: { name: "Acme", slug: "acme" },
    success: ORGANIZATION,
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationList",
    method: "GET",
    path: "/organization/list",
    summary: "List the caller's organizations",
    needsSession: true,
    body: null,
    bodyExample: null,
    success: listOf("The organizations.", ORGANIZATION),
    refusals: [401, 403],
  },
  {
    id: "authOrganizationSetActive",
    method: "POST",
    path: "/organization/set-active",
    summary: "Choose the organization that the session acts in",
    needsSession: true,
    body: object([], { organizationId: nullable("organizationId") }),
    bodyExample: { organizationId: "<organization_id>" },
    success: orNull(ORGANIZATION),
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationListMembers",
    method: "GET",
    path: "/organization/list-members",
    summary: "List the members of the active organization",
    needsSession: true,
    body: null,
    bodyExample: null,
    success: object([], {
      members: listOf("The memberships.", MEMBERSHIP),
      total: { type: "integer", minimum: 0, description: "How many there are." },
    }),
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationInviteMember",
    method: "POST",
    path: "/organization/invite-member",
    summary: "Invite somebody to the active organization",
    needsSession: true,
    body: object(["email"], { role: member("roles") }),
    bodyExample: { email: "ben@example.com", role: "member" },
    success: INVITATION,
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationAcceptInvitation",
    method: "POST",
    path: "/organization/accept-invitation",
    summary: "Accept an invitation to the caller's address",
    needsSession: true,
    body: object(["invitationId"]),
    bodyExample: { invitationId: "<invitation_id>" },
    success: object([], {
      invitation: described("The invitation.", INVITATION),
      member: described("The membership.", MEMBERSHIP),
    }),
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationUpdateMemberRole",
    method: "POST",
    path: "/organization/update-member-role",
    summary: "Change a member's roles",
    needsSession: true,
    body: object(["memberId"], { role: member("roles") }),
    bodyExample: { memberId: "<member_id>", role: "admin" },
    success: MEMBERSHIP,
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationRemoveMember",
    method: "POST",
    path: "/organization/remove-member",
    summary: "Remove a member",
    needsSession: true,
    body: object(["memberIdOrEmail"]),
    bodyExample: { memberIdOrEmail: "<member_id>" },
    success: object([], { member: described("The membership.", MEMBERSHIP) }),
    refusals: [400, 401, 403],
  },
];
