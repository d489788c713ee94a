/** Describes routes of the ways to sign in beside a password: only those that the project switches on (definitions 2). */
import { z } from "zod";
import { ACCOUNT_MAILS, type SignInModel } from "../../model/mod.ts";
import type { JsonSchema } from "../parameters.ts";
import { described } from "../schema/json_schema.ts";
import * as op from "./operation.ts";
import * as answers from "./answers.ts";
import * as members from "./members.ts";

const { callbackURL, email, image, name } = members.MEMBER;

const ANYBODY = { who: "unasked" } as const;

const SIGNED_IN = answers.object(["token"], { user: described("The account.", answers.USER) });

const CHALLENGE: JsonSchema = {
  type: "object",
  description: "The account has a second factor, which is asked for next.",
  properties: {
    twoFactorRedirect: { type: "boolean", const: true, description: "There is no session yet." },
    twoFactorMethods: {
      type: "array",
      description: "Ways to prove it.",
      items: { type: "string" },
    },
  },
  required: ["twoFactorRedirect", "twoFactorMethods"],
};

/** Returns the response of a first factor: a session, or the request for a second factor. */
export function signedIn(signIn: SignInModel | undefined): JsonSchema {
  return signIn?.twoFactor ? { anyOf: [SIGNED_IN, CHALLENGE] } : SIGNED_IN;
}

/** Parameters with the pages to which a browser may be sent. */
export const PAGES = {
  callbackURL: callbackURL.optional(),
  newUserCallbackURL: callbackURL.describe("The same for an account that is made by it.")
    .optional(),
  errorCallbackURL: callbackURL.describe("The same for a refusal, with `?error=`.").optional(),
} as const;

export function magicLinkOperations(
  signIn: SignInModel | undefined,
): readonly op.AuthOperation[] {
  const followed = signedIn(signIn);
  return [
    MAGIC_LINK,
    ...op.link({
      page: {
        id: "authVerifyMagicLink",
        path: ACCOUNT_MAILS.magicLink.link.path,
        summary: "Read what the link is for",
      },
      act: {
        id: "authFollowMagicLink",
        summary: "Sign in with the token of that link, which works once",
        signsIn: "firstFactor",
        takes: {},
        bodyExample: { token: "<token>" },
      },
      leadsTo: PAGES,
    }, followed),
  ];
}

const MAGIC_LINK = op.write({
  ...ANYBODY,
  id: "authSignInMagicLink",
  path: "/sign-in/magic-link",
  withheld: ["metadata"],
  mails: "magicLink",
  summary: "Ask for a message with a link that signs in; the answer tells nothing of the account",
  takes: { email, name: name.optional(), ...PAGES },
  bodyExample: { email: "jane@example.com" },
}, answers.STATUS);

/** A code has the length in which it is sent. */
const code = z.string().regex(/^[0-9]{6}$/)
  .meta({ description: "The code of the message.", examples: ["123456"] });

export function emailCodeOperations(
  signIn: SignInModel | undefined,
): readonly op.AuthOperation[] {
  return [EMAIL_CODE, { ...EMAIL_CODE_SIGN_IN, success: signedIn(signIn) }];
}

const EMAIL_CODE = op.write({
  ...ANYBODY,
  id: "authSendEmailCode",
  path: "/email-otp/send-verification-otp",
  mails: "emailCode",
  summary: "Ask for a message with a code to sign in; the answer tells nothing of the account",
  takes: { email, type: z.literal("sign-in").describe("What the code is for.") },
  bodyExample: { email: "jane@example.com", type: "sign-in" },
}, answers.SUCCESS);

const EMAIL_CODE_SIGN_IN = op.write({
  ...ANYBODY,
  id: "authSignInEmailCode",
  path: "/sign-in/email-otp",
  challenges: [{ by: "mailedCode", member: "otp", of: "email" }],
  signsIn: "firstFactor",
  summary: "Sign in with that code, which works once and bears three mistakes",
  takes: { email, otp: code, name: name.optional(), image: image.optional() },
  bodyExample: { email: "jane@example.com", otp: "123456" },
}, SIGNED_IN);

/** Accounts with a password must send it. Those without one leave it out and need a session of the last ten minutes. */
const password = members.MEMBER.password.optional();

const PASSWORD = { by: "password", member: "password", of: "session" } as const;

const trustDevice = z.boolean()
  .describe("Whether this browser is not asked again for thirty days.").optional();

const BACKUP_CODES = answers.listOf("Codes that work once each, in the place of the device.", {
  type: "string",
});

const TOTP_URI: JsonSchema = {
  type: "string",
  description: "Secret for an authenticator app, `otpauth://…`.",
};

export const TWO_FACTOR_OPERATIONS: readonly op.AuthOperation[] = [
  op.write({
    id: "authEnableTwoFactor",
    path: "/two-factor/enable",
    withheld: ["issuer"],
    challenges: [PASSWORD],
    needsFresh: true,
    summary: "Ask for a second factor: it counts once a code of the device was right",
    takes: {
      password,
      method: z.literal("totp").describe("Kind of the second factor.").optional(),
    },
    bodyExample: { password: "<password>" },
  }, answers.object([], { totpURI: TOTP_URI, backupCodes: BACKUP_CODES })),
  op.write({
    id: "authDisableTwoFactor",
    path: "/two-factor/disable",
    challenges: [PASSWORD],
    needsFresh: true,
    summary: "Go without a second factor again",
    takes: { password },
    bodyExample: { password: "<password>" },
  }, answers.STATUS),
  op.write({
    id: "authReadTotpUri",
    path: "/two-factor/get-totp-uri",
    challenges: [PASSWORD],
    needsFresh: true,
    summary: "Read the secret for another device",
    takes: { password },
    bodyExample: { password: "<password>" },
  }, answers.object([], { totpURI: TOTP_URI })),
  op.write({
    id: "authMakeBackupCodes",
    path: "/two-factor/generate-backup-codes",
    challenges: [PASSWORD],
    needsFresh: true,
    summary: "Make new backup codes; the old ones are over",
    takes: { password },
    bodyExample: { password: "<password>" },
  }, answers.object(["status"], { backupCodes: BACKUP_CODES })),
  op.write({
    ...ANYBODY,
    id: "authVerifyTotp",
    path: "/two-factor/verify-totp",
    challenges: [{ by: "totp", member: "code", of: "proof" }],
    signsIn: "secondFactor",
    summary: "Give the second factor after the first, or for the first time",
    takes: { code, trustDevice },
    bodyExample: { code: "123456" },
  }, SIGNED_IN),
  op.write({
    ...ANYBODY,
    id: "authVerifyBackupCode",
    path: "/two-factor/verify-backup-code",
    withheld: ["disableSession"],
    challenges: [{ by: "backupCode", member: "code", of: "proof" }],
    signsIn: "secondFactor",
    summary: "Give a backup code in the place of the second factor; it works once",
    takes: {
      code: members.MEMBER.token.meta({ description: "A backup code.", examples: ["Ab3dE-fGh1j"] }),
      trustDevice,
    },
    bodyExample: { code: "Ab3dE-fGh1j" },
  }, SIGNED_IN),
];
