/** A running API with ways to sign in switched on, and visitors with the account library's own client. */
import { createAuthClient } from "better-auth/client";
import {
  adminClient,
  emailOTPClient,
  magicLinkClient,
  organizationClient,
  twoFactorClient,
} from "better-auth/client/plugins";
import { assertEquals } from "@std/assert";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { AuthModel } from "../../shared/model/auth.ts";
import type { SignInModel } from "../../shared/model/sign_in_model.ts";
import type { Database, EmailMessage } from "../../shared/runtime/ports.ts";
import type { TOTP } from "otpauth";
import { type AccountsApiOptions, helpdesk, withAccountsApi } from "./accounts_api.ts";
import { type Answer, type ApiUnderTest, BASE_URL } from "./api.ts";

const OFF: SignInModel = {
  magicLink: false,
  emailCode: false,
  twoFactor: false,
  passkeys: false,
  social: [],
  oidc: [],
};

/** The helpdesk with these keys of `providers.auth`. */
export function signInProject(
  on: Partial<SignInModel>,
  auth: Partial<AuthModel> = {},
): ProjectModel {
  return { ...helpdesk, auth: { ...helpdesk.auth, ...auth, signIn: { ...OFF, ...on } } };
}

export interface SignInScene {
  readonly api: ApiUnderTest;
  readonly sent: EmailMessage[];
  /** A browser that has been nowhere. */
  browser(clientIp?: string): SignInBrowser;
}

/** Gives the body an API with these ways to sign in, and the messages that it sends. */
export function withSignIn(
  project: ProjectModel,
  body: (scene: SignInScene) => Promise<void>,
  options: AccountsApiOptions = {},
): Promise<void> {
  const sent: EmailMessage[] = [];
  const email = { send: (message: EmailMessage) => Promise.resolve(void sent.push(message)) };
  return withAccountsApi(
    (api) =>
      body({ api, sent, browser: (clientIp) => new SignInBrowser(api, clientIp ?? "203.0.113.7") }),
    { ...options, project, given: { email, ...options.given } },
  );
}

/** One visitor: keeps cookies as a browser does, and asks through the library's client. */
export class SignInBrowser {
  readonly cookies = new Map<string, string>();
  readonly client = clientOf((input, init) => this.#fetch(new Request(input, init)));

  constructor(
    private readonly api: ApiUnderTest,
    private readonly clientIp: string,
  ) {}

  /** Asks a path of the API, every answer being held against the description. */
  async ask(
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await this.api.ask(path, {
      ...(body === undefined ? {} : { body }),
      headers: { origin: BASE_URL, ...(cookie === "" ? {} : { cookie }), ...headers },
      clientIp: this.clientIp,
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
      const [name = "", ...value] = pair.split("=");
      if (attributes.some((one) => /^max-age=0$/i.test(one))) this.cookies.delete(name);
      else this.cookies.set(name, value.join("="));
    }
    return answer;
  }

  /** Does what the button of a mailed link's page does, as a program: the token by JSON. */
  follow(link: URL, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const token = link.searchParams.get("token");
    return this.ask(link.pathname, { ...(token === null ? {} : { token }), ...more });
  }

  /** Sends the first form of a page that was answered, with what is typed into it. */
  submit(page: Answer, typed: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const [form = ""] = /<form[^]*?<\/form>/.exec(page.text) ?? [];
    const action = textOf(/ action="([^"]*)"/.exec(form)?.[1] ?? "");
    const hidden = [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)]
      .map(([, name = "", value = ""]) => [name, textOf(value)] as const);
    const values = new URLSearchParams({ ...Object.fromEntries(hidden), ...typed });
    const headers = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };
    return this.ask(action, String(values), headers);
  }

  /** The address of whoever is signed in; null for nobody. */
  async who(): Promise<string | null> {
    const { data } = await this.client.getSession();
    return data?.user.email ?? null;
  }

  async #fetch(request: Request): Promise<Response> {
    const text = await request.text();
    const { pathname, search } = new URL(request.url);
    const answer = await this.ask(pathname + search, text === "" ? undefined : text);
    const isBodiless = [204, 304].includes(answer.status);
    return new Response(isBodiless ? null : answer.text, answer);
  }
}

/** The text of an attribute. */
function textOf(html: string): string {
  return html.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function clientOf(fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>) {
  return createAuthClient({
    baseURL: BASE_URL,
    basePath: "/auth/v1",
    plugins: [
      adminClient(),
      emailOTPClient(),
      magicLinkClient(),
      organizationClient(),
      twoFactorClient(),
    ],
    fetchOptions: { customFetchImpl: fetch },
  });
}

/** What the client was answered; a refusal fails the test. */
export function ok<T>(
  { data, error }: { readonly data: T; readonly error: unknown },
): NonNullable<T> {
  assertEquals(error, null);
  if (data === null || data === undefined) throw new Error("Nothing was answered");
  return data;
}

/** `<status> <code>` of a refusal that the client was given. */
export function refusalOf(
  { error }: {
    readonly error: { readonly status: number; readonly code?: string | undefined } | null;
  },
): string {
  return error === null ? "200" : `${error.status} ${error.code ?? ""}`;
}

/** The code of the last message. */
export function codeIn(sent: readonly EmailMessage[]): string {
  return /\b[0-9]{6}\b/.exec(sent.at(-1)?.text ?? "")?.[0] ?? "";
}

/** The link of the last message. */
export function linkIn(sent: readonly EmailMessage[]): URL {
  return new URL(/https?:\S+/.exec(sent.at(-1)?.text ?? "")?.[0] ?? "");
}

/** The code that a device shows, as if it had been looked at for the first time in a while: no code is taken twice. */
export async function freshCode(database: Database, device: TOTP): Promise<string> {
  const sql = `UPDATE "auth_two_factor" SET "last_used_step" = "last_used_step" - 10`;
  await database.write((transaction) => transaction.run({ sql, args: [] }));
  return device.generate();
}
