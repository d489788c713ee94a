/** What a provider proves of an address (definitions 2, `social` and `oidc`): a signed `email_verified`, and nothing else. */
import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { BASE_URL } from "../support/api.ts";
import { AUTH_SECRET } from "../support/api.ts";
import { CLIENT, type OidcServer, oidcServer } from "../support/oidc_server.ts";
import { ok, type SignInBrowser, signInProject, withSignIn } from "../support/sign_in.ts";

const VARIABLES: Readonly<Record<string, string>> = {
  ACME_SSO_CLIENT_ID: CLIENT.id,
  ACME_SSO_CLIENT_SECRET: CLIENT.secret,
};
const settings = {
  baseUrl: BASE_URL,
  authSecret: AUTH_SECRET,
  production: false,
  variable: (name: string) => VARIABLES[name] ?? null,
};
const email = "anna@example.com";
const REFUSED = /^\/failed\?error=/;

interface ProviderScene {
  readonly provider: OidcServer;
  /** Confirms an account here with the address, and answers its id. */
  confirmed(): Promise<string>;
  /** Goes to the provider and back: where the browser stands, and whose session it has. */
  enter(): Promise<
    { readonly at: string; readonly who: string | null; readonly id: string | null }
  >;
  /** The ways in of all accounts. */
  ways(): Promise<readonly unknown[]>;
}

async function withProvider(body: (scene: ProviderScene) => Promise<void>): Promise<void> {
  await using provider = await oidcServer();
  const project = signInProject({ oidc: [{ id: "acme-sso", issuer: provider.issuer }] });
  await withSignIn(project, async ({ api, browser, sent }) => {
    const enter = async (visitor: SignInBrowser) => {
      const pages = { callbackURL: "/welcome", errorCallbackURL: "/failed" };
      const begun = ok(await visitor.client.signIn.social({ provider: "acme-sso", ...pages }));
      const { pathname, search } = await provider.visit(begun.url ?? "");
      const answer = await visitor.ask(pathname + search);
      assertEquals(answer.status, 302, answer.text);
      return answer.headers.get("location") ?? "";
    };
    await body({
      provider,
      async confirmed() {
        const anna = browser();
        const password = "correct horse battery staple";
        const { user } = ok(await anna.client.signUp.email({ name: "Anna", email, password }));
        const sql = `UPDATE "auth_user" SET "email_verified" = 1`;
        await api.database.write((transaction) => transaction.run({ sql, args: [] }));
        sent.length = 0;
        return user.id;
      },
      async enter() {
        const visitor = browser();
        const at = await enter(visitor);
        const { data } = await visitor.client.getSession();
        return { at, who: data?.user.email ?? null, id: data?.user.id ?? null };
      },
      async ways() {
        const sql = `SELECT "provider_id", "account_id" FROM "auth_account" ORDER BY 1, 2`;
        return (await api.database.run({ sql, args: [] })).rows;
      },
    });
  }, { given: { settings } });
}

const ONLY_PASSWORD = (id: string) => [["credential", id]];

for (const claim of [true, "true"]) {
  Deno.test(`an address is proved by email_verified ${JSON.stringify(claim)}`, async () => {
    await withProvider(async ({ provider, confirmed, enter }) => {
      const id = await confirmed();
      provider.wrong = { email_verified: claim };
      assertEquals(await enter(), { at: "/welcome", who: email, id });
    });
  });
}

const NO_PROOFS: readonly Readonly<Record<string, unknown>>[] = [
  { email_verified: "false" },
  { email_verified: 1 },
  { email_verified: [] },
  { email_verified: ["true"] },
  { email_verified: {} },
  { email_verified: "TRUE" },
  { email_verified: " true" },
  { email_verified: "yes" },
  { email_verified: null },
  { email_verified: undefined },
  { email_verified: false, emailVerified: true },
  { email_verified: undefined, emailVerified: true },
  { email_verified: undefined, verified: true },
  { email_verified: undefined, verified_primary_email: [email] },
];

Deno.test("no other claim links to an account that is here", async () => {
  await withProvider(async ({ provider, confirmed, enter, ways }) => {
    const id = await confirmed();
    for (const wrong of NO_PROOFS) {
      provider.wrong = wrong;
      const { at, who } = await enter();
      assertMatch(at, /^\/failed\?error=account_not_linked/, JSON.stringify(wrong));
      assertEquals(who, null);
    }
    assertEquals(await ways(), ONLY_PASSWORD(id));
  });
});

Deno.test('whatever type a claim has, true and "true" alone prove an address', async () => {
  await withProvider(async ({ provider, confirmed, enter, ways }) => {
    const id = await confirmed();
    const claims = fc.record({
      email_verified: fc.oneof(
        fc.jsonValue(),
        fc.constantFrom("True", "1", "t", "true ", "\ttrue"),
      ),
      emailVerified: fc.constantFrom(true, "true", 1),
    }, { requiredKeys: [] }).filter(({ email_verified: claim }) =>
      claim !== true && claim !== "true"
    );
    await fc.assert(
      fc.asyncProperty(claims, async (wrong) => {
        provider.wrong = { email_verified: undefined, ...wrong };
        const { at, who } = await enter();
        assertMatch(at, REFUSED, JSON.stringify(wrong));
        assertEquals(who, null);
      }),
      { seed: 16, numRuns: 60 },
    );
    assertEquals(await ways(), ONLY_PASSWORD(id));
  });
});

Deno.test("a profile that nobody signed proves nothing, and signs nobody in alone", async () => {
  await withProvider(async ({ provider, confirmed, enter, ways }) => {
    const id = await confirmed();
    provider.profile = { sub: "u1", id: "u1", email, email_verified: true, emailVerified: true };
    provider.unsigned = true;
    assertMatch((await enter()).at, REFUSED);
    provider.unsigned = false;
    // The address stands in the profile alone.
    provider.wrong = { email: undefined };
    assertMatch((await enter()).at, REFUSED);
    provider.wrong = { email: undefined, email_verified: undefined };
    assertMatch((await enter()).at, REFUSED);
    // The profile is another user's.
    provider.profile = { sub: "u2", id: "u1", email: "new@example.com", email_verified: true };
    assertMatch((await enter()).at, REFUSED);
    assertEquals(await ways(), ONLY_PASSWORD(id));
    provider.profile = { sub: "u1", email: "new@example.com", email_verified: true };
    const { at, who } = await enter();
    assertEquals([at, who], ["/welcome", "new@example.com"]);
    assertEquals((await ways()).length, 2);
  });
});

Deno.test("a token names its user, and is for this client alone", async () => {
  const wrongs: readonly Readonly<Record<string, unknown>>[] = [
    { sub: undefined },
    { sub: "" },
    { sub: " " },
    { sub: null },
    { sub: 17 },
    { sub: ["u1"] },
    { sub: undefined, id: "u1" },
    { aud: [CLIENT.id, "another"] },
    { aud: ["another", CLIENT.id] },
    { aud: [CLIENT.id, "another"], azp: "another" },
    { azp: "another" },
    { azp: "" },
    { azp: null },
    { email: ["anna@example.com"] },
    { email: { address: email } },
    { email: 1 },
    { email: "" },
  ];
  await withProvider(async ({ provider, enter, ways }) => {
    for (const wrong of wrongs) {
      provider.wrong = wrong;
      const { at, who } = await enter();
      assertMatch(at, REFUSED, JSON.stringify(wrong));
      assertEquals(who, null);
    }
    assertEquals(await ways(), []);
    for (const right of [{ aud: [CLIENT.id] }, { aud: [CLIENT.id, "another"], azp: CLIENT.id }]) {
      provider.wrong = right;
      assertEquals((await enter()).at, "/welcome", JSON.stringify(right));
    }
    assertEquals(await ways(), [["acme-sso", "u1"]]);
  });
});
