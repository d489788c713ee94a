/** Routes of organizations, their members, invitations and teams. */
import { z } from "zod";
import { orNull } from "../schema/zod_json.ts";
import {
  type AuthOperation,
  described,
  FULL_ORGANIZATION,
  INVITATION,
  listOf,
  MEMBER,
  MEMBERSHIP,
  object,
  ORGANIZATION,
  QUERY,
  read,
  STATUS,
  TEAM,
  TEAM_MEMBERSHIP,
  write,
} from "./operation.ts";

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
} = MEMBER;
const organizationId = MEMBER.organizationId.optional();
const organizationSlug = MEMBER.organizationSlug.optional();
const teamId = MEMBER.teamId.optional();

function purge(status: readonly string[]) {
  const told = { type: "string", enum: status, description: "How far it is." };
  return described("The deletion of its records.", object(["id"], { status: told }));
}

const NAMED = z.object({ organizationId, organizationSlug });

export const ORGANIZATION_OPERATIONS: readonly AuthOperation[] = [
  write({
    id: "authOrganizationCreate",
    path: "/organization/create",
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
  }, ORGANIZATION),
  write({
    id: "authOrganizationCheckSlug",
    path: "/organization/check-slug",
    summary: "Ask whether a slug is free",
    takes: { slug },
    bodyExample: { slug: "acme" },
  }, STATUS),
  read({
    id: "authOrganizationList",
    path: "/organization/list",
    summary: "List the caller's organizations",
  }, listOf("The organizations.", ORGANIZATION)),
  read({
    id: "authOrganizationGet",
    path: "/organization/get-organization",
    summary: "Read an organization of the caller; null without an active one",
    query: NAMED,
  }, orNull(ORGANIZATION)),
  read({
    id: "authOrganizationGetFull",
    path: "/organization/get-full-organization",
    summary: "Read an organization of the caller with members, invitations and teams",
    query: NAMED.extend({ membersLimit: QUERY.count.optional() }),
  }, orNull(FULL_ORGANIZATION)),
  write({
    id: "authOrganizationSetActive",
    path: "/organization/set-active",
    summary: "Choose the organization that the session acts in; null: none",
    takes: { organizationId: MEMBER.organizationId.nullable().optional(), organizationSlug },
    bodyExample: { organizationId: "<organization_id>" },
  }, orNull(ORGANIZATION)),
  write({
    id: "authOrganizationUpdate",
    path: "/organization/update",
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
  }, orNull(ORGANIZATION)),
  write(
    {
      id: "authOrganizationDelete",
      path: "/organization/delete",
      summary:
        "Delete an organization: with records on `purge=true` alone; for its owner and sysadmin",
      query: z.object({
        purge: QUERY.flag
          .describe("Whether its records go too; needs `password` or a session of 10 minutes.")
          .optional(),
      }),
      takes: {
        organizationId: MEMBER.organizationId,
        password: MEMBER.password.optional(),
      },
      bodyExample: { organizationId: "<organization_id>" },
      accepted: object([], { purge: purge(["running"]) }),
      refusals: [400, 401, 403, 409],
    },
    object(["id", "name", "slug"], { purge: purge(["done"]) }),
  ),
  write({
    id: "authOrganizationLeave",
    path: "/organization/leave",
    summary: "Leave an organization; its last owner cannot",
    takes: { organizationId: MEMBER.organizationId },
    bodyExample: { organizationId: "<organization_id>" },
  }, MEMBERSHIP),
  write({
    id: "authOrganizationHasPermission",
    path: "/organization/has-permission",
    summary: "Ask whether the caller's role in an organization permits something",
    takes: { organizationId, permissions: MEMBER.permissions },
    bodyExample: { permissions: { organization: ["update"] } },
  }, object(["success"])),
  read(
    {
      id: "authOrganizationListMembers",
      path: "/organization/list-members",
      summary: "List the members of an organization",
      query: NAMED.extend({
        limit: QUERY.count.optional(),
        offset: QUERY.offset.optional(),
        sortBy: z.enum(["createdAt", "role"]).describe("Column to sort by.").optional(),
        sortDirection: z.enum(["asc", "desc"]).describe("Direction to sort in.").optional(),
      }),
    },
    object([], {
      members: listOf("The memberships.", MEMBERSHIP),
      total: { type: "integer", minimum: 0, description: "How many there are." },
    }),
  ),
  read({
    id: "authOrganizationGetActiveMember",
    path: "/organization/get-active-member",
    summary: "Read the caller's membership in the active organization",
  }, MEMBERSHIP),
  read({
    id: "authOrganizationGetActiveMemberRole",
    path: "/organization/get-active-member-role",
    summary: "Read the roles of the caller, or of another member",
    query: NAMED.extend({ userId: userId.optional() }),
  }, object(["role"])),
  write({
    id: "authOrganizationUpdateMemberRole",
    path: "/organization/update-member-role",
    summary: "Change a member's roles",
    takes: { memberId, role: roles, organizationId },
    bodyExample: { memberId: "<member_id>", role: "admin" },
  }, MEMBERSHIP),
  write({
    id: "authOrganizationRemoveMember",
    path: "/organization/remove-member",
    summary: "Remove a member",
    takes: { memberIdOrEmail, organizationId },
    bodyExample: { memberIdOrEmail: "<member_id>" },
  }, object([], { member: described("The membership.", MEMBERSHIP) })),
  write({
    id: "authOrganizationInviteMember",
    path: "/organization/invite-member",
    summary: "Invite somebody to an organization",
    takes: {
      email,
      role: roles,
      organizationId,
      teamId,
      resend: z.boolean().describe("Whether a pending invitation is sent again.").optional(),
    },
    bodyExample: { email: "ben@example.com", role: "member" },
  }, INVITATION),
  read({
    id: "authOrganizationGetInvitation",
    path: "/organization/get-invitation",
    summary: "Read an invitation to the caller's address",
    query: z.object({ id: invitationId }),
  }, INVITATION),
  read({
    id: "authOrganizationListInvitations",
    path: "/organization/list-invitations",
    summary: "List the invitations to an organization",
    query: z.object({ organizationId }),
  }, listOf("The invitations.", INVITATION)),
  read({
    id: "authOrganizationListUserInvitations",
    path: "/organization/list-user-invitations",
    summary: "List the pending invitations to the caller's confirmed address",
  }, listOf("The invitations.", INVITATION)),
  write(
    {
      id: "authOrganizationAcceptInvitation",
      path: "/organization/accept-invitation",
      summary: "Accept an invitation to the caller's address",
      takes: { invitationId },
      bodyExample: { invitationId: "<invitation_id>" },
    },
    object([], {
      invitation: described("The invitation.", INVITATION),
      member: described("The membership.", MEMBERSHIP),
    }),
  ),
  write(
    {
      id: "authOrganizationRejectInvitation",
      path: "/organization/reject-invitation",
      summary: "Reject an invitation to the caller's address",
      takes: { invitationId },
      bodyExample: { invitationId: "<invitation_id>" },
    },
    object([], {
      invitation: orNull(described("The invitation.", INVITATION)),
      member: { type: "null", description: "There is no membership." },
    }),
  ),
  write({
    id: "authOrganizationCancelInvitation",
    path: "/organization/cancel-invitation",
    summary: "Take an invitation back",
    takes: { invitationId },
    bodyExample: { invitationId: "<invitation_id>" },
  }, orNull(INVITATION)),
];

const TOLD = object([], { message: { type: "string", description: "What was done." } });

export const TEAM_OPERATIONS: readonly AuthOperation[] = [
  write({
    id: "authOrganizationCreateTeam",
    path: "/organization/create-team",
    summary: "Create a team",
    takes: { name, organizationId },
    bodyExample: { name: "Support" },
  }, TEAM),
  read({
    id: "authOrganizationListTeams",
    path: "/organization/list-teams",
    summary: "List the teams of an organization",
    query: z.object({ organizationId }),
  }, listOf("The teams.", TEAM)),
  write({
    id: "authOrganizationUpdateTeam",
    path: "/organization/update-team",
    summary: "Rename a team",
    takes: {
      teamId: MEMBER.teamId,
      data: z.strictObject({ name }).describe("What changes."),
    },
    bodyExample: { teamId: "<team_id>", data: { name: "Support" } },
  }, orNull(TEAM)),
  write({
    id: "authOrganizationRemoveTeam",
    path: "/organization/remove-team",
    summary: "Remove a team",
    takes: { teamId: MEMBER.teamId, organizationId },
    bodyExample: { teamId: "<team_id>" },
  }, TOLD),
  write({
    id: "authOrganizationAddTeamMember",
    path: "/organization/add-team-member",
    summary: "Add a member to a team",
    takes: { teamId: MEMBER.teamId, userId, organizationId },
    bodyExample: { teamId: "<team_id>", userId: "<user_id>" },
  }, TEAM_MEMBERSHIP),
  write({
    id: "authOrganizationRemoveTeamMember",
    path: "/organization/remove-team-member",
    summary: "Remove a member from a team",
    takes: { teamId: MEMBER.teamId, userId, organizationId },
    bodyExample: { teamId: "<team_id>", userId: "<user_id>" },
  }, TOLD),
  read({
    id: "authOrganizationListTeamMembers",
    path: "/organization/list-team-members",
    summary: "List the members of a team that the caller is in",
    query: z.object({ teamId }),
  }, listOf("The memberships.", TEAM_MEMBERSHIP)),
  read({
    id: "authOrganizationListUserTeams",
    path: "/organization/list-user-teams",
    summary: "List the teams of the caller, or of another member",
    query: z.object({ userId: userId.optional(), organizationId }),
  }, listOf("The teams.", TEAM)),
  write({
    id: "authOrganizationSetActiveTeam",
    path: "/organization/set-active-team",
    summary: "Choose the team that the session acts in; null: none",
    takes: { teamId: MEMBER.teamId.nullable() },
    bodyExample: { teamId: "<team_id>" },
  }, orNull(TEAM)),
];
