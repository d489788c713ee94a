/** The ways to sign in beside a password, of `providers.auth` (definitions 2). */
import type { AuthModel } from "../../../../model/project.ts";
import { MAILED_SIGN_IN, needsOfMail } from "../../../../model/sign_in.ts";
import { read } from "../read/read_member.ts";
import type { AccountOptions } from "./auth.ts";
import type { ConfigFields } from "./config_fields.ts";
import { readEmail } from "./email.ts";
import { readRuntime } from "./providers.ts";

/** Without a key where nothing is on. `others` is the whole configuration, read without a word. */
export function readSignIn(
  options: AccountOptions,
  passwords: Pick<AuthModel, "requireEmailVerification">,
  others: ConfigFields,
): Pick<AuthModel, "signIn"> {
  const signIn = {
    magicLink: read(options, "magicLink"),
    emailCode: read(options, "emailCode"),
    twoFactor: read(options, "twoFactor"),
  };
  checkMail(options, { ...passwords, signIn }, others);
  return Object.values(signIn).some((on) => on) ? { signIn } : {};
}

/** Messages that nobody can send are a mistake; messages in the log serve development alone. */
function checkMail(
  { entries, at: { report } }: AccountOptions,
  auth: Pick<AuthModel, "requireEmailVerification" | "signIn">,
  others: ConfigFields,
): void {
  const isLogged = readEmail(others).provider !== "smtp";
  const isWorker = readRuntime(read(others, "providers")).name === "cloudflare";
  for (const key of needsOfMail(auth)) {
    const entry = entries.get(key) ?? entries.get("emailAndPassword");
    if (entry === undefined) continue;
    const isMailed = MAILED_SIGN_IN.some((mailed) => mailed === key);
    if (isMailed && isWorker) report.add("MAIL_NOT_POSSIBLE", entry.keyPlace, { key });
    else if (isLogged) report.add("VERIFICATION_BY_LOG", entry.keyPlace, { key });
  }
}
