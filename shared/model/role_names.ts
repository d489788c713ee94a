/** Roles by the places where a definition may name them (definitions 4.2). */
import { ORGANIZATION_ROLES, PLATFORM_ROLES, ROLE_NAME, STANDING_ROLES } from "../contract/mod.ts";
import type { AuthModel, DelegatedPrincipalModel } from "./auth.ts";
import { delegatedRole, projectRolesOf } from "./principal.ts";
import type { ProjectModel } from "./project.ts";

/** Returns the roles that a member of an organization may hold: the standing ones, and all that the project's rules name. */
export function memberRoleNames(
  { roleHierarchy, roles }: Pick<AuthModel, "roleHierarchy" | "roles">,
): readonly string[] {
  return [...new Set([...ORGANIZATION_ROLES, ...ownRoleNames([...roleHierarchy, ...roles])])];
}

/** Returns the roles that an account itself may hold: the platform's, and, without organizations, the project's. */
export function accountRoleNames(
  { auth, multiTenant }: Pick<ProjectModel, "auth" | "multiTenant">,
): readonly string[] {
  const own = multiTenant ? [] : ownRoleNames([...auth.roleHierarchy, ...auth.roles]);
  return [...new Set([...PLATFORM_ROLES, ...own])];
}

/**
 * Returns every role that a rule may name, without duplicates; null when the configuration lists none, so that any name is
 * valid (definitions 4.2).
 */
export function knownRoles(
  { roleHierarchy, declaredRoles, principals }: RoleLists,
): readonly string[] | null {
  if (roleHierarchy.length === 0 && declaredRoles === undefined) return null;
  const delegated = principals.flatMap(({ name, variants }) =>
    variants.map((variant) => delegatedRole(name, variant))
  );
  return [
    ...new Set([...roleHierarchy, ...declaredRoles ?? [], ...STANDING_ROLES, ...delegated]),
  ];
}

/**
 * Returns the roles without names such as `toString`. The account library looks a role up in an object, which has those names
 * by inheritance.
 */
export function ownRoleNames(roles: readonly string[]): readonly string[] {
  return projectRolesOf(roles).filter((role) =>
    ROLE_NAME.test(role) && !Object.hasOwn(Object.prototype, role)
  );
}

export interface RoleLists extends Pick<AuthModel, "roleHierarchy" | "declaredRoles"> {
  readonly principals: readonly Pick<DelegatedPrincipalModel, "name" | "variants">[];
}
