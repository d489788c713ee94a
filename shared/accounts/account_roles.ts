/**
 * Roles that an account itself may hold (definitions 7 "Smaller answers"; contract 5.4), and the rights of those among them
 * that administer accounts.
 */
import { createAccessControl } from "better-auth/plugins/access";
import { adminAc, defaultStatements, userAc } from "better-auth/plugins/admin/access";
import { projectRolesOf } from "../model/principal.ts";
import type { ProjectModel } from "../model/project.ts";
import { isRoleName } from "./member_roles.ts";

/** `sysadmin` manages accounts; `appmanager` and, without organizations, the project's roles do not. */
export function accountRoles({ auth, multiTenant }: ProjectModel) {
  const named = multiTenant ? [] : projectRolesOf([...auth.roleHierarchy, ...auth.roles]);
  return {
    ac: createAccessControl(defaultStatements),
    roles: {
      ...Object.fromEntries(named.filter(isRoleName).map((role) => [role, userAc])),
      appmanager: userAc,
      sysadmin: adminAc,
    },
  };
}
