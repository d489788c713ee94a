/** Routes of the ways to sign in beside a password: those that the project switches on, and no other (definitions 2). */
import { z } from "zod";
import type { SignInModel } from "../../model/sign_in.ts";
import * as op from "./operation.ts";

const { callbackURL, email, image, name, token } = op.MEMBER;

const ANYBODY = { who: "unasked" } as const;

const SIGNED_IN = op.object(["token"], { user: op.described("The account.", op.USER) });

/** Pages that a browser may be led to. */
const PAGES = {
  callbackURL: callbackURL.optional(),
  newUserCallbackURL: callbackURL.describe("The same for an account that is made by it.")
    .optional(),
  errorCallbackURL: callbackURL.describe("The same for a refusal, with `?error=`.").optional(),
} as const;

const MAGIC_LINK: readonly op.AuthOperation[] = [
  op.write({
    ...ANYBODY,
    id: "authSignInMagicLink",
    path: "/sign-in/magic-link",
    summary: "Ask for a message with a link that signs in; the answer tells nothing of the account",
    takes: { email, name: name.optional(), ...PAGES },
    bodyExample: { email: "jane@example.com" },
  }, op.STATUS),
  op.read({
    ...ANYBODY,
    id: "authVerifyMagicLink",
    path: "/magic-link/verify",
    summary: "Sign in with the token of that link, which works once",
    query: z.object({ token, ...PAGES }),
    redirects: true,
  }, SIGNED_IN),
];

/** As long as they are sent. */
const code = z.string().regex(/^[0-9]{6}$/)
  .meta({ description: "The code of the message.", examples: ["123456"] });

const EMAIL_CODE: readonly op.AuthOperation[] = [
  op.write({
    ...ANYBODY,
    id: "authSendEmailCode",
    path: "/email-otp/send-verification-otp",
    summary: "Ask for a message with a code to sign in; the answer tells nothing of the account",
    takes: { email, type: z.literal("sign-in").describe("What the code is for.") },
    bodyExample: { email: "jane@example.com", type: "sign-in" },
  }, op.SUCCESS),
  op.write({
    ...ANYBODY,
    id: "authSignInEmailCode",
    path: "/sign-in/email-otp",
    summary: "Sign in with that code, which works once and bears three mistakes",
    takes: { email, otp: code, name: name.optional(), image: image.optional() },
    bodyExample: { email: "jane@example.com", otp: "123456" },
  }, SIGNED_IN),
];

export function signInOperations(signIn: SignInModel | undefined): readonly op.AuthOperation[] {
  return [
    ...(signIn?.magicLink ? MAGIC_LINK : []),
    ...(signIn?.emailCode ? EMAIL_CODE : []),
  ];
}
