/** Ways to sign in beside a password, each switched on by one key of `providers.auth` (definitions 2). */
import type { AuthModel } from "./auth.ts";
import { SignInModel } from "./sign_in_model.ts";

/** Providers of the library that need only an id and a secret. */
export const SOCIAL_PROVIDERS: readonly string[] = [
  "atlassian",
  "cloudflare",
  "discord",
  "dropbox",
  "facebook",
  "figma",
  "github",
  "gitlab",
  "google",
  "huggingface",
  "kakao",
  "kick",
  "line",
  "linear",
  "linkedin",
  "microsoft",
  "naver",
  "notion",
  "paybin",
  "paypal",
  "polar",
  "railway",
  "reddit",
  "roblox",
  "salesforce",
  "slack",
  "spotify",
  "twitch",
  "twitter",
  "vercel",
  "vk",
  "zoom",
];

/** Returns the ids of a project's providers, the library's own first. */
export function providersOf(signIn: SignInModel | undefined): readonly string[] {
  return [...(signIn?.social ?? []), ...(signIn?.oidc ?? []).map(({ id }) => id)];
}

/** Returns the names of the variables with the API's id and secret at a provider. */
export function credentialsOf(provider: string) {
  const name = provider.toUpperCase().replaceAll("-", "_");
  return { id: `${name}_CLIENT_ID`, secret: `${name}_CLIENT_SECRET` } as const;
}

/** Keys that are either on or off. */
export const SIGN_IN_KEYS = [
  "magicLink",
  "emailCode",
  "twoFactor",
  "passkeys",
] as const satisfies readonly (keyof SignInModel)[];

/** Keys whose messages sign somebody in. */
export const MAILED_SIGN_IN = ["magicLink", "emailCode"] as const satisfies readonly (
  keyof SignInModel
)[];

/** Returns the settings of this project that cannot work without mail, as the author writes them. */
export function needsOfMail(
  { requireEmailVerification, signIn }: Pick<AuthModel, "requireEmailVerification" | "signIn">,
): readonly string[] {
  return [
    ...(requireEmailVerification ? ["requireEmailVerification"] : []),
    ...MAILED_SIGN_IN.filter((key) => signIn?.[key]),
  ];
}
