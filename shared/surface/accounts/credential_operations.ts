/** Describes routes of the caller's own account: its sessions, API keys and password. */
import { z } from "zod";
import { ACCOUNT_MAILS, type ProjectModel, type SignInModel } from "../../model/mod.ts";
import { grantableOf, permissionsMeant } from "../grantable.ts";
import { orNull } from "../schema/zod_json.ts";
import { described } from "../schema/json_schema.ts";
import * as op from "./operation.ts";
import * as answers from "./answers.ts";
import * as members from "./members.ts";
import { signedIn } from "./sign_in_operations.ts";

const { callbackURL, email, enabled, keyId, keyName, newPassword, password, seconds, token } =
  members.MEMBER;

const DELETION = answers.object(["success"], {
  message: described(
    "What was done: a message sent, or the account deleted.",
    { type: "string" },
    "User deleted",
  ),
});

export const SESSION_OPERATIONS: readonly op.AuthOperation[] = [
  op.write({
    id: "authSignOut",
    path: "/sign-out",
    withheld: ["callbackURL", "disableRedirect", "state"],
    summary: "End the session",
    who: "unasked",
  }, answers.SUCCESS),
  op.read(
    {
      id: "authGetSession",
      path: "/get-session",
      withheld: ["disableCookieCache"],
      summary: "Read the session and its user; null without one",
      who: "unasked",
      parameters: z.object({
        disableRefresh: members.QUERY.flag.describe("Whether the session is only read.")
          .optional(),
      }),
    },
    orNull(answers.object([], {
      session: described("The session.", answers.SESSION),
      user: described("The account.", answers.USER),
    })),
  ),
  op.read({
    id: "authListSessions",
    path: "/list-sessions",
    summary: "List the caller's sessions",
  }, answers.listOf("The sessions.", answers.SESSION)),
  op.write({
    id: "authRevokeSession",
    path: "/revoke-session",
    summary: "End one of the caller's sessions",
    takes: { token },
    bodyExample: { token: "<session_token>" },
  }, answers.STATUS),
  op.write({
    id: "authRevokeSessions",
    path: "/revoke-sessions",
    summary: "End all of the caller's sessions, this one too",
  }, answers.STATUS),
  op.write({
    id: "authRevokeOtherSessions",
    path: "/revoke-other-sessions",
    isRepeatable: true,
    summary: "End all of the caller's sessions but this one",
  }, answers.STATUS),
  op.write({
    id: "authUpdateUser",
    path: "/update-user",
    isRepeatable: true,
    summary: "Change the caller's name or picture",
    takes: {
      name: members.MEMBER.name.optional(),
      image: members.MEMBER.image.nullable().optional(),
    },
    bodyExample: { name: "Jane Doe" },
  }, answers.STATUS),
  op.write({
    id: "authDeleteUser",
    path: "/delete-user",
    challenges: [
      { by: "password", member: "password", of: "session" },
      { by: "mailedLink", member: "token", of: "session" },
    ],
    mails: "deleteAccount",
    summary: "Delete the caller's account: with the token of the message that is sent without one",
    takes: {
      password: password.optional(),
      token: token.optional(),
      callbackURL: callbackURL.optional(),
    },
  }, DELETION),
  ...op.link({
    page: {
      id: "authConfirmDeleteUser",
      path: ACCOUNT_MAILS.deleteAccount.link.path,
      summary: "Read what that link is for",
    },
    act: {
      id: "authFollowDeleteUser",
      summary: "Delete the account with that link: by its session or its password",
      takes: { password: password.optional() },
      bodyExample: { token: "<token>" },
    },
    leadsTo: { callbackURL: callbackURL.optional() },
  }, DELETION),
];

const remaining = z.int().min(1).nullable()
  .describe("Calls until it is used up; null: no such limit.").optional();
const rateLimitMax = z.int().min(1).describe("Calls per time window.").optional();
const rateLimitTimeWindow = z.int().min(1000).describe("Milliseconds.").optional();
const expiresIn = seconds.nullable().describe("Seconds until it ends; null: never.").optional();

/** Members of a key's creation. A limit restricts only its own key, so any caller who creates a key may set one. */
const KEY_CREATION = {
  name: keyName.optional(),
  prefix: z.string().regex(/^[a-zA-Z0-9_-]{1,32}$/).describe("What the key begins with.")
    .optional(),
  expiresIn,
  remaining,
  refillAmount: z.int().min(1).describe("Calls that are added again.").optional(),
  refillInterval: z.int().min(1000).describe("Milliseconds between two additions.").optional(),
  rateLimitMax,
  rateLimitTimeWindow,
  rateLimitEnabled: z.boolean().describe("Whether calls are counted.").optional(),
  platformRole: z.boolean().describe(
    "Whether the key carries the platform role of its maker; in production a session with a second factor says so.",
  ).optional(),
} as const;

export function apiKeyOperations(project: ProjectModel): readonly op.AuthOperation[] {
  const mayRead = project.resources.some(({ read }) => read !== null);
  const grantable = grantableOf(project);
  const lists = [...grantable].flatMap(([resource, verbs]) => {
    const list = z.array(z.enum(verbs)).describe("What may be done there.");
    return verbs.length === 0 ? [] : [[resource, list.optional()] as const];
  });
  const making = op.write(
    {
      id: "authApiKeyCreate",
      path: "/api-key/create",
      withheld: ["configId", "metadata", "userId", "organizationId"],
      summary: "Make an API key for the caller in the active organization; the key is shown once",
      takes: {
        ...KEY_CREATION,
        permissions: z.preprocess(
          (written) => permissionsMeant(written, grantable),
          z.strictObject(Object.fromEntries(lists)),
        ).describe(
          "What the key may do at most, by resource, `*` for every one; without it, all that its maker may.",
        ).optional(),
      },
      bodyExample: {
        name: "ci",
        expiresIn: 2_592_000,
        ...(mayRead ? { permissions: { "*": ["read"] } } : {}),
      },
    },
    answers.object(["id", "key"], {
      name: answers.nullable("name"),
      expiresAt: answers.nullable("expiresAt"),
    }),
  );
  return [making, ...KEPT_KEY_OPERATIONS];
}

const KEPT_KEY_OPERATIONS: readonly op.AuthOperation[] = [
  op.read({
    id: "authApiKeyList",
    path: "/api-key/list",
    withheld: ["configId", "organizationId", "limit", "offset", "sortBy", "sortDirection"],
    summary: "List the caller's API keys, without their text",
  }, answers.object([], { apiKeys: answers.listOf("The keys.", answers.API_KEY) })),
  op.read({
    id: "authApiKeyGet",
    path: "/api-key/get",
    withheld: ["configId"],
    summary: "Read one of the caller's API keys, without its text",
    parameters: z.object({ id: keyId }),
  }, answers.API_KEY),
  op.write({
    id: "authApiKeyUpdate",
    path: "/api-key/update",
    withheld: [
      "configId",
      "userId",
      "remaining",
      "refillAmount",
      "refillInterval",
      "metadata",
      "rateLimitEnabled",
      "rateLimitTimeWindow",
      "rateLimitMax",
      "permissions",
    ],
    summary: "Rename, disable or enable an API key",
    takes: { keyId, name: keyName.optional(), enabled: enabled.optional(), expiresIn },
    bodyExample: { keyId: "<key_id>", enabled: false },
  }, answers.API_KEY),
  op.write({
    id: "authApiKeyDelete",
    path: "/api-key/delete",
    withheld: ["configId"],
    summary: "Take an API key back",
    takes: { keyId },
    bodyExample: { keyId: "<key_id>" },
  }, answers.SUCCESS),
];

/** Returns the routes of accounts that sign in with an address and a password. */
export function passwordOperations(
  signIn: SignInModel | undefined,
): readonly op.AuthOperation[] {
  const success = signedIn(signIn);
  return OPERATIONS.map((one) => one.path === "/sign-in/email" ? { ...one, success } : one);
}

const rememberMe = z.boolean().describe("False: the session ends with the browser.").optional();

const ANYBODY = { who: "unasked" } as const;

export const SIGN_UP_OPERATIONS: readonly op.AuthOperation[] = [op.write(
  {
    ...ANYBODY,
    id: "authSignUpEmail",
    path: "/sign-up/email",
    choosesPassword: "password",
    signsIn: "whole",
    mails: "verifyEmail",
    summary: "Create an account, and sign in unless its address must be confirmed first",
    takes: {
      name: members.MEMBER.name,
      email,
      password: newPassword,
      image: members.MEMBER.image.optional(),
      callbackURL: callbackURL.optional(),
      rememberMe,
    },
    bodyExample: { name: "Jane Doe", email: "jane@example.com", password: "<password>" },
  },
  answers.object([], {
    token: answers.nullable("token"),
    user: described("The account.", answers.USER),
  }),
)];

const OPERATIONS: readonly op.AuthOperation[] = [
  op.write({
    ...ANYBODY,
    id: "authSignInEmail",
    path: "/sign-in/email",
    challenges: [{ by: "password", member: "password", of: "email" }],
    signsIn: "firstFactor",
    summary: "Sign in",
    takes: { email, password, callbackURL: callbackURL.optional(), rememberMe },
    bodyExample: { email: "jane@example.com", password: "<password>" },
  }, answers.object(["token"], { user: described("The account.", answers.USER) })),
  op.write({
    ...ANYBODY,
    id: "authRequestPasswordReset",
    path: "/request-password-reset",
    mails: "resetPassword",
    summary: "Ask for a message with a link to a new password",
    takes: { email, redirectTo: callbackURL.optional() },
    bodyExample: { email: "jane@example.com" },
  }, answers.STATUS),
  ...op.link({
    page: {
      id: "authOpenPasswordReset",
      path: ACCOUNT_MAILS.resetPassword.link.path,
      summary: "Read what that link is for",
    },
    act: {
      id: "authFollowPasswordReset",
      summary: "Set a new password with that link",
      choosesPassword: "newPassword",
      takes: { newPassword },
      bodyExample: { newPassword: "<password>" },
    },
    leadsTo: { callbackURL: callbackURL.optional() },
  }, answers.STATUS),
  op.write({
    ...ANYBODY,
    id: "authResetPassword",
    path: "/reset-password",
    challenges: [{ by: "mailedLink", member: "token", of: "proof" }],
    choosesPassword: "newPassword",
    summary: "Set a new password with the token of that link",
    takes: { newPassword, token },
    bodyExample: { newPassword: "<password>", token: "<token>" },
  }, answers.STATUS),
  op.write({
    ...ANYBODY,
    id: "authSendVerificationEmail",
    path: "/send-verification-email",
    mails: "verifyEmail",
    summary: "Ask for another message that confirms the address",
    takes: { email, callbackURL: callbackURL.optional() },
    bodyExample: { email: "jane@example.com" },
  }, answers.STATUS),
  ...op.link(
    {
      page: {
        id: "authVerifyEmail",
        path: ACCOUNT_MAILS.verifyEmail.link.path,
        summary: "Read what the link to an address is for",
      },
      act: {
        id: "authFollowVerifyEmail",
        summary:
          "Confirm an address with the token of its message, by the account's session or password",
        takes: {
          password: password.optional(),
          takeOver: z.boolean().describe(
            "True: somebody else made the account. What was made before ends; `resetToken` sets a password.",
          ).optional(),
        },
        bodyExample: { token: "<token>", password: "<password>" },
      },
      leadsTo: { callbackURL: callbackURL.optional() },
    },
    {
      ...answers.STATUS,
      properties: {
        status: described("Whether it was done.", { type: "boolean" }, true),
        user: orNull(described("The account, when its address changed.", answers.USER)),
        resetToken: described("Sets a password at `/reset-password`.", {
          type: "string",
        }),
      },
    },
  ),
  op.write(
    {
      id: "authChangePassword",
      path: "/change-password",
      challenges: [{ by: "password", member: "currentPassword", of: "session" }],
      choosesPassword: "newPassword",
      summary: "Set another password",
      takes: {
        currentPassword: password,
        newPassword,
        revokeOtherSessions: z.boolean().describe("Whether every other session ends.").optional(),
      },
      bodyExample: { currentPassword: "<password>", newPassword: "<password>" },
    },
    answers.object([], {
      token: answers.nullable("token"),
      user: described("The account.", answers.USER),
    }),
  ),
  op.write({
    id: "authVerifyPassword",
    path: "/verify-password",
    challenges: [{ by: "password", member: "password", of: "session" }],
    summary: "Ask whether this is the caller's password",
    takes: { password },
    bodyExample: { password: "<password>" },
  }, answers.STATUS),
  op.write({
    id: "authChangeEmail",
    path: "/change-email",
    mails: "changeEmail",
    summary: "Ask for another address: the link sent to it makes it count, and the old one is told",
    takes: { newEmail: email, callbackURL: callbackURL.optional() },
    bodyExample: { newEmail: "jane@example.org" },
  }, answers.STATUS),
];
