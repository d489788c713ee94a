/** Routes with which a `sysadmin` administers accounts. */
import { z } from "zod";
import type { JsonSchema } from "../parameters.ts";
import {
  type AuthOperation,
  described,
  listOf,
  MEMBER,
  object,
  QUERY,
  read,
  SESSION,
  STATUS,
  SUCCESS,
  USER,
  write,
} from "./operation.ts";

const { email, image, name, newPassword, roles, userId } = MEMBER;

const ANSWERED_USER = object([], { user: described("The account.", USER) });

const REFUSALS = [400, 401, 403, 404] as const;

const TOTALS: Readonly<Record<string, JsonSchema>> = {
  users: listOf("The accounts.", USER),
  total: { type: "integer", minimum: 0, description: "How many there are." },
};

const COLUMNS = ["email", "name", "createdAt", "updatedAt"] as const;

/** For a body that says no more than which account is meant. */
function ofUser(
  id: string,
  path: string,
  { summary, success, refusals = REFUSALS }: {
    readonly summary: string;
    readonly success: JsonSchema;
    readonly refusals?: readonly number[];
  },
): AuthOperation {
  const bodyExample = { userId: "<user_id>" };
  return write({ id, path, summary, takes: { userId }, bodyExample, refusals }, success);
}

export const ADMIN_OPERATIONS: readonly AuthOperation[] = [
  read({
    id: "authAdminGetUser",
    path: "/admin/get-user",
    summary: "Read an account; for sysadmin",
    query: z.object({ id: userId }),
    refusals: REFUSALS,
  }, USER),
  read({
    id: "authAdminListUsers",
    path: "/admin/list-users",
    summary: "List accounts; for sysadmin",
    query: z.object({
      searchValue: name.describe("What the searched column must hold.").optional(),
      searchField: z.enum(["email", "name"]).describe("Column to search.").optional(),
      searchOperator: z.enum(["contains", "starts_with", "ends_with"])
        .describe("Where in the column it must stand.").optional(),
      limit: QUERY.count.optional(),
      offset: QUERY.offset.optional(),
      sortBy: z.enum(COLUMNS).describe("Column to sort by.").optional(),
      sortDirection: z.enum(["asc", "desc"]).describe("Direction to sort in.").optional(),
    }),
  }, object([], TOTALS)),
  write({
    id: "authAdminCreateUser",
    path: "/admin/create-user",
    summary: "Create an account, also where nobody may sign up; for sysadmin",
    takes: { email, name, password: newPassword.optional(), role: roles.optional() },
    bodyExample: { name: "Jane Doe", email: "jane@example.com", password: "<password>" },
  }, ANSWERED_USER),
  write({
    id: "authAdminUpdateUser",
    path: "/admin/update-user",
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
    refusals: REFUSALS,
  }, USER),
  write({
    id: "authAdminSetRole",
    path: "/admin/set-role",
    summary: "Name the platform roles of an account; for sysadmin",
    takes: { userId, role: roles },
    bodyExample: { userId: "<user_id>", role: "appmanager" },
    refusals: REFUSALS,
  }, ANSWERED_USER),
  write({
    id: "authAdminSetUserPassword",
    path: "/admin/set-user-password",
    summary: "Give an account another password; for sysadmin",
    takes: { userId, newPassword },
    bodyExample: { userId: "<user_id>", newPassword: "<password>" },
    refusals: REFUSALS,
  }, STATUS),
  write({
    id: "authAdminBanUser",
    path: "/admin/ban-user",
    summary: "Lock an account out and end its sessions; for sysadmin",
    takes: {
      userId,
      banReason: name.describe("Why.").optional(),
      banExpiresIn: MEMBER.seconds.optional(),
    },
    bodyExample: { userId: "<user_id>" },
    refusals: REFUSALS,
  }, ANSWERED_USER),
  ofUser("authAdminUnbanUser", "/admin/unban-user", {
    summary: "Let an account in again; for sysadmin",
    success: ANSWERED_USER,
  }),
  ofUser("authAdminListUserSessions", "/admin/list-user-sessions", {
    summary: "List the sessions of an account; for sysadmin",
    success: object([], { sessions: listOf("The sessions.", SESSION) }),
  }),
  write({
    id: "authAdminRevokeUserSession",
    path: "/admin/revoke-user-session",
    summary: "End a session of an account; for sysadmin",
    takes: { sessionToken: MEMBER.token },
    bodyExample: { sessionToken: "<session_token>" },
  }, SUCCESS),
  ofUser("authAdminRevokeUserSessions", "/admin/revoke-user-sessions", {
    summary: "End all sessions of an account; for sysadmin",
    success: SUCCESS,
  }),
  ofUser("authAdminRemoveUser", "/admin/remove-user", {
    summary: "Delete an account; for sysadmin",
    success: SUCCESS,
    refusals: [...REFUSALS, 409],
  }),
  write({
    id: "authAdminHasPermission",
    path: "/admin/has-permission",
    summary: "Ask whether the caller's platform role permits something",
    takes: { permissions: MEMBER.permissions },
    bodyExample: { permissions: { user: ["list"] } },
  }, object(["success"])),
];
