/** The account library itself. Imported on first use only: an API that is called with tokens never loads it. */
import { isAPIError } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";
import type { OidcProviderModel } from "../model/mod.ts";
import { authOptions, type LibraryInput } from "./auth_options.ts";
import { oidcHandler } from "./oidc_libraries.ts";

export { renewSecondFactors, versioned } from "./encrypted_secrets.ts";

export interface AccountLibrary {
  handle(request: Request): Promise<Response>;
  /** Counts a use of an API key that has a limit: null when it may be used. */
  claimKeyUse(key: string): Promise<"AUTH_INVALID_TOKEN" | "RATE_LIMITED" | null>;
  /** True for the password of the account of this cookie header. */
  isPassword(cookie: string, password: string): Promise<boolean>;
}

/** One instance per application. */
export function openLibrary(input: Omit<LibraryInput, "createKey" | "oidc">): AccountLibrary {
  const open = (oidc?: OidcProviderModel) => {
    const library = betterAuth(
      authOptions({
        ...input,
        ...(oidc ? { oidc } : {}),
        createKey: (body): Promise<Record<string, unknown>> => library.api.createApiKey({ body }),
      }),
    );
    return library;
  };
  const library = open();
  const atProvider = oidcHandler(input.project.auth.signIn?.oidc ?? [], (provider) => {
    const own = open(provider);
    return {
      handle: (request) => own.handler(request),
      async issuerOf(id) {
        const { socialProviders } = await own.$context;
        return socialProviders.find((known) => known.id === id)?.issuer;
      },
    };
  });
  return {
    handle: async (request) => await atProvider(request) ?? await library.handler(request),
    async claimKeyUse(key) {
      const { valid, error } = await library.api.verifyApiKey({ body: { key } });
      if (valid) return null;
      return USED_UP.has(String(error?.code)) ? "RATE_LIMITED" : "AUTH_INVALID_TOKEN";
    },
    async isPassword(cookie, password) {
      try {
        const headers = new Headers({ cookie });
        await library.api.verifyPassword({ headers, body: { password } });
        return true;
      } catch (error) {
        if (isAPIError(error) && error.statusCode < 500) return false;
        throw error;
      }
    },
  };
}

/** Codes of the library for a key whose limit is reached. */
const USED_UP: ReadonlySet<string> = new Set(["RATE_LIMITED", "USAGE_EXCEEDED"]);
