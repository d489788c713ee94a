/** The account routes that `openapi.json` lists (contract 4.7, definitions 7 "auth routes"); the account library answers them. */
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import type { ProjectModel } from "../model/project.ts";
import type { JsonSchema } from "./parameters.ts";

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

const TEXT: JsonSchema = { type: "string", minLength: 1 };
const EMAIL: JsonSchema = { type: "string", format: "email" };
const NULLABLE_TEXT: JsonSchema = { type: ["string", "null"] };
const NULLABLE_TIME: JsonSchema = { type: ["string", "null"], format: "date-time" };
const TIME: JsonSchema = { type: "string", format: "date-time" };
const ROLES: JsonSchema = { anyOf: [TEXT, { type: "array", items: TEXT, minItems: 1 }] };

const USER = object({ id: TEXT, name: { type: "string" }, email: EMAIL, image: NULLABLE_TEXT });
const ORGANIZATION = object({ id: TEXT, name: TEXT, slug: TEXT, createdAt: TIME });
const MEMBER = object({ id: TEXT, organizationId: TEXT, userId: TEXT, role: TEXT });
const INVITATION = object({
  id: TEXT,
  organizationId: TEXT,
  email: EMAIL,
  role: TEXT,
  status: { type: "string", enum: ["pending", "accepted", "rejected", "canceled"] },
  expiresAt: TIME,
});

const PASSWORD_OPERATIONS: readonly AuthOperation[] = [
  {
    id: "authSignUpEmail",
    method: "POST",
    path: "/sign-up/email",
    summary: "Create an account and sign in",
    needsSession: false,
    body: object({ name: { type: "string" }, email: EMAIL, password: { type: "string" } }),
    bodyExample: { name: "Jane Doe", email: "jane@example.com", password: "<password>" },
    success: object({ token: NULLABLE_TEXT, user: USER }),
    refusals: [400, 403, 422],
  },
  {
    id: "authSignInEmail",
    method: "POST",
    path: "/sign-in/email",
    summary: "Sign in",
    needsSession: false,
    body: object({ email: EMAIL, password: { type: "string" } }),
    bodyExample: { email: "jane@example.com", password: "<password>" },
    success: object({ token: TEXT, user: USER }),
    refusals: [400, 401, 403],
  },
];

const STATUS = object({ status: { type: "boolean" } });

const RECOVERY_OPERATIONS: readonly AuthOperation[] = [
  {
    id: "authRequestPasswordReset",
    method: "POST",
    path: "/request-password-reset",
    summary: "Ask for a message with a link to a new password",
    needsSession: false,
    body: object({ email: EMAIL }),
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
    body: object({ newPassword: { type: "string" }, token: TEXT }),
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
    body: object({ email: EMAIL }),
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
    body: object({}),
    bodyExample: {},
    success: object({ success: { type: "boolean" } }),
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
    success: {
      anyOf: [
        object({
          session: object({
            id: TEXT,
            userId: TEXT,
            expiresAt: TIME,
          }),
          user: USER,
        }),
        { type: "null" },
      ],
    },
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
    success: { type: "array", items: object({ id: TEXT, userId: TEXT, expiresAt: TIME }) },
    refusals: [401, 403],
  },
  {
    id: "authRevokeSession",
    method: "POST",
    path: "/revoke-session",
    summary: "End one of the caller's sessions",
    needsSession: true,
    body: object({ token: TEXT }),
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
    body: object({}),
    bodyExample: {},
    success: STATUS,
    refusals: [401, 403],
  },
];

const API_KEY = object({ id: TEXT, name: NULLABLE_TEXT, enabled: { type: "boolean" } });

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
        name: { type: "string" },
        expiresIn: { type: ["integer", "null"], minimum: 1, description: "Seconds." },
        rateLimitMax: { type: "integer", minimum: 1 },
        rateLimitTimeWindow: { type: "integer", minimum: 1000, description: "Milliseconds." },
        remaining: { type: ["integer", "null"], minimum: 1 },
      },
    },
    bodyExample: { name: "ci", expiresIn: 2_592_000 },
    success: object({ id: TEXT, key: TEXT, name: NULLABLE_TEXT, expiresAt: NULLABLE_TIME }),
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
    success: object({ apiKeys: { type: "array", items: API_KEY } }),
    refusals: [401, 403],
  },
  {
    id: "authApiKeyUpdate",
    method: "POST",
    path: "/api-key/update",
    summary: "Rename, disable or enable an API key",
    needsSession: true,
    body: {
      ...object({ keyId: TEXT }),
      properties: { keyId: TEXT, name: { type: "string" }, enabled: { type: "boolean" } },
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
    body: object({ keyId: TEXT }),
    bodyExample: { keyId: "<key_id>" },
    success: object({ success: { type: "boolean" } }),
    refusals: [400, 401, 403, 404],
  },
];

const TEAM = object({ id: TEXT, name: TEXT, organizationId: TEXT });

const TEAM_OPERATIONS: readonly AuthOperation[] = [
  {
    id: "authOrganizationCreateTeam",
    method: "POST",
    path: "/organization/create-team",
    summary: "Create a team in the active organization",
    needsSession: true,
    body: object({ name: TEXT }),
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
    success: { type: "array", items: TEAM },
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationAddTeamMember",
    method: "POST",
    path: "/organization/add-team-member",
    summary: "Add a member to a team",
    needsSession: true,
    body: object({ teamId: TEXT, userId: TEXT }),
    bodyExample: { teamId: "<team_id>", userId: "<user_id>" },
    success: object({ id: TEXT, teamId: TEXT, userId: TEXT }),
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationSetActiveTeam",
    method: "POST",
    path: "/organization/set-active-team",
    summary: "Choose the team that the session acts in",
    needsSession: true,
    body: object({ teamId: NULLABLE_TEXT }),
    bodyExample: { teamId: "<team_id>" },
    success: { anyOf: [TEAM, { type: "null" }] },
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
    body: object({ userId: TEXT, role: ROLES }),
    bodyExample: { userId: "<user_id>", role: "appmanager" },
    success: object({ user: USER }),
    refusals: [400, 401, 403, 404],
  },
  {
    id: "authAdminBanUser",
    method: "POST",
    path: "/admin/ban-user",
    summary: "Lock an account out and end its sessions; for sysadmin",
    needsSession: true,
    body: object({ userId: TEXT }),
    bodyExample: { userId: "<user_id>" },
    success: object({ user: USER }),
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
    body: object({ name: TEXT, slug: TEXT }),
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
    success: { type: "array", items: ORGANIZATION },
    refusals: [401, 403],
  },
  {
    id: "authOrganizationSetActive",
    method: "POST",
    path: "/organization/set-active",
    summary: "Choose the organization that the session acts in",
    needsSession: true,
    body: object({ organizationId: NULLABLE_TEXT }),
    bodyExample: { organizationId: "<organization_id>" },
    success: { anyOf: [ORGANIZATION, { type: "null" }] },
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
    success: object({
      members: { type: "array", items: MEMBER },
      total: { type: "integer", minimum: 0 },
    }),
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationInviteMember",
    method: "POST",
    path: "/organization/invite-member",
    summary: "Invite somebody to the active organization",
    needsSession: true,
    body: object({ email: EMAIL, role: ROLES }),
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
    body: object({ invitationId: TEXT }),
    bodyExample: { invitationId: "<invitation_id>" },
    success: object({ invitation: INVITATION, member: MEMBER }),
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationUpdateMemberRole",
    method: "POST",
    path: "/organization/update-member-role",
    summary: "Change a member's roles",
    needsSession: true,
    body: object({ memberId: TEXT, role: ROLES }),
    bodyExample: { memberId: "<member_id>", role: "admin" },
    success: MEMBER,
    refusals: [400, 401, 403],
  },
  {
    id: "authOrganizationRemoveMember",
    method: "POST",
    path: "/organization/remove-member",
    summary: "Remove a member",
    needsSession: true,
    body: object({ memberIdOrEmail: TEXT }),
    bodyExample: { memberIdOrEmail: "<member_id>" },
    success: object({ member: MEMBER }),
    refusals: [400, 401, 403],
  },
];

/** Open, because the library may add members. */
function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}
