/**
 * What a provider proves of an address (definitions 2, `social` and `oidc`). One of OpenID Connect proves it by the claim
 * `email_verified` of a token that it has signed for this flow; one of the library's own by the flag of its documented API.
 * Nothing else that it says proves anything. What a proof opens is judged here too.
 */
import type { BetterAuthPlugin } from "better-auth/types";
import { base64Bytes, utf8Text } from "../lib/bytes.ts";
import { isJsonObject, type JsonObject, parsedJson } from "../lib/json.ts";
import { credentialsOf } from "../model/mod.ts";
import type { LibraryInput } from "./library_input.ts";
import type { LibraryWrites } from "./credentials/library_writes.ts";

type Provider = Parameters<NonNullable<BetterAuthPlugin["init"]>>[0]["socialProviders"][number];
type Tokens = Parameters<Provider["getUserInfo"]>[0];
type UserInfo = NonNullable<Awaited<ReturnType<Provider["getUserInfo"]>>>;

/** Stands behind every plugin that adds providers. */
export function providerProofs(
  { oidc, settings, project: { auth } }: LibraryInput,
  writes: Pick<LibraryWrites, "hasTakenOver">,
) {
  const ruled = (provider: Provider): Provider => ({
    ...provider,
    options: {
      ...provider.options,
      // The library asks at the end of a sign-in, of the account as it was read before the taking over that proved its address.
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

/** The library verifies a token's signature, issuer, audience, times and nonce, where there is a token. */
function heldToItsToken(provider: Provider, clientId: string): Provider {
  return {
    ...provider,
    accountSubject: ({ profile }) => String(Reflect.get(profile, "sub")),
    async getUserInfo(tokens) {
      if (typeof tokens.idToken !== "string") return null;
      const found = await provider.getUserInfo(tokens);
      const claims = found && claimsFor(tokens, clientId);
      if (found === null || claims === null) return null;
      // What the library reads elsewhere is of the same user, or of nobody (OpenID Connect Core 1.0, 5.3.2).
      if (Reflect.get(found.data, "sub") !== claims["sub"]) return null;
      const { email } = found.user;
      const isProved = isTrue(claims["email_verified"]) && claims["email"] === email;
      return withProof({ ...found, data: { ...found.data, sub: claims["sub"] } }, isProved);
    },
  };
}

/** The claims of a verified token that names one user, to this client alone (OpenID Connect Core 1.0, 2 and 3.1.3.7); else null. */
function claimsFor({ idToken }: Tokens, clientId: string): JsonObject | null {
  const payload = base64Bytes(idToken?.split(".")[1] ?? "", "base64url");
  const claims = payload && parsedJson(utf8Text(payload) ?? "");
  if (!isJsonObject(claims)) return null;
  const { sub, aud, azp } = claims;
  if (typeof sub !== "string" || sub.trim() === "") return null;
  if (azp === undefined ? Array.isArray(aud) && aud.length > 1 : azp !== clientId) return null;
  return claims;
}

/** Providers write a truth as JSON does, or as text. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === "true";
}

/** Only texts of a profile are taken: the library trusts their types. */
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
