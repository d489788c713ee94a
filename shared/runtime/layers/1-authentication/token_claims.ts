/** Turns the claims of a verified token into a principal (definitions 7, "JWT"); null for any other shape. */
import {
  ANONYMOUS,
  isPlatformRole,
  type Principal,
  projectRolesOf,
} from "../../../model/principal.ts";

/** The principal of these claims; null when a claim has another shape. A null claim counts as absent. */
export function principalOfClaims(claims: Readonly<Record<string, unknown>>): Principal | null {
  const userId = claims["sub"];
  const organizationId = claims["orgId"] ?? null;
  const teamId = claims["teamId"] ?? null;
  const roles = claims["roles"] ?? [];
  const userRole = claims["userRole"] ?? null;
  if (!hasTextualNames(claims)) return null;
  if ((claims["scope"] ?? null) !== null) return scopePrincipal(claims);
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

/** Principal of a scope token: no user, and nothing but the scope and its organization (contract 5.4). */
function scopePrincipal(claims: Readonly<Record<string, unknown>>): Principal | null {
  const { sub, scope } = claims;
  const organizationId = claims["orgId"] ?? null;
  if (typeof scope !== "string" || !SCOPE_NAME.test(scope)) return null;
  if (sub !== scopeSubject(scope)) return null;
  if (organizationId !== null && !isName(organizationId)) return null;
  if (["teamId", "roles", "userRole"].some((name) => (claims[name] ?? null) !== null)) return null;
  return { ...ANONYMOUS, credential: "scope", organizationId, scope };
}

export const SCOPE_NAME = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,63}$/;

/** The `sub` of a scope token: nobody's user id. */
export function scopeSubject(scope: string): string {
  return `scope:${scope}`;
}

/** RFC 7519, 4.1: an id is a text, and so is each audience; the library asks for one audience of many. */
function hasTextualNames({ jti = null, aud }: Readonly<Record<string, unknown>>): boolean {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return (jti === null || typeof jti === "string") && audiences.every(isName);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isRoleList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isName);
}
