/** Roles that a member of an organization may hold, and their rights in the account library. */
import { createAccessControl } from "better-auth/plugins/access";
import {
  adminAc,
  defaultStatements,
  memberAc,
  ownerAc,
} from "better-auth/plugins/organization/access";
import { type AuthModel, memberRoleNames } from "../model/mod.ts";

/**
 * Makes the library's roles. `owner` and `admin` manage the organization. All others have a member's rights, and differ only in
 * the project's rules.
 */
export function memberRoles(auth: AuthModel) {
  return {
    ac: createAccessControl(defaultStatements),
    roles: {
      ...Object.fromEntries(memberRoleNames(auth).map((role) => [role, memberAc])),
      owner: ownerAc,
      admin: adminAc,
    },
  };
}
