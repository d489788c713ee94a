/**
 * Links of account messages (decisions/accounts.md): fetching one changes nothing, following it takes a POST by
 * somebody who may, and it works once.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ACCOUNT_MAILS, LINKED_MAILS, linkOf, MAIL_NAMES } from "../../shared/model/email.ts";
import { authOperationsOf } from "../../shared/surface/auth_operations.ts";
import type { Answer } from "../support/api.ts";
import {
  accountRows,
  CHOSEN_PASSWORD,
  EMAIL,
  LINK_KINDS,
  LINK_PASSWORD,
  type LinkScene,
  linkScene,
} from "../support/mailed_links.ts";
import { linkIn, ok, signInProject, type SignInScene, withSignIn } from "../support/sign_in.ts";

const APP = "https://app.example.com";
const ON = signInProject({ magicLink: true, emailCode: true });
const project = { ...ON, trustedOrigins: [APP] };

function withLinks(
  body: (scene: LinkScene) => Promise<void>,
  options: Parameters<typeof withSignIn>[2] = {},
): Promise<void> {
  return withSignIn(
    project,
    async (scene: SignInScene) => body(await linkScene(scene)),
    options,
  );
}

const codeOf = ({ status, body }: Answer) => `${status} ${body["code"] ?? ""}`.trim();
const FORM = { "content-type": "application/x-www-form-urlencoded" };

Deno.test("every message with a link has a page and an act of its own in the description", () => {
  const linked = MAIL_NAMES.filter((mail) => ACCOUNT_MAILS[mail].link !== null);
  assertEquals(linked, [...LINKED_MAILS]);
  const operations = authOperationsOf(project);
  for (const mail of LINKED_MAILS) {
    const owns = operations.filter(({ path }) => path === linkOf(mail).path);
    assertEquals(owns.map(({ method, own }) => [method, own]), [
      ["GET", "openLink"],
      ["POST", "followLink"],
    ], mail);
  }
});

for (const mail of LINKED_MAILS) {
  const kind = LINK_KINDS[mail];

  Deno.test(`${mail}: GET and HEAD tell what it is for, and change nothing, whoever asks`, async () => {
    await withLinks(async (scene) => {
      const { pathname, search } = await kind.asked(scene);
      const before = await accountRows(scene);
      for (const caller of [scene.browser(), scene.anna, scene.ben]) {
        for (const origin of ["http://localhost:8000", "https://evil.example"]) {
          const page = await caller.ask(pathname + search, undefined, { origin });
          assertEquals(page.status, 200, page.text);
          assertMatch(page.headers.get("content-type") ?? "", /^text\/html/);
          assertEquals(page.headers.get("cache-control"), "no-store");
          assertMatch(page.headers.get("content-security-policy") ?? "", /^default-src 'none'/);
          assertEquals(page.headers.getSetCookie(), []);
          assert(!/<script|onclick|javascript:/i.test(page.text), page.text);
          assertStringIncludes(page.text, EMAIL);
          assertStringIncludes(page.text, '<form method="post"');
          const { api } = scene;
          const head = await api.ask(pathname + search, { method: "HEAD" });
          assertEquals([head.status, head.text], [200, ""]);
          assertEquals(head.headers.getSetCookie(), []);
        }
        const accept = { accept: "application/json" };
        const { body } = await caller.ask(pathname + search, undefined, accept);
        assertEquals([body["act"], body["email"]], [mail, EMAIL]);
        assert(Math.abs(Date.now() - Date.parse(String(body["requestedAt"]))) < 60_000);
      }
      assertEquals(await accountRows(scene), before);
      const followed = await kind.follower(scene).follow(
        new URL(pathname + search, "http://x"),
        kind.sent,
      );
      assertEquals(followed.status, 200, followed.text);
    });
  });

  Deno.test(`${mail}: works once, of two that follow it at once for one, and unknown ones are refused as used ones are`, async () => {
    await withLinks(async (scene) => {
      const link = await kind.asked(scene);
      const both = await Promise.all(
        [kind.follower(scene), kind.follower(scene)].map((one) => one.follow(link, kind.sent)),
      );
      assertEquals(both.map(codeOf).sort(), ["200", "400 LINK_INVALID"]);
      const again = await kind.follower(scene).follow(link, kind.sent);
      const unknown = new URL(String(link).replace(/(token=|reset-password\/)..../, "$1XXXX"));
      const stranger = await kind.follower(scene).follow(unknown, kind.sent);
      const told = ({ body: { requestId: _, request: __, instance: ___, ...body } }: Answer) =>
        body;
      assertEquals(codeOf(again), "400 LINK_INVALID");
      assertEquals(told(again), told(stranger));
      const accept = { accept: "application/json" };
      const { pathname, search } = link;
      assertEquals(
        codeOf(await scene.browser().ask(pathname + search, undefined, accept)),
        "400 LINK_INVALID",
      );
      assertEquals((await scene.browser().ask(pathname + search)).status, 400);
    });
  });

  Deno.test(`${mail}: is over when its time is, and nothing of its row tells the token`, async () => {
    await withLinks(async (scene) => {
      const link = await kind.asked(scene);
      const token = link.searchParams.get("token") ?? link.pathname.split("/").at(-1) ?? "";
      assert(token.length >= 32 && !(await accountRows(scene)).includes(token));
      const sql = `SELECT round((julianday("expires_at") - julianday("created_at")) * 86400)
        FROM "auth_verification" WHERE "identifier" LIKE 'link:${mail}:%'
        ORDER BY "created_at" DESC LIMIT 1`;
      const { rows } = await scene.api.database.run({ sql, args: [] });
      assertEquals(rows, [[linkOf(mail).expiresIn]]);
      const past = `UPDATE "auth_verification" SET "expires_at" = '2020-01-01T00:00:00.000Z'`;
      await scene.api.database.write((transaction) => transaction.run({ sql: past, args: [] }));
      assertEquals(codeOf(await kind.follower(scene).follow(link, kind.sent)), "400 LINK_INVALID");
    });
  });

  Deno.test(`${mail}: a page of somebody else follows it neither by form nor by JSON, with or without a cookie`, async () => {
    await withLinks(async (scene) => {
      const link = await kind.asked(scene);
      const before = await accountRows(scene);
      const token = link.searchParams.get("token");
      const sent = { ...(token === null ? {} : { token }), ...kind.sent };
      for (const caller of [scene.browser(), scene.anna]) {
        for (const origin of ["https://evil.example", "null"]) {
          const form = String(new URLSearchParams(sent));
          const answers = [
            await caller.ask(link.pathname, form, { ...FORM, origin }),
            await caller.ask(link.pathname, sent, { origin }),
          ];
          assertEquals(answers.map(codeOf), ["403 ORIGIN_FORBIDDEN", "403 ORIGIN_FORBIDDEN"]);
          assertEquals(answers.flatMap(({ headers }) => headers.getSetCookie()), []);
        }
      }
      assertEquals(await accountRows(scene), before);
      const typed = await caller(scene).submit(await page(scene, link), kind.sent);
      assertEquals(typed.status, 200, typed.text);
    });
  });

  Deno.test(`${mail}: its form leads on to a trusted page alone`, async () => {
    await withLinks(async (scene) => {
      const link = await kind.asked(scene);
      link.searchParams.set("callbackURL", "https://evil.example/in");
      const before = await accountRows(scene);
      assertEquals((await scene.browser().ask(link.pathname + link.search)).status, 403);
      const token = link.searchParams.get("token") ?? "";
      const body = { ...kind.sent, token, callbackURL: "https://evil.example/in" };
      const form = String(new URLSearchParams(body));
      assertEquals((await scene.browser().ask(link.pathname, form, FORM)).status, 403);
      assertEquals(await accountRows(scene), before);
      link.searchParams.set("callbackURL", `${APP}/in?a=b`);
      const led = await caller(scene).submit(await page(scene, link), kind.sent);
      assertEquals([led.status, led.headers.get("location")], [303, `${APP}/in?a=b`]);
    });
  });

  Deno.test(`${mail}: another body than JSON and the page's form is 415`, async () => {
    await withLinks(async (scene) => {
      const link = await kind.asked(scene);
      for (const type of ["text/plain", "multipart/form-data; boundary=x"]) {
        const answer = await scene.anna.ask(link.pathname, "token=x", {
          "content-type": type,
        });
        assertEquals(codeOf(answer), "415 UNSUPPORTED_MEDIA_TYPE");
      }
    });
  });

  if (kind.needsAccount) {
    Deno.test(`${mail}: followed by nobody, by another account or with a wrong password it stays as it is`, async () => {
      await withLinks(async (scene) => {
        const link = await kind.asked(scene);
        const before = await accountRows(scene);
        assertEquals(
          codeOf(await scene.browser().follow(link)),
          mail === "invitation" ? "401 AUTH_MISSING" : "401 AUTH_SESSION_REQUIRED",
        );
        assertEquals(
          codeOf(await scene.ben.follow(link)),
          mail === "verifyEmail" ? "401 AUTH_SESSION_REQUIRED" : "403 FIREWALL_USER_ISOLATION",
        );
        const wrong = { password: "not the password" };
        assert((await scene.browser().follow(link, wrong)).status >= 400);
        const refused = await scene.ben.submit(await page(scene, link), wrong);
        assertEquals(refused.status, 401);
        assertStringIncludes(refused.text, 'role="alert"');
        assertEquals(await accountRows(scene), before);
        assertEquals((await scene.anna.follow(link)).status, 200);
      });
    });
  }
}

const caller = ({ browser }: LinkScene) => browser();

function page({ browser }: LinkScene, { pathname, search }: URL): Promise<Answer> {
  return browser().ask(pathname + search);
}

Deno.test("a scanner's GET confirms nothing, and the session of a listed address stays what it was", async () => {
  const smtp = { ...project, email: { ...project.email, provider: "smtp", from: EMAIL } as const };
  await withSignIn(smtp, async ({ sent, browser }) => {
    const stranger = browser();
    const account = { name: "Root", email: "root@example.com", password: LINK_PASSWORD };
    ok(await stranger.client.signUp.email(account));
    const link = linkIn(sent);
    const scanner = browser();
    for (const method of ["GET", "HEAD"]) {
      await scanner.ask(link.pathname + link.search, undefined, { method });
    }
    assertEquals((await stranger.ask("/auth/v1/admin/list-users")).status, 403);
    assertEquals(ok(await stranger.client.getSession()).user.emailVerified, false);
  }, { sysadminEmails: ["root@example.com"] });
});

Deno.test("an account goes to no address whose reader only opened the link", async () => {
  await withLinks(async (scene) => {
    const { anna, ben, sent } = scene;
    const victim = "victim@example.com";
    assertEquals((await ben.ask("/auth/v1/change-email", { newEmail: victim })).status, 200);
    const link = linkIn(sent);
    const reader = scene.browser();
    assertEquals((await reader.ask(link.pathname + link.search)).status, 200);
    assertEquals(codeOf(await reader.follow(link)), "401 AUTH_SESSION_REQUIRED");
    assertEquals(
      codeOf(await reader.follow(link, { takeOver: true })),
      "401 AUTH_SESSION_REQUIRED",
    );
    assertEquals(codeOf(await anna.follow(link)), "403 FIREWALL_USER_ISOLATION");
    ok(await reader.client.signIn.magicLink({ email: victim }));
    assertEquals((await reader.follow(linkIn(sent))).status, 200);
    assertEquals(ok(await ben.client.getSession()).user.email, "ben@example.com");
    assertEquals(await reader.who(), victim);
  });
});

Deno.test("whoever reads the mail of an account that they did not make takes it over, and chooses its password", async () => {
  await withLinks(async (scene) => {
    const link = await LINK_KINDS.verifyEmail.asked(scene);
    const { anna } = scene;
    const owner = scene.browser();
    const taken = await owner.follow(link, { takeOver: true });
    assertEquals(taken.status, 200, taken.text);
    assertEquals(await anna.who(), null);
    const chosen = { token: taken.body["resetToken"], newPassword: CHOSEN_PASSWORD };
    assertEquals((await owner.ask("/auth/v1/reset-password", chosen)).status, 200);
    const signIn = (password: string) => owner.client.signIn.email({ email: EMAIL, password });
    assertEquals((await signIn(LINK_PASSWORD)).error?.status, 401);
    assertEquals(ok(await signIn(CHOSEN_PASSWORD)).user.emailVerified, true);
  });
});

Deno.test("the page of a link that confirms leads from taking over to a new password, without a script", async () => {
  await withLinks(async (scene) => {
    const link = await LINK_KINDS.verifyEmail.asked(scene);
    const owner = scene.browser();
    const opened = await owner.ask(link.pathname + link.search);
    const token = link.searchParams.get("token") ?? "";
    const form = String(new URLSearchParams({ token, takeOver: "true" }));
    assertStringIncludes(opened.text, 'name="takeOver" value="true"');
    const led = await owner.ask(link.pathname, form, FORM);
    assertEquals(led.status, 303);
    const { pathname, search } = new URL(led.headers.get("location") ?? "");
    const chosen = await owner.submit(await owner.ask(pathname + search), {
      newPassword: CHOSEN_PASSWORD,
    });
    assertEquals(chosen.status, 200, chosen.text);
    ok(await owner.client.signIn.email({ email: EMAIL, password: CHOSEN_PASSWORD }));
  });
});

Deno.test("a changed address, a new password and the end of an account end its other links", async () => {
  for (const ending of ["changeEmail", "resetPassword", "deleteAccount"] as const) {
    await withLinks(async (scene) => {
      const others: URL[] = [];
      for (const mail of LINKED_MAILS.filter((one) => one !== ending && one !== "invitation")) {
        others.push(await LINK_KINDS[mail].asked(scene));
      }
      const twin = await LINK_KINDS[ending].asked(scene);
      const link = await LINK_KINDS[ending].asked(scene);
      assertEquals((await scene.anna.follow(link, LINK_KINDS[ending].sent)).status, 200);
      for (const other of [...others, twin]) {
        const { pathname, search } = other;
        const accept = { accept: "application/json" };
        const told = await scene.browser().ask(pathname + search, undefined, accept);
        assertEquals(codeOf(told), "400 LINK_INVALID", `${ending}: ${pathname}`);
      }
    });
  }
});

Deno.test("a refused act leaves its link good", async () => {
  await withLinks(async (scene) => {
    const link = await LINK_KINDS.resetPassword.asked(scene);
    assertEquals((await scene.browser().follow(link, { newPassword: "short" })).status, 400);
    const typed = await scene.browser().submit(await page(scene, link), { newPassword: "short" });
    assertEquals(typed.status, 400);
    assertStringIncludes(typed.text, 'role="alert"');
    assertEquals(
      (await scene.browser().follow(link, { newPassword: CHOSEN_PASSWORD })).status,
      200,
    );
  });
  await withLinks(async (scene) => {
    const { anna } = scene;
    const link = await LINK_KINDS.deleteAccount.asked(scene);
    ok(await anna.client.organization.create({ name: "Own", slug: "own" }));
    const before = await accountRows(scene);
    assertEquals(codeOf(await anna.follow(link)), "409 ORG_LAST_OWNER");
    assertEquals(await accountRows(scene), before);
  });
});

Deno.test("a program without an origin follows a link in production, too", async () => {
  await withLinks(async (scene) => {
    const link = await LINK_KINDS.magicLink.asked(scene);
    const token = link.searchParams.get("token") ?? "";
    const answer = await scene.api.ask(link.pathname, { method: "POST", body: { token } });
    assertEquals(answer.status, 200, answer.text);
  }, { settings: { production: true } });
});

Deno.test("where mail is sent, an invitation's id joins nobody whose address is not proved, and its token proves it", async () => {
  const smtp = { ...project, email: { ...project.email, provider: "smtp", from: EMAIL } as const };
  await withSignIn(smtp, async (plain) => {
    const scene = await linkScene(plain);
    const { anna, ben, sent } = scene;
    // Whoever is not proved invites nobody there.
    await ben.follow(linkIn(sent));
    const link = await LINK_KINDS.invitation.asked(scene);
    const { searchParams } = link;
    const invitationId = searchParams.get("invitationId");
    const accept = "/auth/v1/organization/accept-invitation";
    assertEquals(codeOf(await anna.ask(accept, { invitationId })), "403 EMAIL_UNVERIFIED");
    const list = await anna.ask("/auth/v1/organization/list-user-invitations");
    assertEquals([list.status, list.text], [200, "[]"]);
    assertEquals(codeOf(await ben.follow(link)), "403 FIREWALL_USER_ISOLATION");
    assertEquals((await anna.follow(link)).status, 200);
    assertEquals(ok(await anna.client.getSession()).user.emailVerified, true);
    assertEquals(ok(await anna.client.organization.list()).map(({ slug }) => slug), ["acme"]);
  });
});
