/**
 * The session of a signed-in user: its cookie where a request needs it, else a bearer token that is renewed (contract 5.2,
 * 5.3).
 */
import { ApiError } from "./api_error.ts";
import type { Credentials } from "./credentials.ts";
import type { SessionStore } from "./session_store.ts";
import type { Send } from "./transport.ts";

type Headers = Readonly<Record<string, string>>;

/** Makes the headers that prove the session to account routes and the token route. A browser adds its cookie by itself. */
export function sessionCookie(store: SessionStore, baseUrl: string): Credentials {
  return {
    async headers() {
      const cookies = Object.entries((await store.read()).cookies ?? {});
      if (cookies.length === 0) return {};
      const cookie = cookies.map(([name, value]) => `${name}=${value}`).join("; ");
      // A write with a cookie must name its page. This program is no page, so it uses the API's origin.
      return { cookie, origin: new URL(baseUrl).origin };
    },
    renew: () => Promise.resolve(false),
  };
}

interface SessionContext {
  readonly store: SessionStore;
  readonly cookie: Credentials;
  /** Sends requests with the session's cookie. */
  readonly send: Send;
  /** Path of the token route. */
  readonly tokenPath: string;
}

export class Session implements Credentials {
  readonly #context: SessionContext;
  /** The token request in progress, shared by all requests whose token expired at the same time. */
  #minting: Promise<Minting> | null = null;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  async headers(): Promise<Headers> {
    const { store, cookie } = this.#context;
    const { token } = await store.read();
    return token === undefined ? await cookie.headers() : bearer(token);
  }

  async renew(expired: Headers): Promise<boolean> {
    const { token } = await this.#context.store.read();
    const isAnother = token !== undefined &&
      bearer(token)["authorization"] !== expired["authorization"];
    return isAnother || await this.#mintOnce() === "minted";
  }

  /** Resolves when no token of the earlier state of the session is on its way. */
  async settled(): Promise<void> {
    // The caller who asked for the token gets its error.
    await this.#minting?.catch(() => {});
  }

  /**
   * Makes a token for the present session, after a sign-in or a change of organization. The earlier token is dropped first.
   * Throws `ApiError` if the session's cookie was not sent, as from a page of another site.
   */
  async begin(): Promise<void> {
    await this.settled();
    await this.#context.store.forgetToken();
    if (await this.#mintOnce() === "unknown") throw cookieless();
  }

  #mintOnce(): Promise<Minting> {
    return this.#minting ??= this.#mint().finally(() => this.#minting = null);
  }

  async #mint(): Promise<Minting> {
    const { store, send, tokenPath } = this.#context;
    try {
      const response = await send({ method: "POST", path: tokenPath, body: {}, isUnkeyed: true });
      const { token }: { readonly token: string } = await response.json();
      await store.write({ ...await store.read(), token });
      return "minted";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A project of contract v2 may have no token route. Its session is then the credential.
      if (error.status === 404) return "none";
      if (error.status !== 401) throw error;
      await store.forget();
      return "unknown";
    }
  }
}

/** `none`: the API issues no tokens. `unknown`: it does not know the session. */
type Minting = "minted" | "none" | "unknown";

function cookieless(): ApiError {
  return new ApiError({
    status: 401,
    code: "AUTH_SESSION_REQUIRED",
    message: "Signed in, but the session's cookie did not come along with the request for a token",
    hint:
      "Browsers send it to the site of the page alone: serve page and API from one site, or the API through a proxy of the page's server",
    pointer: null,
    details: {},
    requestId: null,
    retryAfter: null,
  });
}

function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}
