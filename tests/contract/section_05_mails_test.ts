/** The messages of accounts: each carries what it takes to go on, and leads to where the project says (definitions 6). */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { detached, memoryRateLimiter, systemClock } from "../../library/platform/mod.ts";
import { smtpEmailSender } from "../../library/platform/smtp_email_sender.ts";
import { createAccounts } from "../../shared/accounts/mod.ts";
import { ACCOUNT_MAILS, LINKED_MAILS, type LinkedMail } from "../../shared/model/email.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { EmailMessage, LogEntry } from "../../shared/runtime/ports.ts";
import {
  type AccountsUnderTest,
  AUTH_SECRET,
  Browser,
  createAuthTables,
  PASSWORD,
  withAccounts,
} from "../support/accounts.ts";
import { withDatabase } from "../support/databases.ts";
import { withMailServer } from "../support/mail_server.ts";
import { signInProject } from "../support/sign_in.ts";
import { project as sample } from "../support/sample_project.ts";

const APP = "https://app.example.com";

const { signIn } = signInProject({ magicLink: true }).auth;
const project: ProjectModel = { ...sample, auth: { ...sample.auth, ...(signIn && { signIn }) } };

const PATHS = {
  invitation: "/join/{id}",
  verifyEmail: "/confirm/{token}",
  resetPassword: "/password?token={token}",
  changeEmail: "/address/{token}",
  deleteAccount: "/leave/{token}",
  magicLink: "/enter/{token}",
};

/** Pages of an application, all of them named or none. */
function withPages(paths: Partial<Record<LinkedMail, string>>): ProjectModel {
  const email = { ...project.email, links: { appUrl: APP, paths } };
  return { ...project, email, trustedOrigins: [...project.trustedOrigins, APP] };
}

const linkIn = (message?: EmailMessage) => /https?:\S+/.exec(message?.text ?? "")?.[0] ?? "";

interface Scene {
  readonly underTest: AccountsUnderTest;
  readonly anna: Browser;
  readonly ben: Browser;
}

/** Asks for each message, and answers what the link that arrived leads to. */
const ASKED: Readonly<Record<LinkedMail, (scene: Scene) => Promise<string>>> = {
  async invitation({ underTest, anna }) {
    await anna.expect(200, "/organization/create", { name: "Acme", slug: "acme" });
    const invited = { email: "ben@example.com", role: "member" };
    await anna.expect(200, "/organization/invite-member", invited);
    return linkIn(underTest.sent.at(-1));
  },
  verifyEmail: ({ underTest }) =>
    Promise.resolve(linkIn(underTest.sent.find(({ to }) => to === "anna@example.com"))),
  async resetPassword({ underTest, anna }) {
    await anna.expect(200, "/request-password-reset", { email: "anna@example.com" });
    return linkIn(underTest.sent.at(-1));
  },
  async changeEmail({ underTest, anna }) {
    await anna.expect(200, "/change-email", { newEmail: "anna@new.example" });
    return linkIn(underTest.sent.at(-1));
  },
  async deleteAccount({ underTest, anna }) {
    await anna.expect(200, "/delete-user", {});
    return linkIn(underTest.sent.at(-1));
  },
  async magicLink({ underTest, anna }) {
    await anna.expect(200, "/sign-in/magic-link", { email: "anna@example.com" });
    return linkIn(underTest.sent.at(-1));
  },
};

const NEW_PASSWORD = "another horse battery staple";

/** What a page does with what its link brought; then the account is as the message promised. */
const DONE: Readonly<Record<LinkedMail, (key: string, scene: Scene) => Promise<unknown>>> = {
  invitation: (invitationId, { ben }) =>
    ben.expect(200, "/organization/accept-invitation", { invitationId }),
  async verifyEmail(token, { underTest, anna }) {
    await anna.expect(200, "/verify-email", { token });
    assertEquals(await addresses(underTest), ["anna@example.com 1", "ben@example.com 0"]);
  },
  async resetPassword(token, { underTest, anna }) {
    await anna.expect(200, "/reset-password", { token, newPassword: NEW_PASSWORD });
    const body = { email: "anna@example.com", password: NEW_PASSWORD };
    await underTest.browser().expect(200, "/sign-in/email", body);
  },
  async changeEmail(token, { underTest, anna }) {
    await anna.expect(200, "/verify-email", { token });
    assertEquals(await addresses(underTest), ["anna@new.example 1", "ben@example.com 0"]);
  },
  async deleteAccount(token, { underTest, anna }) {
    await anna.expect(200, "/delete-user/callback", { token });
    assertEquals(await addresses(underTest), ["ben@example.com 0"]);
  },
  async magicLink(token, { underTest }) {
    await underTest.browser().expect(200, "/magic-link/verify", { token });
    assertEquals(await addresses(underTest), ["anna@example.com 1", "ben@example.com 0"]);
  },
};

async function addresses({ database }: AccountsUnderTest): Promise<readonly string[]> {
  const sql = `SELECT "email", "email_verified" FROM "auth_user" ORDER BY "email"`;
  return (await database.run({ sql, args: [] })).rows.map((row) => row.join(" "));
}

function scene(
  named: ProjectModel,
  body: (scene: Scene) => Promise<void>,
): Promise<void> {
  return withAccounts({ project: named }, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    await body({ underTest, anna, ben: await underTest.signedUp("ben") });
  });
}

/** What a link to the API's own page carries: where that leads on to, and the token. */
function carriedBy(link: string) {
  const { origin, pathname, searchParams } = new URL(link);
  return {
    at: origin + pathname,
    next: searchParams.get("callbackURL"),
    token: searchParams.get("token") ?? pathname.split("/").at(-1) ?? "",
  };
}

for (const mail of LINKED_MAILS) {
  Deno.test(`the message ${mail} leads to the page that the project names, which goes on with it`, async () => {
    await scene(withPages(PATHS), async (scene) => {
      const link = await ASKED[mail](scene);
      const [before = "", after = ""] = PATHS[mail].split(/\{\w+\}/);
      assert(link.startsWith(APP + before) && link.endsWith(after), link);
      const key = link.slice((APP + before).length);
      await DONE[mail](decodeURIComponent(key), scene);
    });
  });
}

for (const [named, next] of [[withPages({}), APP], [project, null]] as const) {
  Deno.test(`without a page of its own a message leads to the API's own, and on to ${next}`, async () => {
    for (const mail of LINKED_MAILS) {
      await scene(named, async (scene) => {
        const link = carriedBy(await ASKED[mail](scene));
        const path = ACCOUNT_MAILS[mail].link.path.replace(":token", () => link.token);
        assertEquals([link.at, link.next], [`${scene.underTest.baseUrl}/auth/v1${path}`, next]);
        const { act, email } = await scene.underTest.accounts.mailedLink(
          ACCOUNT_MAILS[mail].link.path,
          link.token,
        ) ?? {};
        assertEquals(act, mail);
        assertEquals(email, mail === "invitation" ? "ben@example.com" : "anna@example.com");
        if (mail !== "invitation") {
          await DONE[mail](link.token, scene);
          return;
        }
        await scene.ben.expect(200, "/organization/accept-invitation", { token: link.token });
        assertEquals(await addresses(scene.underTest), ["anna@example.com 0", "ben@example.com 1"]);
      });
    }
  });
}

Deno.test("where a client says which of its pages comes next, that wins", async () => {
  await scene(withPages(PATHS), async ({ underTest, anna }) => {
    const redirectTo = `${APP}/mine`;
    const email = "anna@example.com";
    await anna.expect(200, "/request-password-reset", { email, redirectTo });
    assertEquals(carriedBy(linkIn(underTest.sent.at(-1))).next, redirectTo);
    await anna.expect(200, "/change-email", { newEmail: "a@new.example", callbackURL: redirectTo });
    assertEquals(carriedBy(linkIn(underTest.sent.at(-1))).next, redirectTo);
    const foreign = { email, redirectTo: "https://evil.example/mine" };
    const count = underTest.sent.length;
    await anna.expect(403, "/request-password-reset", foreign);
    assertEquals(underTest.sent.length, count);
  });
});

const HTML = '<p title="{{organization}}">{{ inviter }} &amp; co: <a href="{{url}}">{{id}}</a></p>';

Deno.test("a message has the project's words, and a name of a user is no markup in it", async () => {
  const pages = withPages(PATHS);
  const templates = { invitation: { html: HTML, txt: "{{inviter}} {{role}} {{url}} {{app}}\n" } };
  const named = { ...pages, email: { ...pages.email, templates } };
  await scene(named, async (scene) => {
    await scene.anna.expect(200, "/update-user", { name: '<b>"Anna"</b>\n{{url}} $&' });
    const link = await ASKED.invitation(scene);
    const message = scene.underTest.sent.at(-1);
    assertEquals(message?.text, `<b>"Anna"</b> {{url}} $& member ${link} ${project.name}\n`);
    const id = link.slice(`${APP}/join/`.length);
    const inviter = "&lt;b&gt;&quot;Anna&quot;&lt;/b&gt; {{url}} $&amp;";
    assertEquals(
      message?.html,
      `<p title="Acme">${inviter} &amp; co: <a href="${link}">${id}</a></p>`,
    );
    assertEquals(message?.subject, "Invitation to Acme");
  });
});

Deno.test("a mail server gets both parts of a message", async () => {
  await withMailServer({}, async (server) => {
    const url = `smtp://127.0.0.1:${server.port}`;
    const sender = smtpEmailSender({ url, from: "app@example.com", fromName: null });
    await sender.send({
      to: "a@example.com",
      subject: "Hello",
      text: "plain",
      html: "<b>rich</b>",
    });
    const message = server.delivered[0]?.message ?? "";
    for (
      const part of ["multipart/alternative", "text/plain", "plain", "text/html", "<b>rich</b>"]
    ) {
      assert(message.includes(part), part);
    }
  });
});

Deno.test("where addresses must be confirmed, production does not start without a mail server", async () => {
  const careful = { ...project, auth: { ...project.auth, requireEmailVerification: true } };
  await withDatabase((database) => {
    const open = (production: boolean, email = {}) =>
      createAccounts(careful, {
        database,
        settings: { baseUrl: "https://api.example.com", authSecret: AUTH_SECRET, production },
        logger: { log: () => {} },
        limiter: memoryRateLimiter({ clock: systemClock }),
        detached,
        ...email,
      });
    assertThrows(() => open(true), Error, "SMTP_URL");
    open(false);
    open(true, { email: { send: () => Promise.resolve() } });
    return Promise.resolve();
  });
});

Deno.test("in production no message is written to the log: it starts with a mail server, or without any mail", async () => {
  await withDatabase(async (database) => {
    await createAuthTables(database, sample);
    const log: LogEntry[] = [];
    const open = (production: boolean, isMailOff: boolean, asked = sample) =>
      createAccounts(asked, {
        database,
        settings: {
          baseUrl: "https://api.example.com",
          authSecret: AUTH_SECRET,
          production,
          variable: () => "https://api.example.com",
          isMailOff,
        },
        logger: { log: (entry) => void log.push(entry) },
        limiter: memoryRateLimiter({ clock: systemClock }),
        detached,
      });
    const refusal = assertThrows(() => open(true, false), Error).message;
    for (const part of ["email.provider", "SMTP_URL", "EMAIL_PROVIDER=none"]) {
      assert(refusal.includes(part), refusal);
    }
    open(false, false);
    const none = { ...sample, email: { ...sample.email, provider: "none" as const } };
    for (const accounts of [open(true, true), open(false, true), open(true, false, none)]) {
      log.length = 0;
      const browser = new Browser(accounts, "https://api.example.com");
      const email = `${log.length}${crypto.randomUUID()}@example.com`;
      const answers = [
        await browser.send("/sign-up/email", { name: "Anna", email, password: PASSWORD }),
        await browser.send("/request-password-reset", { email }),
        await browser.send("/request-password-reset", { email: "nobody@example.com" }),
        await browser.send("/send-verification-email", { email }),
        // What only a proved account may do, where proofs can be had.
        await browser.send("/api-key/create", { name: "mine" }),
      ];
      assertEquals(answers.map(({ status }) => status), [200, 200, 200, 200, 200]);
      assertEquals(JSON.stringify(log).includes("http"), false, JSON.stringify(log));
    }
  });
});
