/**
 * Proofs of an address by a provider (definitions 2, `social` and `oidc`). An OpenID Connect provider proves it by the claim
 * `email_verified` of a token that it signed for this sign-in. A provider of the library's own proves it by the flag of its
 * documented API. This file also decides what a proof opens.
 */
import type { BetterAuthPlugin } from "better-auth/types";
import { base64Bytes, utf8Text } from "../lib/bytes.ts";
import { isJsonObject, type JsonObject, parsedJson } from "../lib/json.ts";
import { credentialsOf } from "../model/mod.ts";
import type { LibraryInput } from "./library_input.ts";
import type { LibraryWrites } from "./credentials/library_writes.ts";

type Provider = Parameters<NonNullable<BetterAuthPlugin["init"]>>[0]["socialProviders"][number];
type UserInfo = NonNullable<Awaited<ReturnType<Provider["getUserInfo"]>>>;

/** Makes the plugin. It must stand behind every plugin that adds providers. */
export function providerProofs(
  { oidc, settings, project: { auth } }: LibraryInput,
  writes: Pick<LibraryWrites, "hasTakenOver">,
) {
  const ruled = (provider: Provider): Provider => ({
    ...provider,
    options: {
      ...provider.options,
      // The library reads this at the end of a sign-in, with the account as it was before a taking over proved its address.
      get requireEmailVerification() {
        return auth.requireEmailVerification && !writes.hasTakenOver();
      },
    },
  });
  return {
    id: "quickback-provider-proofs",
    init: ({ socialProviders }) => ({
      context: {
        socialProviders: socialProviders.map(ruled).map((provider) => {
          if (provider.id !== oidc?.id) return heldToItsFlag(provider);
          const clientId = settings.variable?.(credentialsOf(provider.id).id) ?? "";
          return heldToItsToken(provider, clientId);
        }),
      },
    }),
  } satisfies BetterAuthPlugin;
}

function heldToItsFlag(provider: Provider): Provider {
  return {
    ...provider,
    async getUserInfo(tokens) {
      const found = await provider.getUserInfo(tokens);
      return found && withProof(found, isTrue(found.user.emailVerified));
    },
  };
}

/**
 * Restricts a provider to its token. The library verifies signature, issuer, audience, times and nonce of a token, if there is
 * one.
 */
function heldToItsToken(provider: Provider, clientId: string): Provider {
  return {
    ...provider,
    accountSubject: ({ profile }) => String(Reflect.get(profile, "sub")),
    async getUserInfo(tokens) {
      if (typeof tokens.idToken !== "string") return null;
      const found = await provider.getUserInfo(tokens);
      const claims = found && claimsFor(tokens, clientId);
      if (found === null || claims === null) return null;
      // A profile from elsewhere must be of the same user (OpenID Connect Core 1.0, 5.3.2).
      if (Reflect.get(found.data, "sub") !== claims["sub"]) return null;
      const { email } = found.user;
      const isProved = isTrue(claims["email_verified"]) && claims["email"] === email;
      return withProof({ ...found, data: { ...found.data, sub: claims["sub"] } }, isProved);
    },
  };
}

/**
 * Returns the claims of a verified token that names one user and only this client (OpenID Connect Core 1.0, 2 and 3.1.3.7);
 * else null.
 */
function claimsFor(
  { idToken }: Parameters<Provider["getUserInfo"]>[0],
  clientId: string,
): JsonObject | null {
  const payload = base64Bytes(idToken?.split(".")[1] ?? "", "base64url");
  const claims = payload && parsedJson(utf8Text(payload) ?? "");
  if (!isJsonObject(claims)) return null;
  const { sub, aud, azp } = claims;
  if (typeof sub !== "string" || sub.trim() === "") return null;
  if (azp === undefined ? Array.isArray(aud) && aud.length > 1 : azp !== clientId) return null;
  return claims;
}

/** True for the boolean and for the text that some providers send instead. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === "true";
}

/** Keeps only texts of a profile, because the library trusts its types. */
function withProof({ user, data }: UserInfo, emailVerified: boolean): UserInfo {
  const { name, email, image } = user;
  const isAddress = typeof email === "string" && email !== "";
  return {
    data,
    user: {
      ...user,
      name: typeof name === "string" ? name : "",
      email: isAddress ? email : null,
      image: typeof image === "string" ? image : undefined,
      emailVerified: isAddress && emailVerified,
    },
  };
}
