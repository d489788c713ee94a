/** Ways to sign in beside a password, each switched on by one key of `providers.auth` (definitions 2). */
import type { AuthModel } from "./project.ts";

export interface SignInModel {
  /** A link in a message, which signs in whoever opens it. */
  readonly magicLink: boolean;
  /** A code in a message, to be typed in. */
  readonly emailCode: boolean;
  /** A code of a device beside whatever an account signs in with, for accounts that ask for it. */
  readonly twoFactor: boolean;
}

export const SIGN_IN_KEYS = [
  "magicLink",
  "emailCode",
  "twoFactor",
] as const satisfies readonly (keyof SignInModel)[];

/** The keys whose messages sign somebody in. */
export const MAILED_SIGN_IN = ["magicLink", "emailCode"] as const satisfies readonly (
  keyof SignInModel
)[];

/** The settings of this project that no account can do without mail, as the author writes them. */
export function needsOfMail(
  { requireEmailVerification, signIn }: Pick<AuthModel, "requireEmailVerification" | "signIn">,
): readonly string[] {
  return [
    ...(requireEmailVerification ? ["requireEmailVerification"] : []),
    ...MAILED_SIGN_IN.filter((key) => signIn?.[key]),
  ];
}
