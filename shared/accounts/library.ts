/** The account library itself. It is imported on first use, so that an API called with tokens never loads it. */
import { isAPIError } from "better-auth/api";
import { parseUserOutput } from "better-auth/db";
import { betterAuth } from "better-auth/minimal";
import type { OidcProviderModel } from "../model/mod.ts";
import type { EmailSender } from "../runtime/ports.ts";
import { authOptions } from "./auth_options.ts";
import type { LibraryInput } from "./library_input.ts";
import { type LinkActs, linkActs } from "./mailed_links/link_acts.ts";
import { oidcHandler } from "./oidc_libraries.ts";
import { sendNotice } from "./security_log/notices.ts";
import { answeringRequest } from "./security_log/record_acts.ts";

export { renewSecondFactors, versioned } from "./encrypted_secrets.ts";

export interface AccountLibrary {
  handle(request: Request): Promise<Response>;
  /** Counts a use of an API key with a rate limit. Returns null if the key may be used. */
  claimKeyUse(key: string): Promise<"AUTH_INVALID_TOKEN" | "RATE_LIMITED" | null>;
  /** The acts of mailed links. */
  readonly links: LinkActs;
  /** Runs a request of our own within the library's context for these headers. */
  answering<T extends Response | string>(headers: Headers, run: () => Promise<T>): Promise<T>;
  /** True when the password belongs to the account of this cookie header. */
  isPassword(cookie: string, password: string): Promise<boolean>;
}

/** Opens the library. There is one instance per application. */
export function openLibrary(
  given: Omit<LibraryInput, "createKey" | "oidc" | "tasks">,
): AccountLibrary {
  const tasks = new Set<Promise<void>>();
  const input = { ...given, tasks, email: unawaited(given) };
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
    links: linkActs({ input, library, toldUser: (user) => parseUserOutput(library.options, user) }),
    answering: (headers, run) =>
      answeringRequest(
        headers,
        (notice) => sendNotice(input, notice, headers.get("accept-language")),
        run,
      ),
    async handle(request) {
      const answer = await atProvider(request) ?? await library.handler(request);
      // A sent message's link must be valid before the answer leaves.
      await Promise.all(tasks);
      return answer;
    },
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

/** The library's codes for a key whose limit is reached. */
const USED_UP: ReadonlySet<string> = new Set(["RATE_LIMITED", "USAGE_EXCEEDED"]);

/** Returns a sender that runs in the background, so that a slow mail server neither delays nor fails an answer. */
function unawaited({ email, logger }: Pick<LibraryInput, "email" | "logger">): EmailSender {
  return {
    send(message) {
      email.send(message).catch((error: unknown) =>
        logger.log({ level: "error", message: "Accounts: a message was not sent", error })
      );
      return Promise.resolve();
    },
  };
}
