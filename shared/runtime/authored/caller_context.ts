/** Converts the caller into the `ctx` that authored code receives. */
import type { Caller } from "../context.ts";

/** Makes `ctx` of authored code (definitions 7, "smaller answers"). */
export function contextOf({ principal, organizationId }: Caller) {
  const { userId, teamId, roles, userRole, scope = null, delegate } = principal;
  return Object.freeze({
    userId,
    organizationId,
    activeOrgId: organizationId,
    teamId,
    roles: [...roles],
    userRole,
    scope,
    delegate: delegate ? { ...delegate } : null,
    impersonatedBy: principal.impersonatedBy ?? null,
  });
}
