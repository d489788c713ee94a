/** Routes by which users see what they allowed OAuth clients, and take it back; and owners what acts in their organization. */
import type { ProjectModel } from "../../model/mod.ts";
import { isOauthServer } from "../oauth_operations.ts";
import * as op from "./operation.ts";

const takes = { grantId: op.MEMBER.grantId };
const bodyExample = { grantId: "<grant_id>" };

const GRANTS = op.object([], {
  grants: op.listOf("The grants, the newest first.", op.CLIENT_GRANT),
});

export function grantOperations(project: ProjectModel): readonly op.AuthOperation[] {
  if (!isOauthServer(project)) return [];
  return project.multiTenant ? [...OWN, ...OF_ORGANIZATION] : OWN;
}

const OWN: readonly op.AuthOperation[] = [
  op.read({
    id: "authClientGrantList",
    path: "/client-grant/list",
    summary: "List what the caller allowed OAuth clients",
  }, GRANTS),
  op.write({
    id: "authClientGrantRevoke",
    path: "/client-grant/revoke",
    summary: "Take back what the caller allowed an OAuth client",
    takes,
    bodyExample,
  }, op.SUCCESS),
];

const OF_ORGANIZATION: readonly op.AuthOperation[] = [
  op.read({
    id: "authOrganizationListClientGrants",
    path: "/organization/list-client-grants",
    summary: "List what members allowed OAuth clients in the active organization; for its owner",
  }, GRANTS),
  op.write({
    id: "authOrganizationRevokeClientGrant",
    path: "/organization/revoke-client-grant",
    summary: "Take back what a member allowed an OAuth client there; for its owner",
    takes,
    bodyExample,
  }, op.SUCCESS),
];
