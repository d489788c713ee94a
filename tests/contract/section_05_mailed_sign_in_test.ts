/** Sign-in by a link or a code in a message (definitions 2, `providers.auth`; 7, "auth routes"). */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { detached, memoryRateLimiter, systemClock } from "../../library/platform/mod.ts";
import { createAccounts } from "../../shared/accounts/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { helpdesk } from "../support/accounts_api.ts";
import { AUTH_SECRET, START } from "../support/api.ts";
import { withDatabase } from "../support/databases.ts";
import {
  codeIn,
  linkIn,
  ok,
  refusalOf,
  type SignInBrowser,
  signInProject,
  withSignIn,
} from "../support/sign_in.ts";

const email = "anna@example.com";
const PASSWORD = "correct horse battery staple";
const BOTH = signInProject({ magicLink: true, emailCode: true });

const send = ({ client }: SignInBrowser, to = email) =>
  client.emailOtp.sendVerificationOtp({ email: to, type: "sign-in" });
const enter = ({ client }: SignInBrowser, otp: string, to = email) =>
  client.signIn.emailOtp({ email: to, otp });
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

async function rowsOf(run: Promise<{ readonly rows: readonly (readonly unknown[])[] }>) {
  return (await run).rows.map((row) => row.join(" "));
}

Deno.test("a code of a message makes an account, whose address it has confirmed, and signs in again", async () => {
  await withSignIn(BOTH, async ({ api, sent, browser }) => {
    const anna = browser();
    ok(await send(anna));
    assertEquals(sent.map(({ to }) => to), [email]);
    assertMatch(sent[0]?.subject ?? "", /^[0-9]{6} is your code/);
    const { user } = ok(await enter(anna, codeIn(sent)));
    assertEquals([user.email, user.emailVerified, user.name], [email, true, "anna"]);
    assertEquals(await anna.who(), email);
    const again = browser();
    ok(await send(again));
    assertEquals(ok(await enter(again, codeIn(sent))).user.id, user.id);
    const sql = `SELECT count(*) FROM "auth_user"`;
    assertEquals(await rowsOf(api.database.run({ sql, args: [] })), ["1"]);
  });
});

Deno.test("a code works once, bears three mistakes, and only the newest one counts", async () => {
  await withSignIn(BOTH, async ({ sent, browser }) => {
    const anna = browser();
    ok(await send(anna));
    const first = codeIn(sent);
    ok(await enter(anna, first));
    assertEquals(refusalOf(await enter(browser(), first)), "400 INVALID_OTP");
    ok(await send(anna));
    const second = codeIn(sent);
    for (let count = 0; count < 3; count++) {
      assertEquals(refusalOf(await enter(browser(), another(second))), "400 INVALID_OTP");
    }
    assertEquals(refusalOf(await enter(browser(), second)), "403 TOO_MANY_ATTEMPTS");
    ok(await send(anna));
    const older = codeIn(sent);
    ok(await send(anna));
    const newest = codeIn(sent);
    if (older !== newest) {
      assertEquals(refusalOf(await enter(browser(), older)), "400 INVALID_OTP");
    }
    ok(await enter(browser(), newest));
  });
});

Deno.test("codes and links stand in the database as digests, and are over after five minutes", async () => {
  await withSignIn(BOTH, async ({ api, sent, browser }) => {
    const anna = browser();
    ok(await send(anna));
    const code = codeIn(sent);
    ok(await anna.client.signIn.magicLink({ email }));
    const token = linkIn(sent).searchParams.get("token") ?? "";
    const sql = `SELECT "identifier", "value" FROM "auth_verification"`;
    const stored = (await rowsOf(api.database.run({ sql, args: [] }))).join("\n");
    assert(!stored.includes(code) && !stored.includes(token), stored);
    const past = `UPDATE "auth_verification" SET "expires_at" = '2020-01-01T00:00:00.000Z'`;
    await api.database.write((transaction) => transaction.run({ sql: past, args: [] }));
    assertEquals(refusalOf(await enter(anna, code)), "400 OTP_EXPIRED");
    const late = await anna.ask("/auth/v1/magic-link/verify", { token });
    assertEquals([late.status, late.body["code"]], [400, "LINK_INVALID"]);
    assertEquals(await anna.who(), null);
  });
});

Deno.test("ten wrong codes for an account lock this way in for an hour, whatever client comes", async () => {
  const limiter = memoryRateLimiter({ clock: { now: () => START } });
  await withSignIn(BOTH, async ({ api, sent, browser }) => {
    const here = browser("203.0.113.7");
    for (let count = 0; count < 10; count++) {
      if (count % 3 === 0) ok(await send(here));
      assertMatch(refusalOf(await enter(here, another(codeIn(sent)))), /^40[03] /);
    }
    ok(await send(here));
    for (const client of [here, browser("203.0.113.8")]) {
      const otp = codeIn(sent);
      const locked = await client.ask("/auth/v1/sign-in/email-otp", { email, otp });
      assertEquals([locked.status, locked.body["code"]], [401, "AUTH_RATE_LIMITED"]);
      assertEquals(locked.headers.get("retry-after"), "3600");
    }
    api.pass(3_600_000);
    ok(await send(here));
    ok(await enter(here, codeIn(sent)));
  }, { limiter });
});

Deno.test("a link of a message signs in once, in the browser that opens it", async () => {
  await withSignIn(BOTH, async ({ sent, browser }) => {
    ok(await browser().client.signIn.magicLink({ email, name: "Anna" }));
    const link = linkIn(sent);
    assertEquals(link.pathname, "/auth/v1/magic-link/verify");
    const anna = browser();
    const opened = await anna.follow(link);
    assertEquals([opened.status, await anna.who()], [200, email]);
    const again = browser();
    const refused = await again.follow(link);
    assertEquals([refused.status, refused.body["code"]], [400, "LINK_INVALID"]);
    assertEquals(await again.who(), null);
  });
});

Deno.test("a link leads on to pages of trusted origins alone", async () => {
  const trusting = { ...BOTH, trustedOrigins: ["https://app.example.com"] };
  await withSignIn(trusting, async ({ sent, browser }) => {
    const callbackURL = "https://app.example.com/in";
    ok(await browser().client.signIn.magicLink({ email, callbackURL }));
    const link = linkIn(sent);
    const anna = browser();
    const opened = await anna.submit(await anna.ask(link.pathname + link.search));
    assertEquals([opened.status, opened.headers.get("location")], [303, callbackURL]);
    assertEquals(await anna.who(), email);
    const sentBefore = sent.length;
    for (const page of ["callbackURL", "newUserCallbackURL", "errorCallbackURL"]) {
      for (
        const foreign of [
          "https://evil.example/in",
          "//evil.example",
          "https://app.example.com.evil.example",
        ]
      ) {
        const asked = await browser().ask("/auth/v1/sign-in/magic-link", {
          email,
          [page]: foreign,
        });
        assertEquals(asked.status, 403, `${page} ${foreign}`);
        const query = new URLSearchParams({ token: "x", [page]: foreign });
        const followed = await browser().ask(`/auth/v1/magic-link/verify?${query}`);
        assertEquals(followed.status, 403, `${page} ${foreign}`);
        const acted = await browser().ask("/auth/v1/magic-link/verify", {
          token: "x",
          [page]: foreign,
        });
        assertEquals(acted.status, 403, `${page} ${foreign}`);
      }
    }
    assertEquals(sent.length, sentBefore);
  });
});

Deno.test("without a page of its own a link leads over the API to the application", async () => {
  const links = { appUrl: "https://app.example.com", paths: {} };
  const trustedOrigins = ["https://app.example.com"];
  const paged: ProjectModel = { ...BOTH, trustedOrigins, email: { ...BOTH.email, links } };
  await withSignIn(paged, async ({ sent, browser }) => {
    ok(await browser().client.signIn.magicLink({ email }));
    const link = linkIn(sent);
    const anna = browser();
    const opened = await anna.submit(await anna.ask(link.pathname + link.search));
    assertEquals(opened.headers.get("location"), "https://app.example.com/");
    ok(await send(browser()));
    assert(!/https?:/.test(sent.at(-1)?.text ?? ""), "A code leads nowhere");
  });
});

Deno.test("whoever proves the address of an account that nobody confirmed takes it over without its password", async () => {
  await withSignIn(BOTH, async ({ sent, browser }) => {
    const squatter = browser();
    ok(await squatter.client.signUp.email({ name: "Squatter", email, password: PASSWORD }));
    assertEquals(await squatter.who(), email);
    const anna = browser();
    ok(await send(anna));
    ok(await enter(anna, codeIn(sent)));
    assertEquals([await anna.who(), await squatter.who()], [email, null]);
    const back = await browser().client.signIn.email({ email, password: PASSWORD });
    assertEquals(refusalOf(back), "401 INVALID_EMAIL_OR_PASSWORD");
  });
});

Deno.test("where nobody signs up, strangers are answered as everybody is and sent nothing", async () => {
  const closed = signInProject({ magicLink: true, emailCode: true }, { disableSignUp: true });
  await withSignIn(closed, async ({ api, sent, browser }) => {
    const sql = `INSERT INTO "auth_user" ("id", "name", "email", "email_verified", "created_at",
      "updated_at") VALUES ('u1', 'Anna', ?, 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`;
    await api.database.write((transaction) => transaction.run({ sql, args: [email] }));
    const stranger = browser();
    const told = async (to: string) => [
      ok(await send(stranger, to)),
      ok(await stranger.client.signIn.magicLink({ email: to })),
      refusalOf(await enter(stranger, "000000", to)),
    ];
    const before = sent.length;
    const toStranger = await told("nobody@example.com");
    assertEquals(sent.length, before);
    assertEquals(toStranger, await told(email));
    assertEquals(sent.slice(before).map(({ to }) => to), [email, email]);
    const link = linkIn(sent);
    const anna = browser();
    assertEquals((await anna.follow(link)).status, 200);
    assertEquals(await anna.who(), email);
  });
});

Deno.test("a listed address is sysadmin by a code, which confirms it", async () => {
  const sysadminEmails = [email];
  const smtp = { ...BOTH, email: { ...BOTH.email, provider: "smtp", from: email } as const };
  await withSignIn(smtp, async ({ sent, browser }) => {
    const early = browser();
    ok(await early.client.signUp.email({ name: "Anna", email, password: PASSWORD }));
    assertEquals((await early.ask("/auth/v1/admin/list-users")).status, 403);
    const anna = browser();
    ok(await send(anna));
    ok(await enter(anna, codeIn(sent)));
    assertEquals((await anna.ask("/auth/v1/admin/list-users")).status, 200);
  }, { sysadminEmails });
});

Deno.test("without its key a way to sign in has no route", async () => {
  for (const project of [helpdesk, signInProject({ magicLink: true })]) {
    await withSignIn(project, async ({ browser }) => {
      const body = { email, type: "sign-in" };
      const asked = await browser().ask("/auth/v1/email-otp/send-verification-otp", body);
      const entered = await browser().ask("/auth/v1/sign-in/email-otp", { email, otp: "000000" });
      assertEquals([asked.status, entered.status], [404, 404]);
    });
  }
});

Deno.test("an API whose messages would reach nobody does not start, and names what to set", async () => {
  await withDatabase((database) => {
    const start = (project: ProjectModel, production: boolean) =>
      createAccounts(project, {
        database,
        settings: { baseUrl: "https://api.example.com", authSecret: AUTH_SECRET, production },
        logger: { log: () => {} },
        limiter: memoryRateLimiter({ clock: systemClock }),
        detached,
      });
    for (const key of ["magicLink", "emailCode"]) {
      const logged = signInProject({ [key]: true });
      const mailed = { ...logged, email: { ...logged.email, provider: "smtp" } as const };
      start(logged, false);
      const silent = { ...logged, email: { ...logged.email, provider: "none" } as const };
      assertThrows(() => start(silent, false), Error, `${key} needs mail, and EMAIL_PROVIDER`);
      const wanted = new RegExp(`^Cannot start: ${key} needs a mail server.*SMTP_URL$`);
      for (
        const [project, production] of [[logged, true], [mailed, true], [mailed, false]] as const
      ) {
        const error = assertThrows(() => start(project, production), Error);
        assertMatch(error.message, wanted);
      }
    }
    return Promise.resolve();
  });
});
