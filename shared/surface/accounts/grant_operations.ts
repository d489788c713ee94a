/**
 * Describes routes with which users list and revoke what they granted to OAuth clients, and owners list the clients that act in
 * their organization.
 */
import * as op from "./operation.ts";
import * as answers from "./answers.ts";
import * as members from "./members.ts";
import { ofOwners } from "./route_role.ts";

const takes = { grantId: members.MEMBER.grantId };
const bodyExample = { grantId: "<grant_id>" };

const GRANTS = answers.object([], {
  grants: answers.listOf("The grants, the newest first.", answers.CLIENT_GRANT),
});

export const OWN_GRANT_OPERATIONS: readonly op.AuthOperation[] = [
  op.read({
    id: "authClientGrantList",
    path: "/client-grant/list",
    own: "listOwnGrants",
    summary: "List what the caller allowed OAuth clients",
  }, GRANTS),
  op.write({
    id: "authClientGrantRevoke",
    path: "/client-grant/revoke",
    own: "revokeOwnGrant",
    summary: "Take back what the caller allowed an OAuth client",
    takes,
    bodyExample,
  }, answers.SUCCESS),
];

export const ORGANIZATION_GRANT_OPERATIONS: readonly op.AuthOperation[] = [
  op.read({
    id: "authOrganizationListClientGrants",
    path: "/organization/list-client-grants",
    role: ofOwners([], "ACCESS_NO_ORG"),
    own: "listOrganizationGrants",
    summary: "List what members allowed OAuth clients in the active organization; for its owner",
  }, GRANTS),
  op.write({
    id: "authOrganizationRevokeClientGrant",
    path: "/organization/revoke-client-grant",
    role: ofOwners([], "ACCESS_NO_ORG"),
    own: "revokeOrganizationGrant",
    summary: "Take back what a member allowed an OAuth client there; for its owner",
    takes,
    bodyExample,
  }, answers.SUCCESS),
];
