/**
 * Lists and revokes grants of users to OAuth clients (contract 5.1). The users manage their own grants, and an organization's
 * owners those in it. A revoked grant counts for nothing from the next request on. Refuses with `ACCESS_NO_ORG`,
 * `ACCESS_ROLE_REQUIRED` and `NOT_FOUND`.
 */
import type { JsonObject } from "../../lib/json.ts";
import { grantsIn, type GrantsOwner, withdrawGrant } from "../data/oauth_rows.ts";
import type { Admitted } from "../gate.ts";
import { refuse } from "../refusal.ts";
import { originOf } from "../request/request_origin.ts";
import { jsonResponse } from "../response/record.ts";
import { ownOrganization } from "./organization_keys.ts";

/** Lists the grants of the caller. */
export function listOwnGrants(request: Admitted): Promise<Response> {
  return listed(request, { userId: request.principal.userId ?? "" });
}

/** Revokes a grant of the caller. */
export function revokeOwnGrant(request: Admitted, body: JsonObject): Promise<Response> {
  return revoked(request, { userId: request.principal.userId ?? "" }, body);
}

/** Lists the grants by which clients act in the caller's active organization, whichever user gave them. */
export function listOrganizationGrants(request: Admitted): Promise<Response> {
  return listed(request, { organizationId: ownOrganization(request) });
}

export function revokeOrganizationGrant(request: Admitted, body: JsonObject): Promise<Response> {
  return revoked(request, { organizationId: ownOrganization(request) }, body);
}

async function listed(request: Admitted, owner: GrantsOwner): Promise<Response> {
  const grants = await grantsIn(request.database, owner, request.now);
  return jsonResponse(JSON.stringify({ grants }), 200);
}

async function revoked(
  request: Admitted,
  owner: GrantsOwner,
  { grantId }: JsonObject,
): Promise<Response> {
  const isOwn = "userId" in owner;
  const end = {
    log: request.app.ports.accounts?.securityLog ?? null,
    by: isOwn ? "account" : "organization",
    origin: isOwn ? originOf(request) : null,
  } as const;
  const isDone = await request.database.write((transaction) =>
    withdrawGrant(transaction, owner, String(grantId), end)
  );
  return isDone ? jsonResponse(JSON.stringify({ success: true }), 200) : refuse("NOT_FOUND");
}
