/** Sign-in through providers (definitions 2, `social` and `oidc`): those that the account library knows, and any that speaks OpenID Connect. */
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { BetterAuthOptions } from "better-auth/types";
import { credentialsOf, type OidcProviderModel } from "../model/mod.ts";
import type { LibraryInput } from "./library_input.ts";

/** Those of the library, by their names there. */
export function socialProviders(input: LibraryInput): BetterAuthOptions["socialProviders"] {
  const { social = [] } = input.project.auth.signIn ?? {};
  return Object.fromEntries(social.map((provider) => [provider, rulesOf(provider, input)]));
}

/** A provider whose addresses are read from its own document, when the library is opened. */
export function oidcPlugin({ id, issuer }: OidcProviderModel, input: LibraryInput) {
  return genericOAuth({
    config: [{
      providerId: id,
      discoveryUrl: `${issuer}/.well-known/openid-configuration`,
      scopes: ["openid", "email", "profile"],
      pkce: true,
      // Who somebody is stands in what the provider signed, for us and for this one flow.
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
 * An account at a provider is linked by its address where the provider has proved it: else whoever claims an address at some
 * provider would have the account. Where nobody has proved it here, that takes the account over
 * (`credentials/library_writes.ts`). Nothing that opens anything at the provider is kept.
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
