/** Roles that a member of an organization may hold, and their rights in the account library. */
import { createAccessControl } from "better-auth/plugins/access";
import {
  adminAc,
  defaultStatements,
  memberAc,
  ownerAc,
} from "better-auth/plugins/organization/access";
import { type AuthModel, memberRoleNames } from "../model/mod.ts";

/** `owner` and `admin` manage the organization; every other role is a member's, told apart by the project's rules. */
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
