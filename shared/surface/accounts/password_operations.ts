/** Routes of accounts that sign in with an address and a password. */
import type { AuthModel } from "../../model/project.ts";
import { read, write } from "./define.ts";
import { MEMBER } from "./members.ts";
import type { AuthOperation } from "./operation.ts";
import { described, nullable, object, STATUS, USER } from "./records.ts";
import { orNull } from "../schema/zod_json.ts";
import { z } from "zod";

export function passwordOperations(
  { emailAndPassword, disableSignUp }: AuthModel,
): readonly AuthOperation[] {
  if (!emailAndPassword) return [];
  return [...(disableSignUp ? [] : [SIGN_UP]), ...OPERATIONS];
}

const { callbackURL, email, newPassword, password, token } = MEMBER;

const rememberMe = z.boolean().describe("False: the session ends with the browser.").optional();

const ANYBODY = { who: "unasked" } as const;

const SIGN_UP = write({
  ...ANYBODY,
  id: "authSignUpEmail",
  path: "/sign-up/email",
  summary: "Create an account, and sign in unless its address must be confirmed first",
  takes: {
    name: MEMBER.name,
    email,
    password: newPassword,
    image: MEMBER.image.optional(),
    callbackURL: callbackURL.optional(),
    rememberMe,
  },
  bodyExample: { name: "Jane Doe", email: "jane@example.com", password: "<password>" },
  refusals: [400, 403, 422],
}, object([], { token: nullable("token"), user: described("The account.", USER) }));

const OPERATIONS: readonly AuthOperation[] = [
  write({
    ...ANYBODY,
    id: "authSignInEmail",
    path: "/sign-in/email",
    summary: "Sign in",
    takes: { email, password, callbackURL: callbackURL.optional(), rememberMe },
    bodyExample: { email: "jane@example.com", password: "<password>" },
    refusals: [400, 401, 403],
  }, object(["token"], { user: described("The account.", USER) })),
  write({
    ...ANYBODY,
    id: "authRequestPasswordReset",
    path: "/request-password-reset",
    summary: "Ask for a message with a link to a new password",
    takes: { email, redirectTo: callbackURL.optional() },
    bodyExample: { email: "jane@example.com" },
    refusals: [400, 403],
  }, STATUS),
  read({
    ...ANYBODY,
    id: "authOpenPasswordReset",
    path: "/reset-password/:token",
    summary:
      "Follow the link of that message: leads on to `callbackURL` with the token, or an error",
    query: z.object({ callbackURL }),
    redirects: true,
    refusals: [400, 403],
  }, null),
  write({
    ...ANYBODY,
    id: "authResetPassword",
    path: "/reset-password",
    summary: "Set a new password with the token of that link",
    takes: { newPassword, token },
    bodyExample: { newPassword: "<password>", token: "<token>" },
    refusals: [400, 403],
  }, STATUS),
  write({
    ...ANYBODY,
    id: "authSendVerificationEmail",
    path: "/send-verification-email",
    summary: "Ask for another message that confirms the address",
    takes: { email, callbackURL: callbackURL.optional() },
    bodyExample: { email: "jane@example.com" },
    refusals: [400, 403],
  }, STATUS),
  read(
    {
      ...ANYBODY,
      id: "authVerifyEmail",
      path: "/verify-email",
      summary:
        "Confirm an address with the token of its message; a changed address counts from here on",
      query: z.object({ token, callbackURL: callbackURL.optional() }),
      redirects: true,
      refusals: [400, 401, 403],
    },
    object(["status"], { user: orNull(described("The account, when its address changed.", USER)) }),
  ),
  write({
    id: "authChangePassword",
    path: "/change-password",
    summary: "Set another password",
    takes: {
      currentPassword: password,
      newPassword,
      revokeOtherSessions: z.boolean().describe("Whether every other session ends.").optional(),
    },
    bodyExample: { currentPassword: "<password>", newPassword: "<password>" },
  }, object([], { token: nullable("token"), user: described("The account.", USER) })),
  write({
    id: "authVerifyPassword",
    path: "/verify-password",
    summary: "Ask whether this is the caller's password",
    takes: { password },
    bodyExample: { password: "<password>" },
  }, STATUS),
  write({
    id: "authChangeEmail",
    path: "/change-email",
    summary: "Ask for another address: the link sent to it makes it count, and the old one is told",
    takes: { newEmail: email, callbackURL: callbackURL.optional() },
    bodyExample: { newEmail: "jane@example.org" },
  }, STATUS),
];
