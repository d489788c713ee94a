/**
 * Lets the owners of an organization list its API keys, without the keys' text, and revoke them, whichever member made them
 * (definitions 7). Refuses with `ACCESS_NO_ORG`, `ACCESS_ROLE_REQUIRED` and `NOT_FOUND`.
 */
import type { JsonObject } from "../../lib/json.ts";
import type { Access } from "../../model/mod.ts";
import { deleteKey, keysIn } from "../data/organization_keys.ts";
import type { Admitted } from "../gate.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { refuse } from "../refusal.ts";
import { jsonResponse } from "../response/record.ts";

const OWNERS: Access = { kind: "roles", roles: ["owner", "sysadmin"] };

/** Lists the keys that act in the caller's active organization. */
export async function listOrganizationKeys(request: Admitted): Promise<Response> {
  const apiKeys = await keysIn(request.database, ownOrganization(request));
  return jsonResponse(JSON.stringify({ apiKeys }), 200);
}

/** Revokes a key of that organization; from the next request on it proves nothing. */
export async function revokeOrganizationKey(
  request: Admitted,
  { keyId }: JsonObject,
): Promise<Response> {
  const key = { keyId: String(keyId), organizationId: ownOrganization(request) };
  const log = request.app.ports.accounts?.securityLog ?? null;
  if (!await request.database.write((transaction) => deleteKey(transaction, key, log))) {
    refuse("NOT_FOUND");
  }
  return jsonResponse(JSON.stringify({ success: true }), 200);
}

/** Returns the active organization of an owner, or of a `sysadmin`. */
export function ownOrganization({ principal }: Admitted): string {
  if (principal.organizationId === null) return refuse("ACCESS_NO_ORG");
  requireRole({ access: OWNERS, grant: null }, principal);
  return principal.organizationId;
}
