/** Sign-in through providers, against one that the test starts (definitions 2, `social` and `oidc`). */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { createAccounts } from "../../shared/accounts/mod.ts";
import { detached, memoryRateLimiter, systemClock } from "../../library/platform/mod.ts";
import { AUTH_SECRET, BASE_URL } from "../support/api.ts";
import { withDatabase } from "../support/databases.ts";
import { CLIENT, type OidcServer, oidcServer } from "../support/oidc_server.ts";
import {
  freshCode,
  linkIn,
  ok,
  type SignInBrowser,
  signInProject,
  type SignInScene,
  withSignIn,
} from "../support/sign_in.ts";
import type { AuthModel } from "../../shared/model/auth.ts";
import { TOTP, URI } from "otpauth";

const email = "anna@example.com";
const password = "correct horse battery staple";
const VARIABLES: Readonly<Record<string, string>> = {
  ACME_SSO_CLIENT_ID: CLIENT.id,
  ACME_SSO_CLIENT_SECRET: CLIENT.secret,
  GITHUB_CLIENT_ID: "hub",
  GITHUB_CLIENT_SECRET: "a secret of github",
};
const settings = {
  baseUrl: BASE_URL,
  authSecret: AUTH_SECRET,
  production: false,
  variable: (name: string) => VARIABLES[name] ?? null,
};

async function withProvider(
  body: (scene: SignInScene, provider: OidcServer) => Promise<void>,
  auth: Partial<AuthModel> = {},
): Promise<void> {
  await using provider = await oidcServer();
  const oidc = [{ id: "acme-sso", issuer: provider.issuer }];
  const project = signInProject({ oidc, social: ["github"], twoFactor: true }, auth);
  await withSignIn(project, (scene) => body(scene, provider), { given: { settings } });
}

/** Goes to the provider and back, and answers where the browser stands at last. */
async function enter(
  browser: SignInBrowser,
  provider: OidcServer,
  pages: Readonly<Record<string, string>> = {
    callbackURL: "/welcome",
    errorCallbackURL: "/failed",
  },
): Promise<string> {
  const begun = ok(await browser.client.signIn.social({ provider: "acme-sso", ...pages }));
  return await returned(browser, await provider.visit(begun.url ?? ""));
}

async function returned(browser: SignInBrowser, { pathname, search }: URL): Promise<string> {
  const answer = await browser.ask(pathname + search);
  assertEquals(answer.status, 302, answer.text);
  return answer.headers.get("location") ?? "";
}

Deno.test("a provider makes an account once, and signs in again", async () => {
  await withProvider(async ({ api, browser }, provider) => {
    const anna = browser();
    assertEquals(await enter(anna, provider), "/welcome");
    assertEquals(await anna.who(), email);
    const again = browser();
    assertEquals(await enter(again, provider), "/welcome");
    const sql = `SELECT "u"."email_verified", "u"."name", "a"."provider_id", "a"."account_id",
      "a"."access_token", "a"."refresh_token", "a"."id_token"
      FROM "auth_user" AS "u" JOIN "auth_account" AS "a" ON "a"."user_id" = "u"."id"`;
    const { rows } = await api.database.run({ sql, args: [] });
    assertEquals(rows, [[1, "Anna", "acme-sso", "u1", null, null, null]]);
    const ways = await anna.ask("/auth/v1/list-accounts");
    assertMatch(ways.text, /"providerId":"acme-sso"/);
    assertEquals((await anna.ask("/api/v1/token", {})).status, 200);
  });
});

Deno.test("an account at a provider that has not proved the address takes over no account that is there", async () => {
  for (const [here, there] of [[false, false], [true, false]] as const) {
    await withProvider(async ({ browser, sent }, provider) => {
      const anna = browser();
      ok(await anna.client.signUp.email({ name: "Anna", email, password }));
      if (here) await anna.follow(linkIn(sent));
      provider.user = { sub: "thief", email, email_verified: there };
      const thief = browser();
      assertMatch(await enter(thief, provider), /^\/failed\?error=account_not_linked/);
      assertEquals(await thief.who(), null);
      assertEquals(await anna.who(), email);
    });
  }
});

Deno.test("a provider that has proved an address takes over the account that nobody has proved, and is linked", async () => {
  await withProvider(async ({ api, browser }, provider) => {
    const stranger = browser();
    ok(await stranger.client.signUp.email({ name: "Anna", email, password }));
    const { body: { key } } = await stranger.ask("/auth/v1/api-key/create", {});
    provider.user = { sub: "u1", email, email_verified: true };
    const anna = browser();
    assertEquals(await enter(anna, provider), "/welcome");
    assertEquals([await anna.who(), await stranger.who()], [email, null]);
    const asked = await api.ask("/api/v1/projects", { headers: { "x-api-key": String(key) } });
    assertEquals(asked.status, 401);
    const entered = await stranger.client.signIn.email({ email, password });
    assertEquals(entered.error?.status, 401);
    // The way in that proved it stays.
    const sql = `SELECT "provider_id", "account_id" FROM "auth_account"`;
    const { rows } = await api.database.run({ sql, args: [] });
    assertEquals(rows, [["acme-sso", "u1"]]);
    const again = browser();
    assertEquals(await enter(again, provider), "/welcome");
  });
});

Deno.test("an account whose address both have confirmed is one account, and so is one that its owner links", async () => {
  await withProvider(async ({ browser, sent }, provider) => {
    const anna = browser();
    const { user } = ok(await anna.client.signUp.email({ name: "Anna", email, password }));
    await anna.follow(linkIn(sent));
    const other = browser();
    assertEquals(await enter(other, provider), "/welcome");
    assertEquals(ok(await other.client.getSession()).user.id, user.id);
    provider.user = { sub: "u2", email: "somebody@example.com", email_verified: true };
    const linking = ok(
      await anna.client.linkSocial({
        provider: "acme-sso",
        callbackURL: "/mine",
        errorCallbackURL: "/no",
      }),
    );
    const back = await returned(anna, await provider.visit(linking.url));
    assertMatch(back, /^\/no\?error=/);
  });
});

Deno.test("what a provider did not sign for this browser, this flow and this API signs nobody in", async () => {
  const wrongs: readonly (readonly [string, (provider: OidcServer) => void])[] = [
    ["another's signature", (provider) => void (provider.forged = true)],
    ["another issuer", (provider) => void (provider.wrong = { iss: "https://evil.example" })],
    ["another client's token", (provider) => void (provider.wrong = { aud: "another" })],
    ["another flow's token", (provider) => void (provider.wrong = { nonce: "another" })],
  ];
  for (const [what, spoil] of wrongs) {
    await withProvider(async ({ browser }, provider) => {
      spoil(provider);
      const visitor = browser();
      assertMatch(await enter(visitor, provider), /^\/failed\?error=/, what);
      assertEquals(await visitor.who(), null, what);
    });
  }
});

Deno.test("what one browser began no other one ends, and no one twice", async () => {
  await withProvider(async ({ browser }, provider) => {
    const thief = browser();
    const pages = { callbackURL: "/welcome", errorCallbackURL: "/failed" };
    const begun = ok(await thief.client.signIn.social({ provider: "acme-sso", ...pages }));
    const back = await provider.visit(begun.url ?? "");
    const victim = browser();
    assertMatch(await returned(victim, back), /error=/);
    assertEquals(await victim.who(), null);
    const anna = browser();
    const own = ok(await anna.client.signIn.social({ provider: "acme-sso", ...pages }));
    const ownBack = await provider.visit(own.url ?? "");
    assertEquals(await returned(anna, ownBack), "/welcome");
    assertMatch(await returned(anna, ownBack), /error=/);
    assertMatch(
      await returned(browser(), new URL(`${BASE_URL}/auth/v1/callback/acme-sso?code=x`)),
      /error=/,
    );
  });
});

Deno.test("a provider leads on to pages of trusted origins alone", async () => {
  await withProvider(async ({ browser }) => {
    for (const page of ["callbackURL", "newUserCallbackURL", "errorCallbackURL"]) {
      for (const path of ["/sign-in/social", "/link-social"]) {
        const asked = { provider: "acme-sso", [page]: "https://evil.example/in" };
        const { status } = await browser().ask(`/auth/v1${path}`, asked);
        assert(status === 403 || status === 401, `${path} ${page} ${status}`);
      }
    }
  });
});

Deno.test("a provider lets in nobody whom the project's rules keep out", async () => {
  await withProvider(async ({ browser }, provider) => {
    const stranger = browser();
    assertMatch(await enter(stranger, provider), /^\/failed\?error=signup_disabled/);
    assertEquals(await stranger.who(), null);
  }, { disableSignUp: true });
  await withProvider(async ({ browser, sent }, provider) => {
    provider.user = { sub: "u1", email, email_verified: false };
    const anna = browser();
    assertMatch(await enter(anna, provider), /^\/failed\?error=/);
    assertEquals(await anna.who(), null);
    // The mailbox proves nothing of the account at the provider: only taking over is left, which ends that.
    const link = linkIn(sent);
    assertEquals((await anna.follow(link)).status, 401);
    const { resetToken } = (await anna.follow(link, { takeOver: true })).body;
    const chosen = { token: resetToken, newPassword: password };
    assertEquals((await anna.ask("/auth/v1/reset-password", chosen)).status, 200);
    assertMatch(await enter(anna, provider), /^\/failed\?error=/);
    ok(await anna.client.signIn.email({ email, password }));
    assertEquals(await anna.who(), email);
  }, { requireEmailVerification: true });
});

Deno.test("a provider's proof opens an account that nobody had proved at once, where a proof is required", async () => {
  const careful = { requireEmailVerification: true };
  const isVerified = async ({ api }: SignInScene) => {
    const sql = `SELECT "email_verified" FROM "auth_user"`;
    return (await api.database.run({ sql, args: [] })).rows;
  };
  await withProvider(async (scene, provider) => {
    const stranger = scene.browser();
    ok(await stranger.client.signUp.email({ name: "Anna", email, password }));
    assertEquals(await isVerified(scene), [[0]]);
    const anna = scene.browser();
    assertEquals(await enter(anna, provider), "/welcome");
    assertEquals([await anna.who(), await isVerified(scene)], [email, [[1]]]);
    const entered = { email, password };
    assertEquals((await stranger.ask("/auth/v1/sign-in/email", entered)).status, 401);
  }, careful);
  // The same of an account that the provider itself opened when it had proved nothing.
  await withProvider(async (scene, provider) => {
    provider.user = { sub: "u1", email, email_verified: false };
    const anna = scene.browser();
    assertMatch(await enter(anna, provider), /^\/failed\?error=email_not_verified/);
    provider.user = { sub: "u1", email, email_verified: true };
    assertEquals(await enter(anna, provider), "/welcome");
    assertEquals([await anna.who(), await isVerified(scene)], [email, [[1]]]);
    // One taking over opens nothing for the next visitor.
    provider.user = { sub: "u2", email: "bert@example.com", email_verified: false };
    const bert = scene.browser();
    assertMatch(await enter(bert, provider), /^\/failed\?error=email_not_verified/);
    assertEquals(await bert.who(), null);
  }, careful);
});

Deno.test("after a provider the second factor is asked for as well", async () => {
  await withProvider(async ({ api, browser }, provider) => {
    const anna = browser();
    await enter(anna, provider);
    const enabled = ok(await anna.client.twoFactor.enable({}));
    if (!("totpURI" in enabled)) throw new Error("No secret");
    const device = URI.parse(enabled.totpURI);
    if (!(device instanceof TOTP)) throw new Error("No TOTP");
    ok(await anna.client.twoFactor.verifyTotp({ code: device.generate() }));
    const again = browser();
    assertEquals(await enter(again, provider), `${BASE_URL}/welcome?twoFactorRedirect=true`);
    assertEquals([await again.who(), (await again.ask("/api/v1/token", {})).status], [null, 401]);
    const code = await freshCode(api.database, device);
    ok(await again.client.twoFactor.verifyTotp({ code }));
    assertEquals(await again.who(), email);
  });
});

Deno.test("a provider that is away, or another than it was, keeps nobody from a password", async () => {
  await withProvider(async ({ browser }, provider) => {
    provider.saysIssuer = "https://evil.example";
    const anna = browser();
    const asked = await anna.ask("/auth/v1/sign-in/social", { provider: "acme-sso" });
    assertEquals([asked.status, asked.body["code"]], [503, "PROVIDER_UNAVAILABLE"]);
    ok(await anna.client.signUp.email({ name: "Ben", email: "ben@example.com", password }));
    provider.saysIssuer = null;
    assertEquals(await enter(browser(), provider), "/welcome");
  });
});

Deno.test("a provider of the library's own is asked with our id, and brings back to us", async () => {
  await withProvider(async ({ browser }) => {
    const begun = ok(await browser().client.signIn.social({ provider: "github" }));
    const url = new URL(begun.url ?? "");
    assertEquals(url.origin + url.pathname, "https://github.com/login/oauth/authorize");
    assertEquals(url.searchParams.get("client_id"), "hub");
    assertEquals(url.searchParams.get("redirect_uri"), `${BASE_URL}/auth/v1/callback/github`);
    assert((url.searchParams.get("state") ?? "").length >= 32);
    const other = await browser().ask("/auth/v1/sign-in/social", { provider: "google" });
    assertEquals(other.status, 400);
    const idToken = { token: "x" };
    const short = await browser().ask("/auth/v1/sign-in/social", { provider: "github", idToken });
    assertEquals(short.status, 400);
  });
});

Deno.test("without providers their routes are not there, and without their variables there is no start", async () => {
  await withSignIn(signInProject({ emailCode: true }), async ({ browser }) => {
    for (const path of ["/sign-in/social", "/link-social", "/unlink-account"]) {
      assertEquals((await browser().ask(`/auth/v1${path}`, {})).status, 404, path);
    }
    for (const path of ["/callback/github?code=x", "/list-accounts"]) {
      assertEquals((await browser().ask(`/auth/v1${path}`)).status, 404, path);
    }
  });
  await withDatabase((database) => {
    const start = (variables: Readonly<Record<string, string>>, production: boolean) =>
      createAccounts(signInProject({ social: ["github"] }), {
        database,
        settings: {
          ...settings,
          production,
          isMailOff: production,
          variable: (name) => variables[name] ?? null,
        },
        logger: { log: () => {} },
        limiter: memoryRateLimiter({ clock: systemClock }),
        detached,
      });
    const GITHUB_CLIENT_ID = "id";
    const both = { GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET: "secret" };
    assertThrows(() => start({}, false), Error, "GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET");
    assertThrows(() => start({ GITHUB_CLIENT_ID }, false), Error, "needs GITHUB_CLIENT_SECRET");
    assertThrows(() => start(both, true), Error, "needs BASE_URL");
    start(both, false);
    start({ ...both, BASE_URL: "https://api.example.com" }, true);
    return Promise.resolve();
  });
});
