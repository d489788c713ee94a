/** Describes routes of organizations, their members, invitations and teams. */
import { z } from "zod";
import { ACCOUNT_MAILS } from "../../model/mod.ts";
import { orNull } from "../schema/zod_json.ts";
import { described } from "../schema/json_schema.ts";
import * as op from "./operation.ts";
import * as answers from "./answers.ts";
import * as members from "./members.ts";
import { ofManagers, ofMembers, ofOwners } from "./route_role.ts";

const {
  email,
  invitationId,
  logo,
  memberId,
  memberIdOrEmail,
  metadata,
  name,
  roles,
  slug,
  userId,
} = members.MEMBER;
const organizationId = members.MEMBER.organizationId.optional();
const organizationSlug = members.MEMBER.organizationSlug.optional();
const teamId = members.MEMBER.teamId.optional();

function purge(status: readonly string[]) {
  const told = { type: "string", enum: status, description: "How far it is." };
  return described("The deletion of its records.", answers.object(["id"], { status: told }));
}

const BY_SLUG = ["organizationSlug", "organizationId"] as const;

const NAMED = z.object({ organizationId, organizationSlug });

export const ORGANIZATION_OPERATIONS: readonly op.AuthOperation[] = [
  op.write({
    id: "authOrganizationCreate",
    path: "/organization/create",
    withheld: ["userId"],
    summary: "Create an organization, owned and entered by the caller",
    takes: {
      name,
      slug,
      logo: logo.optional(),
      metadata: metadata.optional(),
      keepCurrentActiveOrganization: z.boolean()
        .describe("Whether the session stays where it is.").optional(),
    },
    bodyExample: { name: "Acme", slug: "acme" },
  }, answers.ORGANIZATION),
  op.write({
    id: "authOrganizationCheckSlug",
    path: "/organization/check-slug",
    summary: "Ask whether a slug is free",
    takes: { slug },
    bodyExample: { slug: "acme" },
  }, answers.STATUS),
  op.read({
    id: "authOrganizationList",
    path: "/organization/list",
    summary: "List the caller's organizations",
  }, answers.listOf("The organizations.", answers.ORGANIZATION)),
  op.read({
    id: "authOrganizationGet",
    path: "/organization/get-organization",
    role: ofMembers(BY_SLUG, { isOptional: true }),
    summary: "Read an organization of the caller; null without an active one",
    parameters: NAMED,
  }, orNull(answers.ORGANIZATION)),
  op.read({
    id: "authOrganizationGetFull",
    path: "/organization/get-full-organization",
    role: ofMembers(BY_SLUG, { isOptional: true }),
    summary: "Read an organization of the caller with members, invitations and teams",
    parameters: NAMED.extend({ membersLimit: members.QUERY.count.optional() }),
  }, orNull(answers.FULL_ORGANIZATION)),
  op.write({
    id: "authOrganizationSetActive",
    path: "/organization/set-active",
    role: ofMembers(["organizationId", "organizationSlug"], { isOptional: true }),
    whileImpersonating: true,
    summary: "Choose the organization that the session acts in; null: none",
    takes: {
      organizationId: members.MEMBER.organizationId.nullable().optional(),
      organizationSlug,
    },
    bodyExample: { organizationId: "<organization_id>" },
  }, orNull(answers.ORGANIZATION)),
  op.write({
    id: "authOrganizationUpdate",
    path: "/organization/update",
    role: ofManagers("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION"),
    summary: "Change an organization; for its owner and admins",
    takes: {
      organizationId,
      data: z.strictObject({
        name: name.optional(),
        slug: slug.optional(),
        logo: logo.optional(),
        metadata: metadata.optional(),
      }).describe("What changes."),
    },
    bodyExample: { data: { name: "Acme" } },
  }, orNull(answers.ORGANIZATION)),
  op.write(
    {
      id: "authOrganizationDelete",
      path: "/organization/delete",
      role: ofOwners(["organizationId"], "FIREWALL_ORG_ISOLATION"),
      own: "deleteOrganization",
      challenges: [{ by: "password", member: "password", of: "session" }],
      needsFresh: true,
      summary:
        "Delete an organization: with records on `purge=true` alone; for its owner and sysadmin",
      parameters: z.object({
        purge: members.QUERY.flag
          .describe("Whether its records go too; needs `password` or a session of 10 minutes.")
          .optional(),
      }),
      takes: {
        organizationId: members.MEMBER.organizationId,
        password: members.MEMBER.password.optional(),
      },
      bodyExample: { organizationId: "<organization_id>" },
      accepted: answers.object([], { purge: purge(["running"]) }),
    },
    answers.object(["id", "name", "slug"], { purge: purge(["done"]) }),
  ),
  op.read(
    {
      id: "authOrganizationListApiKeys",
      path: "/organization/list-api-keys",
      role: ofOwners([], "ACCESS_NO_ORG"),
      own: "listOrganizationKeys",
      summary: "List the API keys that act in the active organization; for its owner",
    },
    answers.object([], {
      apiKeys: answers.listOf("The keys, the newest first.", answers.ORGANIZATION_KEY),
    }),
  ),
  op.write({
    id: "authOrganizationRevokeApiKey",
    path: "/organization/revoke-api-key",
    role: ofOwners([], "ACCESS_NO_ORG"),
    own: "revokeOrganizationKey",
    summary: "Take back an API key of the active organization, whoever made it; for its owner",
    takes: { keyId: members.MEMBER.keyId },
    bodyExample: { keyId: "<key_id>" },
  }, answers.SUCCESS),
  op.write({
    id: "authOrganizationLeave",
    path: "/organization/leave",
    role: ofMembers(),
    summary: "Leave an organization; its last owner cannot",
    takes: { organizationId: members.MEMBER.organizationId },
    bodyExample: { organizationId: "<organization_id>" },
  }, answers.MEMBERSHIP),
  op.write({
    id: "authOrganizationHasPermission",
    path: "/organization/has-permission",
    isRepeatable: true,
    withheld: ["permission"],
    role: ofMembers(),
    summary: "Ask whether the caller's role in an organization permits something",
    takes: { organizationId, permissions: members.MEMBER.permissions },
    bodyExample: { permissions: { organization: ["update"] } },
  }, answers.object(["success"])),
  op.read(
    {
      id: "authOrganizationListMembers",
      path: "/organization/list-members",
      withheld: ["filterField", "filterValue", "filterOperator"],
      role: ofMembers(BY_SLUG),
      summary: "List the members of an organization",
      parameters: NAMED.extend({
        limit: members.QUERY.count.optional(),
        offset: members.QUERY.offset.optional(),
        sortBy: z.enum(["createdAt", "role"]).describe("Column to sort by.").optional(),
        sortDirection: z.enum(["asc", "desc"]).describe("Direction to sort in.").optional(),
      }),
    },
    answers.object([], {
      members: answers.listOf("The memberships.", answers.MEMBERSHIP),
      total: { type: "integer", minimum: 0, description: "How many there are." },
    }),
  ),
  op.read({
    id: "authOrganizationGetActiveMember",
    path: "/organization/get-active-member",
    role: ofMembers([]),
    summary: "Read the caller's membership in the active organization",
  }, answers.MEMBERSHIP),
  op.read({
    id: "authOrganizationGetActiveMemberRole",
    path: "/organization/get-active-member-role",
    role: ofMembers(BY_SLUG),
    summary: "Read the roles of the caller, or of another member",
    parameters: NAMED.extend({ userId: userId.optional() }),
  }, answers.object(["role"])),
  op.write({
    id: "authOrganizationUpdateMemberRole",
    path: "/organization/update-member-role",
    role: ofManagers("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER"),
    summary: "Change a member's roles",
    takes: { memberId, role: roles, organizationId },
    bodyExample: { memberId: "<member_id>", role: "admin" },
  }, answers.MEMBERSHIP),
  op.write({
    id: "authOrganizationRemoveMember",
    path: "/organization/remove-member",
    role: ofManagers("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER"),
    summary: "Remove a member",
    takes: { memberIdOrEmail, organizationId },
    bodyExample: { memberIdOrEmail: "<member_id>" },
  }, answers.object([], { member: described("The membership.", answers.MEMBERSHIP) })),
  op.write({
    id: "authOrganizationInviteMember",
    path: "/organization/invite-member",
    role: ofManagers("YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION"),
    mails: "invitation",
    summary: "Invite somebody to an organization",
    takes: {
      email,
      role: roles,
      organizationId,
      teamId,
      resend: z.boolean().describe("Whether a pending invitation is sent again.").optional(),
    },
    bodyExample: { email: "ben@example.com", role: "member" },
  }, answers.INVITATION),
  op.read({
    id: "authOrganizationGetInvitation",
    path: "/organization/get-invitation",
    summary: "Read an invitation to the caller's address",
    parameters: z.object({ id: invitationId }),
  }, answers.INVITATION),
  op.read({
    id: "authOrganizationListInvitations",
    path: "/organization/list-invitations",
    role: ofMembers(),
    summary: "List the invitations to an organization",
    parameters: z.object({ organizationId }),
  }, answers.listOf("The invitations.", answers.INVITATION)),
  op.read({
    id: "authOrganizationListUserInvitations",
    path: "/organization/list-user-invitations",
    withheld: ["email"],
    summary: "List the pending invitations to the caller's confirmed address",
  }, answers.listOf("The invitations.", answers.INVITATION)),
  ...op.link(
    {
      page: {
        id: "authOrganizationOpenInvitation",
        path: ACCOUNT_MAILS.invitation.link.path,
        summary: "Read what the link of an invitation is for",
      },
      act: {
        id: "authOrganizationAcceptInvitation",
        who: "session",
        summary: "Accept an invitation to the caller's address; its `token` confirms the address",
        takes: {
          token: members.MEMBER.token.optional(),
          invitationId: invitationId.optional(),
          password: members.MEMBER.password.optional(),
        },
        bodyExample: { invitationId: "<invitation_id>" },
      },
      leadsTo: { callbackURL: members.MEMBER.callbackURL.optional() },
    },
    answers.object([], {
      invitation: described("The invitation.", answers.INVITATION),
      member: described("The membership.", answers.MEMBERSHIP),
    }),
  ),
  op.write(
    {
      id: "authOrganizationRejectInvitation",
      path: "/organization/reject-invitation",
      summary: "Reject an invitation to the caller's address",
      takes: { invitationId },
      bodyExample: { invitationId: "<invitation_id>" },
    },
    answers.object([], {
      invitation: orNull(described("The invitation.", answers.INVITATION)),
      member: { type: "null", description: "There is no membership." },
    }),
  ),
  op.write({
    id: "authOrganizationCancelInvitation",
    path: "/organization/cancel-invitation",
    role: ofManagers("YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION", ["invitationId"]),
    summary: "Take an invitation back",
    takes: { invitationId },
    bodyExample: { invitationId: "<invitation_id>" },
  }, orNull(answers.INVITATION)),
];

const TOLD = answers.object([], {
  message: described("What was done.", { type: "string" }, "Team removed successfully."),
});

export const TEAM_OPERATIONS: readonly op.AuthOperation[] = [
  op.write({
    id: "authOrganizationCreateTeam",
    path: "/organization/create-team",
    role: ofManagers("YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION"),
    summary: "Create a team",
    takes: { name, organizationId },
    bodyExample: { name: "Support" },
  }, answers.TEAM),
  op.read({
    id: "authOrganizationListTeams",
    path: "/organization/list-teams",
    role: ofMembers(),
    summary: "List the teams of an organization",
    parameters: z.object({ organizationId }),
  }, answers.listOf("The teams.", answers.TEAM)),
  op.write({
    id: "authOrganizationUpdateTeam",
    path: "/organization/update-team",
    withheld: ["data.organizationId"],
    role: ofManagers("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM", []),
    summary: "Rename a team",
    takes: {
      teamId: members.MEMBER.teamId,
      data: z.strictObject({ name }).describe("What changes."),
    },
    bodyExample: { teamId: "<team_id>", data: { name: "Support" } },
  }, orNull(answers.TEAM)),
  op.write({
    id: "authOrganizationRemoveTeam",
    path: "/organization/remove-team",
    role: ofManagers("YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION"),
    summary: "Remove a team",
    takes: { teamId: members.MEMBER.teamId, organizationId },
    bodyExample: { teamId: "<team_id>" },
  }, TOLD),
  op.write({
    id: "authOrganizationAddTeamMember",
    path: "/organization/add-team-member",
    role: ofManagers("YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER"),
    summary: "Add a member to a team",
    takes: { teamId: members.MEMBER.teamId, userId, organizationId },
    bodyExample: { teamId: "<team_id>", userId: "<user_id>" },
  }, answers.TEAM_MEMBERSHIP),
  op.write({
    id: "authOrganizationRemoveTeamMember",
    path: "/organization/remove-team-member",
    role: ofManagers("YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER"),
    summary: "Remove a member from a team",
    takes: { teamId: members.MEMBER.teamId, userId, organizationId },
    bodyExample: { teamId: "<team_id>", userId: "<user_id>" },
  }, TOLD),
  op.read({
    id: "authOrganizationListTeamMembers",
    path: "/organization/list-team-members",
    isRepeatable: false,
    summary: "List the members of a team that the caller is in",
    parameters: z.object({ teamId }),
  }, answers.listOf("The memberships.", answers.TEAM_MEMBERSHIP)),
  op.read({
    id: "authOrganizationListUserTeams",
    path: "/organization/list-user-teams",
    summary: "List the teams of the caller, or of another member",
    parameters: z.object({ userId: userId.optional(), organizationId }),
  }, answers.listOf("The teams.", answers.TEAM)),
  op.write({
    id: "authOrganizationSetActiveTeam",
    path: "/organization/set-active-team",
    whileImpersonating: true,
    summary: "Choose the team that the session acts in; null: none",
    takes: { teamId: members.MEMBER.teamId.nullable() },
    bodyExample: { teamId: "<team_id>" },
  }, orNull(answers.TEAM)),
];
