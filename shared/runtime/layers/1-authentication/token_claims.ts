/** What a verified token says about its bearer (definitions 7, "JWT"). Any other shape is no principal. */
import { isPlatformRole, type Principal, projectRolesOf } from "../../../model/principal.ts";

/** The principal of these claims; null when a claim has another shape. A null claim counts as absent. */
export function principalOfClaims(claims: Readonly<Record<string, unknown>>): Principal | null {
  const userId = claims["sub"];
  const organizationId = claims["orgId"] ?? null;
  const teamId = claims["teamId"] ?? null;
  const roles = claims["roles"] ?? [];
  const userRole = claims["userRole"] ?? null;
  if (!isName(userId) || !isRoleList(roles)) return null;
  if (organizationId !== null && !isName(organizationId)) return null;
  if (teamId !== null && !isName(teamId)) return null;
  if (userRole !== null && !isPlatformRole(userRole)) return null;
  return {
    credential: "token",
    userId,
    organizationId,
    teamId,
    roles: projectRolesOf(roles),
    userRole,
  };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isRoleList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isName);
}
