/** The account library's plugins for the ways to sign in that a project switches on (definitions 2, `providers.auth`). */
import { emailOTP } from "better-auth/plugins/email-otp";
import { magicLink } from "better-auth/plugins/magic-link";
import { ACCOUNT_MAILS } from "../model/mod.ts";
import type { LibraryInput } from "./library_input.ts";
import { shareOf, takeMail } from "./mail_limits.ts";
import { languagesOf, sendMail } from "./account_mails.ts";
import { linkIdentifier } from "./mailed_links/link_rows.ts";
import { passkeyPlugin } from "./passkeys.ts";
import { twoFactorPlugin } from "./two_factor.ts";

/** Seconds until a mailed code expires. The message names them. */
const CODE_EXPIRES_IN = 300;

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
    expiresIn: ACCOUNT_MAILS.magicLink.link.expiresIn,
    // The library stores this link as the service stores all others.
    storeToken: {
      type: "custom-hasher",
      hash: (token) => linkIdentifier("magicLink", token),
    },
    async sendMagicLink({ email: to, url, token }, ctx) {
      // The answer does not wait, because its time would reveal whether there is an account.
      await ctx?.context.runInBackgroundOrAwait((async () => {
        const isNobody = disableSignUp && !await ctx.context.internalAdapter.findUserByEmail(to);
        if (!await takeMail(input.database, to, await shareOf(input, ctx)) || isNobody) return;
        const asked = new URL(url).searchParams;
        const languages = languagesOf(ctx);
        await sendMail(input, "magicLink", { to, keys: { token }, asked, languages, values: {} });
      })());
    },
  });
}

function emailCodePlugin(input: LibraryInput) {
  return emailOTP({
    disableSignUp: input.project.auth.disableSignUp,
    expiresIn: CODE_EXPIRES_IN,
    allowedAttempts: 3,
    otpLength: 6,
    storeOTP: "hashed",
    async sendVerificationOTP({ email: to, otp }, ctx) {
      if (!await takeMail(input.database, to, await shareOf(input, ctx))) return;
      const languages = languagesOf(ctx);
      await sendMail(input, "emailCode", { to, keys: { code: otp }, languages, values: {} });
    },
  });
}
