/** Accounts: signing up, in and out, and the organization to act in (definitions 7, "auth routes"). */
import type { Answer, ApiShape, Body, Member } from "./api.ts";
import type { Session } from "./session.ts";
import type { SessionStore } from "./session_store.ts";
import type { Send } from "./transport.ts";

/** Methods for accounts. A method that the API does not serve, such as a disabled sign-up, is `never`. */
export interface Auth<A extends ApiShape> {
  /** Creates an account and signs in. If the address must be confirmed first, `token` is null. */
  readonly signUp: Taking<A, "signUp">;
  readonly signIn: Taking<A, "signIn">;
  /** Mails a link that signs in. Your own page passes its token to `openLink`. */
  readonly mailLink: Taking<A, "mailLink">;
  readonly openLink: [Member<A["auth"], "followLink">] extends [never] ? never
    : (token: string) => Promise<Answer<A["auth"], "followLink">>;
  /** Mails a code for `signInWithCode`. */
  readonly mailCode: Taking<A, "mailCode">;
  readonly signInWithCode: Taking<A, "signInWithCode">;
  /** Starts to sign in through a provider: redirect the page to the `url` of the answer. */
  readonly signInWith: Taking<A, "signInWith">;
  /** Verifies the second factor, if the first answer has `twoFactorRedirect`. */
  readonly verifyTotp: Taking<A, "verifyTotp">;
  /** Verifies a backup code as the second factor. */
  readonly verifyBackupCode: Taking<A, "verifyBackupCode">;
  /** Ends the session and forgets its token. */
  signOut(): Promise<void>;
  /** Returns the session and its user; null: nobody is signed in. */
  session(): Promise<Answer<A["auth"], "session">>;
  /** Returns the bearer token of requests; null: there is none. */
  token(): Promise<string | null>;
  readonly organization: OrganizationAuth<A>;
}

export type OrganizationAuth<A extends ApiShape> = [Member<A["auth"], "organizations">] extends
  [never] ? never : {
  /** Creates an organization and makes it the active one. */
  readonly create: Taking<A, "createOrganization">;
  list(): Promise<Answer<A["auth"], "organizations">>;
  /** Selects the active organization; null: none. */
  activate(organizationId: string | null): Promise<void>;
};

/** A method whose argument is the route's body. */
type Taking<A extends ApiShape, N extends string> = [Member<A["auth"], N>] extends [never] ? never
  : (body: Body<A["auth"], N>) => Promise<Answer<A["auth"], N>>;

interface AuthContext {
  readonly store: SessionStore;
  readonly session: Session;
  /** Sends requests with the session's cookie. */
  readonly send: Send;
  /** `/auth/v1` */
  readonly base: string;
}

export class RemoteAuth {
  readonly #context: AuthContext;

  constructor(context: AuthContext) {
    this.#context = context;
  }

  signUp(body: unknown): Promise<unknown> {
    return this.#enter("/sign-up/email", body);
  }

  signIn(body: unknown): Promise<unknown> {
    return this.#enter("/sign-in/email", body);
  }

  mailLink(body: unknown): Promise<unknown> {
    return this.#call("POST", "/sign-in/magic-link", body);
  }

  openLink(token: string): Promise<unknown> {
    return this.#enter("/magic-link/verify", { token });
  }

  mailCode(body: unknown): Promise<unknown> {
    return this.#call("POST", "/email-otp/send-verification-otp", body);
  }

  signInWithCode(body: unknown): Promise<unknown> {
    return this.#enter("/sign-in/email-otp", body);
  }

  signInWith(body: unknown): Promise<unknown> {
    return this.#call("POST", "/sign-in/social", body);
  }

  verifyTotp(body: unknown): Promise<unknown> {
    return this.#enter("/two-factor/verify-totp", body);
  }

  verifyBackupCode(body: unknown): Promise<unknown> {
    return this.#enter("/two-factor/verify-backup-code", body);
  }

  async signOut(): Promise<void> {
    const { session, store } = this.#context;
    await this.#call("POST", "/sign-out", {});
    await session.settled();
    await store.forget();
  }

  async session(): Promise<unknown> {
    const session = await this.#call("GET", "/get-session");
    // The answer may have left cookies of a first factor that waits for the second.
    if (session === null) await this.#context.store.forgetToken();
    return session;
  }

  async token(): Promise<string | null> {
    return (await this.#context.store.read()).token ?? null;
  }

  readonly organization = {
    create: async (body: unknown): Promise<unknown> => {
      const organization = await this.#call("POST", "/organization/create", body);
      await this.#context.session.begin();
      return organization;
    },
    list: (): Promise<unknown> => this.#call("GET", "/organization/list"),
    activate: async (organizationId: string | null): Promise<void> => {
      await this.#call("POST", "/organization/set-active", { organizationId });
      await this.#context.session.begin();
    },
  };

  async #enter(path: string, body: unknown): Promise<unknown> {
    const { store, session } = this.#context;
    const response = await this.#send("POST", path, body);
    // A token of an earlier session must not remain.
    await session.settled();
    await store.forget();
    await store.keepCookies(response);
    const entered: { readonly token?: string | null } = await response.json();
    if (typeof entered.token === "string") await session.begin();
    return entered;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await this.#send(method, path, body);
    await this.#context.store.keepCookies(response);
    return await response.json();
  }

  #send(method: string, path: string, body?: unknown): Promise<Response> {
    const { send, base } = this.#context;
    return send({ method, path: base + path, body, isUnkeyed: true });
  }
}
