/** The second factor: whoever has one gives it, however they sign in (definitions 2, `providers.auth.twoFactor`). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Secret, TOTP, URI } from "otpauth";
import type { Database } from "../../shared/runtime/ports.ts";
import { createAccounts } from "../../shared/accounts/mod.ts";
import { detached, memoryRateLimiter, systemClock } from "../../library/platform/mod.ts";
import { AUTH_SECRET, BASE_URL } from "../support/api.ts";
import { passwords } from "../support/passwords.ts";
import {
  codeIn,
  freshCode,
  linkIn,
  ok,
  refusalOf,
  type SignInBrowser,
  signInProject,
  type SignInScene,
  withSignIn,
} from "../support/sign_in.ts";
import { until } from "../support/until.ts";

const email = "anna@example.com";
const password = "correct horse battery staple";
const project = signInProject({ magicLink: true, emailCode: true, twoFactor: true });

/** An authenticator app that was shown this address. */
function deviceOf(totpURI: string): TOTP {
  const parsed = URI.parse(totpURI);
  if (!(parsed instanceof TOTP)) throw new Error(`${totpURI} is no TOTP`);
  return parsed;
}

const wrongCode = (device: TOTP) =>
  String((Number(device.generate()) + 1) % 1_000_000).padStart(6, "0");

async function enable({ client }: SignInBrowser, body: { readonly password?: string }) {
  const answer = ok(await client.twoFactor.enable(body));
  if (!("totpURI" in answer)) throw new Error("There is no secret for a device");
  return answer;
}

interface Enrolled {
  readonly anna: SignInBrowser;
  readonly device: TOTP;
  readonly backupCodes: readonly string[];
}

/** Anna, with a password, a confirmed address and a second factor. */
async function enrolled({ browser, sent }: SignInScene): Promise<Enrolled> {
  const anna = browser();
  ok(await anna.client.signUp.email({ name: "Anna", email, password }));
  await anna.follow(linkIn(sent));
  const { totpURI, backupCodes } = await enable(anna, { password });
  const device = deviceOf(totpURI);
  ok(await anna.client.twoFactor.verifyTotp({ code: device.generate() }));
  assertEquals(await anna.who(), email);
  return { anna, device, backupCodes };
}

/** First factors, each as somebody without the device would give it; answers what the browser was told. */
const FIRST: Readonly<
  Record<string, (scene: SignInScene, visitor: SignInBrowser) => Promise<string>>
> = {
  async password(_scene, { client }) {
    return JSON.stringify(ok(await client.signIn.email({ email, password })));
  },
  async "a code by mail"({ sent }, { client }) {
    ok(await client.emailOtp.sendVerificationOtp({ email, type: "sign-in" }));
    return JSON.stringify(ok(await client.signIn.emailOtp({ email, otp: codeIn(sent) })));
  },
  async "a link by mail"({ sent }, visitor) {
    ok(await visitor.client.signIn.magicLink({ email }));
    return (await visitor.follow(linkIn(sent))).text;
  },
  async "a link that leads on"({ sent }, visitor) {
    ok(await visitor.client.signIn.magicLink({ email, callbackURL: "/welcome?a=b" }));
    const { pathname, search } = linkIn(sent);
    const { status, headers } = await visitor.submit(await visitor.ask(pathname + search));
    assertEquals(status, 303);
    return headers.get("location") ?? "";
  },
};

for (const [factor, sign] of Object.entries(FIRST)) {
  Deno.test(`after ${factor} there is no session, no token and no key before the second factor`, async () => {
    await withSignIn(project, async (scene) => {
      const { device } = await enrolled(scene);
      const visitor = scene.browser();
      const told = await sign(scene, visitor);
      assertMatch(told, /"twoFactorRedirect":true|\/welcome\?a=b&twoFactorRedirect=true$/);
      assert(!/"token"/.test(told), told);
      assertEquals(await visitor.who(), null);
      for (const path of ["/api/v1/token", "/auth/v1/api-key/create"]) {
        assertEquals((await visitor.ask(path, {})).status, 401, path);
      }
      const sessions = `SELECT count(*) FROM "auth_session"`;
      const { rows } = await scene.api.database.run({ sql: sessions, args: [] });
      assertEquals(rows, [[1]]);
      const wrong = await visitor.client.twoFactor.verifyTotp({ code: wrongCode(device) });
      assertEquals(refusalOf(wrong), "401 INVALID_CODE");
      const code = await freshCode(scene.api.database, device);
      ok(await visitor.client.twoFactor.verifyTotp({ code }));
      assertEquals(await visitor.who(), email);
      assertEquals((await visitor.ask("/api/v1/token", {})).status, 200);
    });
  });
}

Deno.test("a second factor counts once a code of the device was right, and needs the password to come and go", async () => {
  await withSignIn(project, async ({ browser, sent }) => {
    const anna = browser();
    ok(await anna.client.signUp.email({ name: "Anna", email, password }));
    const squatting = await anna.client.twoFactor.enable({ password });
    assertEquals(refusalOf(squatting), "403 EMAIL_NOT_VERIFIED");
    await anna.follow(linkIn(sent));
    assertEquals(
      refusalOf(await anna.client.twoFactor.enable({ password: "wrong" })),
      "400 INVALID_PASSWORD",
    );
    const { totpURI } = await enable(anna, { password });
    assertMatch(totpURI, /^otpauth:\/\/totp\//);
    ok(await browser().client.signIn.email({ email, password }));
    ok(await anna.client.twoFactor.verifyTotp({ code: deviceOf(totpURI).generate() }));
    assertEquals(
      refusalOf(await anna.client.twoFactor.disable({ password: "wrong" })),
      "400 INVALID_PASSWORD",
    );
    ok(await anna.client.twoFactor.disable({ password }));
    const plain = browser();
    ok(await plain.client.signIn.email({ email, password }));
    assertEquals(await plain.who(), email);
  });
});

Deno.test("an account without a password changes its second factor with a fresh session only", async () => {
  await withSignIn(project, async ({ api, browser, sent }) => {
    const anna = browser();
    ok(await anna.client.emailOtp.sendVerificationOtp({ email, type: "sign-in" }));
    ok(await anna.client.signIn.emailOtp({ email, otp: codeIn(sent) }));
    const age = (minutes: number) =>
      api.database.write((transaction) =>
        transaction.run({
          sql: `UPDATE "auth_session" SET "created_at" = ?`,
          args: [new Date(Date.now() - minutes * 60_000).toISOString()],
        })
      );
    await age(11);
    const late = await anna.ask("/auth/v1/two-factor/enable", {});
    assertEquals([late.status, late.body["code"]], [403, "SESSION_NOT_FRESH"]);
    await age(9);
    const { totpURI } = await enable(anna, {});
    ok(await anna.client.twoFactor.verifyTotp({ code: deviceOf(totpURI).generate() }));
    await age(11);
    assertEquals((await anna.ask("/auth/v1/two-factor/disable", {})).status, 403);
    assertEquals((await anna.ask("/auth/v1/two-factor/get-totp-uri", {})).status, 403);
  });
});

Deno.test("codes are counted for each question, however many the account has left", async () => {
  await withSignIn(project, async (scene) => {
    const { device } = await enrolled(scene);
    const visitor = scene.browser();
    ok(await visitor.client.signIn.email({ email, password }));
    for (let count = 0; count < 5; count++) {
      const wrong = await visitor.client.twoFactor.verifyTotp({ code: wrongCode(device) });
      assertEquals(refusalOf(wrong), "401 INVALID_CODE");
    }
    const code = await freshCode(scene.api.database, device);
    const right = await visitor.client.twoFactor.verifyTotp({ code });
    assertEquals(refusalOf(right), "400 TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE");
  });
});

Deno.test("a backup code works once, and a question once answered is over", async () => {
  await withSignIn(project, async (scene) => {
    const { backupCodes: [code = ""], device } = await enrolled(scene);
    const visitor = scene.browser();
    ok(await visitor.client.signIn.email({ email, password }));
    const asked = new Map(visitor.cookies);
    ok(await visitor.client.twoFactor.verifyBackupCode({ code }));
    assertEquals(await visitor.who(), email);
    const again = scene.browser();
    for (const [name, value] of asked) again.cookies.set(name, value);
    const replayed = await again.client.twoFactor.verifyTotp({ code: device.generate() });
    assertEquals(refusalOf(replayed).slice(0, 3), "401");
    const other = scene.browser();
    ok(await other.client.signIn.email({ email, password }));
    const spent = await other.client.twoFactor.verifyBackupCode({ code });
    assertEquals(refusalOf(spent), "401 INVALID_BACKUP_CODE");
  });
});

Deno.test("a trusted browser is not asked again, and no other one is trusted by it", async () => {
  await withSignIn(project, async (scene) => {
    const { device } = await enrolled(scene);
    const visitor = scene.browser();
    ok(await visitor.client.signIn.email({ email, password }));
    const shown = await freshCode(scene.api.database, device);
    ok(await visitor.client.twoFactor.verifyTotp({ code: shown, trustDevice: true }));
    await visitor.client.signOut();
    ok(await visitor.client.signIn.email({ email, password }));
    assertEquals(await visitor.who(), email);
    const thief = scene.browser();
    for (const [name, value] of visitor.cookies) {
      if (!name.includes("session")) thief.cookies.set(name, `${value.slice(0, -8)}AAAAAAA%3D`);
    }
    ok(await thief.client.signIn.email({ email, password }));
    assertEquals(await thief.who(), null);
  });
});

async function stored(database: Database): Promise<string> {
  const sql = `SELECT "secret", "backup_codes" FROM "auth_two_factor"`;
  return (await database.run({ sql, args: [] })).rows.flat().join("\n");
}

Deno.test("secrets are encrypted, and hold on when AUTH_SECRET has changed for good", async () => {
  await withSignIn(project, async (scene) => {
    const { api: { database } } = scene;
    const { device, backupCodes } = await enrolled(scene);
    const before = await stored(database);
    const { secret } = device;
    assert(secret instanceof Secret && !before.includes(secret.base32));
    for (const code of [secret.utf8, ...backupCodes]) assert(!before.includes(code));

    const NEW_SECRET = new TextEncoder().encode("another secret of this API, and a long one too");
    const start = (authSecret: Uint8Array, authSecretPrevious: Uint8Array | null) =>
      createAccounts(project, {
        database,
        settings: { baseUrl: BASE_URL, authSecret, authSecretPrevious, production: false },
        logger: {
          log: ({ error }) => {
            if (error) throw error;
          },
        },
        limiter: memoryRateLimiter({ clock: systemClock }),
        passwords,
        detached,
        email: { send: () => Promise.resolve() },
      });
    start(NEW_SECRET, AUTH_SECRET);
    await until("the secrets are encrypted anew", async () => {
      const now = await stored(database);
      return now.split("\n").every((text, at) => text !== before.split("\n")[at]);
    });
    const later = start(NEW_SECRET, null);
    const post = async (path: string, body: unknown, cookie: string) =>
      await later.handle(
        new Request(`${BASE_URL}/auth/v1${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", origin: BASE_URL, cookie },
          body: JSON.stringify(body),
        }),
        { clientIp: null },
      );
    const asked = await post("/sign-in/email", { email, password }, "");
    const cookie = asked.headers.getSetCookie().filter((line) => !/max-age=0/i.test(line))
      .map((line) => line.split(";")[0]).join("; ");
    const code = await freshCode(database, device);
    const proved = await post("/two-factor/verify-totp", { code }, cookie);
    assertEquals(proved.status, 200, await proved.text());
  });
});

Deno.test("somebody has signed in, to the project's hooks, once the second factor is there", async () => {
  const told: string[] = [];
  const hooks = {
    before: () => Promise.resolve(null),
    after: (name: string) => Promise.resolve(void told.push(name)),
  };
  await withSignIn(project, async (scene) => {
    const { device } = await enrolled(scene);
    for (const trustDevice of [true, false]) {
      told.length = 0;
      const visitor = scene.browser();
      ok(await visitor.client.signIn.email({ email, password }));
      assertEquals(told, []);
      const code = await freshCode(scene.api.database, device);
      ok(await visitor.client.twoFactor.verifyTotp({ code, trustDevice }));
      assertEquals(told, ["onSignIn"]);
      if (trustDevice) {
        await visitor.client.signOut();
        ok(await visitor.client.signIn.email({ email, password }));
        assertEquals(told, ["onSignIn", "onSignIn"]);
      }
    }
  }, { given: { hooks } });
});
