/** Describes routes with which a `sysadmin` administers accounts. */
import { z } from "zod";
import type { JsonSchema } from "../parameters.ts";
import { described } from "../schema/json_schema.ts";
import * as op from "./operation.ts";
import * as answers from "./answers.ts";
import * as members from "./members.ts";
import { ofSysadmin } from "./route_role.ts";

const { email, image, name, newPassword, roles, userId } = members.MEMBER;

const ANSWERED_USER = answers.object([], { user: described("The account.", answers.USER) });

const TOTALS: Readonly<Record<string, JsonSchema>> = {
  users: answers.listOf("The accounts.", answers.USER),
  total: { type: "integer", minimum: 0, description: "How many there are." },
};

const COLUMNS = ["email", "name", "createdAt", "updatedAt"] as const;

/** Members of a body that contains only the id of an account. */
const OF_USER = { takes: { userId }, bodyExample: { userId: "<user_id>" } } as const;

/** Routes with which a `sysadmin` acts in an account's place, if the project allows that. */
export const IMPERSONATION_OPERATIONS: readonly op.AuthOperation[] = [
  op.write(
    {
      ...OF_USER,
      id: "authAdminImpersonateUser",
      path: "/admin/impersonate-user",
      role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS"),
      summary:
        "Act in an account's place for an hour, or until it is stopped; every answer names the sysadmin in Impersonated-By; for sysadmin, and for no account of another one",
    },
    answers.object([], {
      session: described("The session in its place.", answers.SESSION),
      user: described("The account.", answers.USER),
    }),
  ),
  op.write(
    {
      id: "authAdminStopImpersonating",
      path: "/admin/stop-impersonating",
      whileImpersonating: true,
      summary: "Go back to the sysadmin's own session",
    },
    answers.object([], {
      session: described("The sysadmin's session.", answers.SESSION),
      user: described("The sysadmin's account.", answers.USER),
    }),
  ),
];

export const ADMIN_OPERATIONS: readonly op.AuthOperation[] = [
  op.read({
    id: "authAdminGetUser",
    path: "/admin/get-user",
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_GET_USER"),
    summary: "Read an account; for sysadmin",
    parameters: z.object({ id: userId }),
  }, answers.USER),
  op.read({
    id: "authAdminListUsers",
    path: "/admin/list-users",
    withheld: ["filterField", "filterValue", "filterOperator"],
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_LIST_USERS"),
    summary: "List accounts; for sysadmin",
    parameters: z.object({
      searchValue: members.MEMBER.text.describe("What the searched column must hold.").optional(),
      searchField: z.enum(["email", "name"]).describe("Column to search.").optional(),
      searchOperator: z.enum(["contains", "starts_with", "ends_with"])
        .describe("Where in the column it must stand.").optional(),
      limit: members.QUERY.count.optional(),
      offset: members.QUERY.offset.optional(),
      sortBy: z.enum(COLUMNS).describe("Column to sort by.").optional(),
      sortDirection: z.enum(["asc", "desc"]).describe("Direction to sort in.").optional(),
    }),
  }, answers.object([], TOTALS)),
  op.write({
    id: "authAdminCreateUser",
    path: "/admin/create-user",
    withheld: ["data"],
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS"),
    summary: "Create an account, also where nobody may sign up; for sysadmin",
    choosesPassword: "password",
    takes: { email, name, password: newPassword.optional(), role: roles.optional() },
    bodyExample: { name: "Jane Doe", email: "jane@example.com", password: "<password>" },
  }, ANSWERED_USER),
  op.write({
    id: "authAdminUpdateUser",
    path: "/admin/update-user",
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS"),
    summary: "Change an account's name, picture or address; for sysadmin",
    takes: {
      userId,
      data: z.strictObject({
        name: name.optional(),
        image: image.nullable().optional(),
        email: email.optional(),
        emailVerified: z.boolean().describe("Whether the address is confirmed.").optional(),
      }).describe("What changes."),
    },
    bodyExample: { userId: "<user_id>", data: { name: "Jane Doe" } },
  }, answers.USER),
  op.write({
    id: "authAdminSetRole",
    path: "/admin/set-role",
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE"),
    summary: "Name the platform roles of an account; for sysadmin",
    takes: { userId, role: roles },
    bodyExample: { userId: "<user_id>", role: "appmanager" },
  }, ANSWERED_USER),
  op.write({
    id: "authAdminSetUserPassword",
    path: "/admin/set-user-password",
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD"),
    summary: "Give an account another password; for sysadmin",
    choosesPassword: "newPassword",
    takes: { userId, newPassword },
    bodyExample: { userId: "<user_id>", newPassword: "<password>" },
  }, answers.STATUS),
  op.write({
    id: "authAdminBanUser",
    path: "/admin/ban-user",
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"),
    summary: "Lock an account out and end its sessions; for sysadmin",
    takes: {
      userId,
      banReason: members.MEMBER.text.describe("Why.").optional(),
      banExpiresIn: members.MEMBER.seconds.optional(),
    },
    bodyExample: { userId: "<user_id>" },
  }, ANSWERED_USER),
  op.write({
    ...OF_USER,
    id: "authAdminUnbanUser",
    path: "/admin/unban-user",
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"),
    summary: "Let an account in again; for sysadmin",
  }, ANSWERED_USER),
  op.write({
    ...OF_USER,
    id: "authAdminListUserSessions",
    path: "/admin/list-user-sessions",
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS"),
    summary: "List the sessions of an account; for sysadmin",
  }, answers.object([], { sessions: answers.listOf("The sessions.", answers.SESSION) })),
  op.write({
    id: "authAdminRevokeUserSession",
    path: "/admin/revoke-user-session",
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS"),
    summary: "End a session of an account; for sysadmin",
    takes: { sessionToken: members.MEMBER.token },
    bodyExample: { sessionToken: "<session_token>" },
  }, answers.SUCCESS),
  op.write({
    ...OF_USER,
    id: "authAdminRevokeUserSessions",
    path: "/admin/revoke-user-sessions",
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS"),
    summary: "End all sessions of an account; for sysadmin",
  }, answers.SUCCESS),
  op.write({
    ...OF_USER,
    id: "authAdminRemoveUser",
    path: "/admin/remove-user",
    role: ofSysadmin("YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS"),
    summary: "Delete an account; for sysadmin",
  }, answers.SUCCESS),
  op.write({
    id: "authAdminHasPermission",
    path: "/admin/has-permission",
    isRepeatable: true,
    withheld: ["userId", "role", "permission"],
    summary: "Ask whether the caller's platform role permits something",
    takes: { permissions: members.MEMBER.permissions },
    bodyExample: { permissions: { user: ["list"] } },
  }, answers.object(["success"])),
];
