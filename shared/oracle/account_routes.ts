/**
 * Derives the refusals of account routes for callers with a session from the routes' own records (definitions 7, "account
 * routes").
 */
import { RUNTIME_CODES } from "../contract/mod.ts";
import type { Principal, ProjectModel } from "../model/mod.ts";
import { type AuthOperation, NO_ORGANIZATION, NOT_A_MEMBER } from "../surface/mod.ts";
import type { Home, PrincipalClass } from "./principal_class.ts";

/** Returns the kinds of callers that only account routes distinguish. They are no classes of the manifest. */
export function accountClassesOf(
  { multiTenant }: ProjectModel,
  home: Home,
): readonly PrincipalClass[] {
  const alone: Principal = {
    credential: "session",
    userId: home.userId,
    organizationId: null,
    teamId: null,
    roles: [],
    userRole: null,
  };
  const members = ["member", "admin", "owner"].map((role) => ({
    name: `session:${role}`,
    description: `A session of a member with the role ${role}`,
    caller: { ...alone, organizationId: home.organizationId, roles: [role] },
  }));
  return [
    { name: "session", description: "A session of an account in no organization", caller: alone },
    ...(multiTenant ? members : []),
    ...(["appmanager", "sysadmin"] as const).map((userRole) => ({
      name: `session:${userRole}`,
      description: `A session of an account with the platform role ${userRole}`,
      caller: { ...alone, userRole },
    })),
  ];
}

interface AccountRefusal {
  readonly status: number;
  readonly code: string;
}

/**
 * Returns the refusal; null: the caller has the route's role in the organization that the request names, else in the active
 * one.
 */
export function accountRefusalOf(
  { role }: AuthOperation,
  { organizationId, roles, userRole }: Principal,
): AccountRefusal | null {
  if (role === null) return null;
  const isOneOf = (names: readonly string[]) => userRole !== null && names.includes(userRole);
  if (role.kind === "platform") {
    return isOneOf(role.roles) ? null : { status: 403, code: role.refusal };
  }
  const { refusal } = role;
  if (organizationId === null) {
    if (role.isOptional) return null;
    const code = refusal.form === "library" ? NO_ORGANIZATION : refusal.outside;
    return { status: 403, code };
  }
  const isIn = role.roles === null || role.roles.some((one) => roles.includes(one));
  if (isIn || isOneOf(role.platform)) return null;
  const code = refusal.form === "problem"
    ? "ACCESS_ROLE_REQUIRED"
    : role.roles === null
    ? NOT_A_MEMBER
    : refusal.code;
  return { status: RUNTIME_CODES.ACCESS_ROLE_REQUIRED.status, code };
}
