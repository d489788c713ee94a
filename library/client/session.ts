/** The session of somebody who signed in: its cookie where a request needs it, else a bearer token that is renewed (contract 5.2, 5.3). */
import { ApiError } from "./api_error.ts";
import type { Credentials } from "./credentials.ts";
import type { SessionStore } from "./session_store.ts";
import type { Send } from "./transport.ts";

type Headers = Readonly<Record<string, string>>;

/** Headers that prove the session itself, to the account routes and where tokens are minted. A browser adds its cookie to none. */
export function sessionCookie(store: SessionStore, baseUrl: string): Credentials {
  return {
    async headers() {
      const cookies = Object.entries((await store.read()).cookies ?? {});
      if (cookies.length === 0) return {};
      const cookie = cookies.map(([name, value]) => `${name}=${value}`).join("; ");
      // Writes with a cookie say which page they come from: this one is no page, and has no other origin.
      return { cookie, origin: new URL(baseUrl).origin };
    },
    renew: () => Promise.resolve(false),
  };
}

interface SessionContext {
  readonly store: SessionStore;
  readonly cookie: Credentials;
  /** Sends with the session's cookie. */
  readonly send: Send;
  /** Address at which tokens are minted. */
  readonly tokenPath: string;
}

export class Session implements Credentials {
  readonly #context: SessionContext;
  /** Requests whose token expired at the same time wait for one new token. */
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

  /** Is there when no token is on its way that is of the session as it was. */
  async settled(): Promise<void> {
    // The caller who asked for it hears why it did not come.
    await this.#minting?.catch(() => {});
  }

  /**
   * Mints a token for the session as it is now, after a sign-in or a change of organization. The token from before is dropped first.
   * Throws `ApiError` where the session's cookie did not come along, as from a page of another site.
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
      // A project of contract v2 may have no such route: its session is the credential.
      if (error.status === 404) return "none";
      if (error.status !== 401) throw error;
      await store.forget();
      return "unknown";
    }
  }
}

/** `none`: the API mints no tokens; `unknown`: it knows of no session. */
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
