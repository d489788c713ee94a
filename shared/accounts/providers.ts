/**
 * Sign-in through providers (definitions 2, `social` and `oidc`): those that the account library knows, and any OpenID Connect
 * provider.
 */
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { BetterAuthOptions } from "better-auth/types";
import { credentialsOf, type OidcProviderModel } from "../model/mod.ts";
import type { LibraryInput } from "./library_input.ts";

/** Returns the library's own providers by name. */
export function socialProviders(input: LibraryInput): BetterAuthOptions["socialProviders"] {
  const { social = [] } = input.project.auth.signIn ?? {};
  return Object.fromEntries(social.map((provider) => [provider, rulesOf(provider, input)]));
}

/** Returns the plugin of a provider whose addresses come from its discovery document when the library is opened. */
export function oidcPlugin({ id, issuer }: OidcProviderModel, input: LibraryInput) {
  return genericOAuth({
    config: [{
      providerId: id,
      discoveryUrl: `${issuer}/.well-known/openid-configuration`,
      scopes: ["openid", "email", "profile"],
      pkce: true,
      // The identity must come from a token that the provider signed for this client and sign-in.
      requireIdTokenVerification: true,
      ...rulesOf(id, input),
    }],
  });
}

function rulesOf(provider: string, { project: { auth }, settings }: LibraryInput) {
  const { id, secret } = credentialsOf(provider);
  return {
    clientId: settings.variable?.(id) ?? "",
    clientSecret: settings.variable?.(secret) ?? "",
    disableSignUp: auth.disableSignUp,
  };
}

/**
 * Rules for linking an account at a provider by its address. It is linked only if the provider has proved the address;
 * otherwise anybody could claim an address at some provider. If the address is unproved here, linking takes the account over
 * (`credentials/library_writes.ts`). No access tokens of the provider are stored.
 */
export const LINKING = {
  updateAccountOnSignIn: false,
  accountLinking: { enabled: true, requireLocalEmailVerified: false, allowDifferentEmails: false },
} satisfies BetterAuthOptions["account"];

export const WITHOUT_TOKENS = {
  create: {
    before: (account) =>
      Promise.resolve({
        data: { ...account, accessToken: null, refreshToken: null, idToken: null },
      }),
  },
  update: {
    before: (account) =>
      Promise.resolve({
        data: {
          ...account,
          ...("accessToken" in account ? { accessToken: null } : {}),
          ...("refreshToken" in account ? { refreshToken: null } : {}),
          ...("idToken" in account ? { idToken: null } : {}),
        },
      }),
  },
} satisfies NonNullable<BetterAuthOptions["databaseHooks"]>["account"];
