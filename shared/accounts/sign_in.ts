/** The account library's plugins for the ways to sign in that a project switches on (definitions 2, `providers.auth`). */
import { emailOTP } from "better-auth/plugins/email-otp";
import { magicLink } from "better-auth/plugins/magic-link";
import type { LibraryInput } from "./auth_options.ts";
import { sendMail } from "./account_mails.ts";
import { passkeyPlugin } from "./passkeys.ts";
import { twoFactorPlugin } from "./two_factor.ts";

/** Seconds that a link or a code of a message holds. The messages say so. */
const MAILED_EXPIRES_IN = 300;

export function signInPlugins(input: LibraryInput) {
  const { signIn } = input.project.auth;
  return [
    ...(signIn?.magicLink ? [magicLinkPlugin(input)] : []),
    ...(signIn?.emailCode ? [emailCodePlugin(input)] : []),
    ...(signIn?.twoFactor ? [twoFactorPlugin(input)] : []),
    ...(signIn?.passkeys ? [passkeyPlugin(input)] : []),
  ];
}

function magicLinkPlugin(input: LibraryInput) {
  const { project: { auth: { disableSignUp } } } = input;
  return magicLink({
    disableSignUp,
    expiresIn: MAILED_EXPIRES_IN,
    storeToken: "hashed",
    async sendMagicLink({ email: to, url, token }, ctx) {
      // The answer does not wait: its time would tell whether there is an account.
      await ctx?.context.runInBackgroundOrAwait((async () => {
        if (disableSignUp && !await ctx.context.internalAdapter.findUserByEmail(to)) return;
        await sendMail(input, "magicLink", { to, key: token, url, values: {} });
      })());
    },
  });
}

function emailCodePlugin(input: LibraryInput) {
  return emailOTP({
    disableSignUp: input.project.auth.disableSignUp,
    expiresIn: MAILED_EXPIRES_IN,
    allowedAttempts: 3,
    otpLength: 6,
    storeOTP: "hashed",
    sendVerificationOTP: ({ email: to, otp }) =>
      sendMail(input, "emailCode", { to, key: otp, values: {} }),
  });
}
