/** Ways to sign in beside a password, each switched on by one key of `providers.auth` (definitions 2). */
import type { AuthModel } from "./project.ts";

export interface SignInModel {
  /** A link in a message, which signs in whoever opens it. */
  readonly magicLink: boolean;
  /** A code in a message, to be typed in. */
  readonly emailCode: boolean;
}

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
