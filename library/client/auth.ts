/** Accounts: signing up, in and out, and the organization to act in (definitions 7, "auth routes"). */
import type { Answer, ApiShape, Body, Member } from "./api.ts";
import type { Session } from "./session.ts";
import type { SessionStore } from "./session_store.ts";
import type { Send } from "./transport.ts";

/** A call that the API does not serve, such as sign-up where it is disabled, is `never`. */
export interface Auth<A extends ApiShape> {
  /** Makes an account and signs in, unless its address must be confirmed first: then `token` is null. */
  readonly signUp: Taking<A, "signUp">;
  readonly signIn: Taking<A, "signIn">;
  /** Mails a link that signs in the browser which opens it; a page of one's own gives its token to `openLink`. */
  readonly mailLink: Taking<A, "mailLink">;
  readonly openLink: [Member<A["auth"], "followLink">] extends [never] ? never
    : (token: string) => Promise<Answer<A["auth"], "followLink">>;
  /** Mails a code, which `signInWithCode` takes. */
  readonly mailCode: Taking<A, "mailCode">;
  readonly signInWithCode: Taking<A, "signInWithCode">;
  /** Begins to sign in through a provider: the page goes to the `url` of the answer, and comes back signed in. */
  readonly signInWith: Taking<A, "signInWith">;
  /** The second factor, where the answer of a first one asks for it (`twoFactorRedirect`). */
  readonly verifyTotp: Taking<A, "verifyTotp">;
  /** A backup code in its place. */
  readonly verifyBackupCode: Taking<A, "verifyBackupCode">;
  /** Ends the session and forgets its token. */
  signOut(): Promise<void>;
  /** The session and its user; null: nobody is signed in. */
  session(): Promise<Answer<A["auth"], "session">>;
  /** The bearer token that requests carry; null: none. */
  token(): Promise<string | null>;
  readonly organization: OrganizationAuth<A>;
}

export type OrganizationAuth<A extends ApiShape> = [Member<A["auth"], "organizations">] extends
  [never] ? never : {
  /** Founds an organization, which the session acts in from then on. */
  readonly create: Taking<A, "createOrganization">;
  list(): Promise<Answer<A["auth"], "organizations">>;
  /** Chooses the organization that requests act in; null: none. */
  activate(organizationId: string | null): Promise<void>;
};

/** A method that takes the route's body. */
type Taking<A extends ApiShape, N extends string> = [Member<A["auth"], N>] extends [never] ? never
  : (body: Body<A["auth"], N>) => Promise<Answer<A["auth"], N>>;

interface AuthContext {
  readonly store: SessionStore;
  readonly session: Session;
  /** Sends with the session's cookie. */
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
    // Its cookies are what the answer left: somebody may be between a first factor and the second.
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
    // Nothing of whoever was signed in before.
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
