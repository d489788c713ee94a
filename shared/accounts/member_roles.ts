/** Roles that a member of an organization may hold, and their rights in the account library. */
import { createAccessControl } from "better-auth/plugins/access";
import {
  adminAc,
  defaultStatements,
  memberAc,
  ownerAc,
} from "better-auth/plugins/organization/access";
import { type AuthModel, projectRolesOf } from "../model/mod.ts";
import { rolesIn } from "./memberships.ts";

/** `owner` and `admin` manage the organization; every other role is a member's, told apart by the project's rules. */
export function memberRoles(auth: AuthModel) {
  const named = projectRolesOf([...auth.roleHierarchy, ...auth.roles]).filter(isRoleName);
  return {
    ac: createAccessControl(defaultStatements),
    roles: {
      ...Object.fromEntries(named.map((role) => [role, memberAc])),
      owner: ownerAc,
      admin: adminAc,
      member: memberAc,
    },
  };
}

export function isRoleName(role: string): boolean {
  return rolesIn(role)[0] === role && !Object.hasOwn(Object.prototype, role);
}
