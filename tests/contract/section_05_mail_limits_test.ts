/** How many messages accounts send: to one address in an hour, and invitations of one account in a day (decisions/accounts.md). */
import { assertEquals } from "@std/assert";
import type { EmailMessage } from "../../shared/runtime/ports.ts";
import { withAccountsApi } from "../support/accounts_api.ts";
import { AUTH_SECRET, BASE_URL } from "../support/api.ts";
import { ok, type SignInBrowser, signInProject, withSignIn } from "../support/sign_in.ts";
import { createAccounts } from "../../shared/accounts/mod.ts";
import { detached, memoryRateLimiter, systemClock } from "../../library/platform/mod.ts";
import { passwords } from "../support/passwords.ts";

const project = signInProject({ magicLink: true, emailCode: true });
const PASSWORD = "correct horse battery staple";
const victim = "victim@example.com";

const mailsTo = (sent: readonly EmailMessage[], address: string) =>
  sent.filter(({ to }) => to.toLowerCase() === address).length;

/** Every route that mails without a session, by what it takes. */
const UNASKED: readonly (readonly [path: string, body: (email: string) => unknown])[] = [
  ["/sign-in/magic-link", (email) => ({ email })],
  ["/email-otp/send-verification-otp", (email) => ({ email, type: "sign-in" })],
  ["/request-password-reset", (email) => ({ email })],
];

const signUp = ({ client }: SignInBrowser, email: string) =>
  client.signUp.email({ name: "Somebody", email, password: PASSWORD });

Deno.test("eight mails an hour reach an address whose reader has no session, over all routes and spellings, and the answers stay the same", async () => {
  await withSignIn(project, async ({ browser, sent, api }) => {
    ok(await signUp(browser(), victim));
    const answers = new Map<string, string>();
    for (let round = 0; round < 6; round += 1) {
      for (const [path, body] of UNASKED) {
        const spelled = round % 2 === 0 ? victim : "Victim@Example.COM";
        const asked = await browser(`203.0.113.${round}`).ask(`/auth/v1${path}`, body(spelled));
        assertEquals(answers.getOrInsert(path, asked.text), asked.text);
        assertEquals(asked.status, 200);
      }
    }
    assertEquals(mailsTo(sent, victim), 8);
    ok(await browser().client.signIn.magicLink({ email: "other@example.com" }));
    assertEquals(mailsTo(sent, "other@example.com"), 1);
    const later = `UPDATE "auth_verification" SET "expires_at" = '2020-01-01T00:00:00.000Z'
      WHERE "identifier" LIKE 'mail:%'`;
    await api.database.write((transaction) => transaction.run({ sql: later, args: [] }));
    ok(await browser().client.signIn.magicLink({ email: victim }));
    assertEquals(mailsTo(sent, victim), 9);
  });
});

Deno.test("ten mails an hour in all, and five invitations of them, reach one address, asked for at once or not", async () => {
  await withSignIn(project, async ({ browser, sent }) => {
    const owner = browser();
    ok(await signUp(owner, "owner@example.com"));
    for (let count = 0; count < 7; count += 1) {
      const { id: organizationId } = ok(
        await owner.client.organization.create({ name: `Org ${count}`, slug: `org-${count}` }),
      );
      const invited = { email: victim, role: "member" as const, organizationId };
      ok(await owner.client.organization.inviteMember(invited));
    }
    assertEquals(mailsTo(sent, victim), 5);
    await Promise.all(
      Array.from({ length: 9 }, () => owner.ask("/auth/v1/change-email", { newEmail: victim })),
    );
    assertEquals(mailsTo(sent, victim), 10);
    // The account's own address is told once.
    const notices = sent.filter(({ to, subject }) =>
      to === "owner@example.com" && /is to be changed/.test(subject)
    );
    assertEquals(notices.length, 1);
  });
});

Deno.test("the count holds for all instances", async () => {
  const sent: EmailMessage[] = [];
  const email = { send: (message: EmailMessage) => Promise.resolve(void sent.push(message)) };
  await withAccountsApi(async (api) => {
    const instance = () =>
      createAccounts(project, {
        database: api.database,
        settings: { baseUrl: BASE_URL, authSecret: AUTH_SECRET, production: false },
        logger: { log: () => {} },
        limiter: memoryRateLimiter({ clock: systemClock }),
        passwords,
        detached,
        email,
      });
    for (const accounts of [instance(), instance()]) {
      for (let count = 0; count < 6; count += 1) {
        const request = new Request(`${BASE_URL}/auth/v1/sign-in/magic-link`, {
          method: "POST",
          headers: { "content-type": "application/json", origin: BASE_URL },
          body: JSON.stringify({ email: victim }),
        });
        assertEquals((await accounts.handle(request)).status, 200);
      }
    }
    assertEquals(mailsTo(sent, victim), 8);
  }, { project });
});

Deno.test("an account sends fifty invitations a day, refused ones not counted", async () => {
  await withSignIn(project, async ({ browser }) => {
    const owner = browser();
    ok(await signUp(owner, "owner@example.com"));
    ok(await owner.client.organization.create({ name: "Org", slug: "org" }));
    const invite = (email: string) =>
      owner.ask("/auth/v1/organization/invite-member", { email, role: "member" });
    for (let count = 0; count < 50; count += 1) {
      assertEquals((await invite(`guest${count}@example.com`)).status, 200);
      if (count === 0) assertEquals((await invite(`guest${count}@example.com`)).status, 400);
    }
    const refused = await invite("one-more@example.com");
    assertEquals([refused.status, refused.body["code"]], [429, "RATE_LIMITED"]);
  });
});
