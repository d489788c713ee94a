/** Reads the ways to sign in beside a password, which are in `providers.auth` (definitions 2). */
import { nearest } from "../../../../lib/nearest.ts";
import type { AuthModel, OidcProviderModel } from "../../../../model/mod.ts";
import { MAILED_SIGN_IN, needsOfMail, providersOf, SIGN_IN_KEYS } from "../../../../model/mod.ts";
import { SOCIAL_PROVIDERS } from "../../../../model/mod.ts";
import { read } from "../read/read_member.ts";
import type { AccountOptions } from "./account_options.ts";
import type { ConfigFields } from "./config_fields.ts";
import { readEmail } from "./email.ts";
import { readRuntime } from "./providers.ts";

/**
 * Returns the ways to sign in, without a key for those that are off. `others` is the whole configuration, read without reports.
 */
export function readSignIn(
  options: AccountOptions,
  passwords: Pick<AuthModel, "requireEmailVerification">,
  others: ConfigFields,
): Pick<AuthModel, "signIn"> {
  const signIn = {
    magicLink: read(options, "magicLink"),
    emailCode: read(options, "emailCode"),
    twoFactor: read(options, "twoFactor"),
    passkeys: read(options, "passkeys"),
    social: readSocial(options),
    oidc: readOidc(options),
  };
  checkMail(options, { ...passwords, signIn }, others);
  const isOn = SIGN_IN_KEYS.some((key) => signIn[key]) || providersOf(signIn).length > 0;
  return isOn ? { signIn } : {};
}

/** Returns the providers that are switched on, by their names in the account library. */
function readSocial(options: AccountOptions): readonly string[] {
  const { report, path } = options.at;
  return (read(options, "social") ?? []).flatMap(({ key: { text, place }, value }) => {
    if (SOCIAL_PROVIDERS.includes(text)) return value === true ? [text] : [];
    report.add("PROVIDER_UNKNOWN", place, {
      path: `${path}.social`,
      provider: text,
      nearest: nearest(text, SOCIAL_PROVIDERS),
    });
    return [];
  }).sort();
}

/** Reads the OIDC providers. Each has an id that no other provider has. */
function readOidc(options: AccountOptions): readonly OidcProviderModel[] {
  const taken = new Set(SOCIAL_PROVIDERS);
  return (read(options, "oidc") ?? []).flatMap((fields) => {
    const [id, issuer] = [read(fields, "id"), read(fields, "issuer")];
    if (id === undefined || issuer === undefined) return [];
    const place = fields.entries.get("id")?.value.place ?? fields.place;
    if (taken.has(id)) options.at.report.add("PROVIDER_TAKEN", place, { provider: id });
    taken.add(id);
    return [{ id, issuer: issuer.replace(/\/+$/, "") }];
  });
}

/** Reports ways to sign in whose messages no provider sends. Messages in the log are for development only. */
function checkMail(
  { entries, at: { report } }: AccountOptions,
  auth: Pick<AuthModel, "requireEmailVerification" | "signIn">,
  others: ConfigFields,
): void {
  const { name: runtime } = readRuntime(read(others, "providers"));
  const { provider } = readEmail(others, runtime);
  for (const key of needsOfMail(auth)) {
    const entry = entries.get(key) ?? entries.get("emailAndPassword");
    if (entry === undefined) continue;
    const isMailed = MAILED_SIGN_IN.some((mailed) => mailed === key);
    if (isMailed && runtime === "cloudflare") {
      report.add("MAIL_NOT_POSSIBLE", entry.keyPlace, { key });
    } else if (provider === "none") report.add("MAIL_NOT_SENT", entry.keyPlace, { key });
    else if (provider === "log") report.add("VERIFICATION_BY_LOG", entry.keyPlace, { key });
  }
}
