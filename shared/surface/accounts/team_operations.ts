/** Routes of the teams of an organization. */
import { z } from "zod";
import { orNull } from "../schema/zod_json.ts";
import { type AuthOperation, MEMBER, read, write } from "./operation.ts";
import { listOf, object, TEAM, TEAM_MEMBERSHIP } from "./records.ts";

const { name, teamId, userId } = MEMBER;
const organizationId = MEMBER.organizationId.optional();

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
      teamId,
      data: z.strictObject({ name }).describe("What changes."),
    },
    bodyExample: { teamId: "<team_id>", data: { name: "Support" } },
  }, orNull(TEAM)),
  write({
    id: "authOrganizationRemoveTeam",
    path: "/organization/remove-team",
    summary: "Remove a team",
    takes: { teamId, organizationId },
    bodyExample: { teamId: "<team_id>" },
  }, TOLD),
  write({
    id: "authOrganizationAddTeamMember",
    path: "/organization/add-team-member",
    summary: "Add a member to a team",
    takes: { teamId, userId, organizationId },
    bodyExample: { teamId: "<team_id>", userId: "<user_id>" },
  }, TEAM_MEMBERSHIP),
  write({
    id: "authOrganizationRemoveTeamMember",
    path: "/organization/remove-team-member",
    summary: "Remove a member from a team",
    takes: { teamId, userId, organizationId },
    bodyExample: { teamId: "<team_id>", userId: "<user_id>" },
  }, TOLD),
  read({
    id: "authOrganizationListTeamMembers",
    path: "/organization/list-team-members",
    summary: "List the members of a team that the caller is in",
    query: z.object({ teamId: teamId.optional() }),
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
    takes: { teamId: teamId.nullable() },
    bodyExample: { teamId: "<team_id>" },
  }, orNull(TEAM)),
];
