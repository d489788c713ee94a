/** Messages and pages in the language that a browser asks for, and with the face of the project (definitions 2 and 6). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { EmailMessage } from "../../shared/runtime/ports.ts";
import { LINKED_MAILS, mailPlaceholders } from "../../shared/model/email.ts";
import { EMAIL, LINK_KINDS, LINK_PASSWORD, linkScene } from "../support/mailed_links.ts";
import { withAccounts } from "../support/accounts.ts";
import { linkIn, ok, signInProject, type SignInScene, withSignIn } from "../support/sign_in.ts";

const base = signInProject({ magicLink: true, emailCode: true });

const project: ProjectModel = {
  ...base,
  branding: { name: "Ärzte & Co", color: "#ffcc00", logo: { type: "image/png", data: "iVBORw0K" } },
  email: {
    ...base.email,
    notices: true,
    templates: { magicLink: { txt: "Plain: {{url}}" } },
    pages: { "magicLink.button": "Plain button", close: "Plain close" },
    languages: {
      de: {
        templates: {
          magicLink: { subject: "Anmeldung bei {{app}}", txt: "Hallo,\n\n{{url}}\n" },
          emailCode: { html: "<b title='{{email}}'>{{code}} für {{app}}</b>" },
          invitation: { txt: "{{inviter}} lädt ein" },
          resetPassword: { txt: "Neues Passwort: {{url}}" },
          address: { txt: "Die Adresse von {{email}} ist neu." },
          password: { txt: "Das Passwort von {{email}} ist neu." },
        },
        pages: { "magicLink.title": "Bei {{app}} anmelden", "magicLink.button": "Anmelden" },
      },
      ar: { pages: { "magicLink.title": "تسجيل الدخول" } },
    },
  },
};

const GERMAN = { "accept-language": "de-CH, en;q=0.5" };

function told(sent: readonly EmailMessage[]) {
  const { subject = "", text = "" } = sent.at(-1) ?? {};
  return [subject, text.replace(/http\S+/, "<link>")];
}

async function mailLink({ browser }: SignInScene, headers: Readonly<Record<string, string>>) {
  const body = { email: EMAIL };
  const { status } = await browser().ask("/auth/v1/sign-in/magic-link", body, headers);
  assertEquals(status, 200);
}

const LINK_MAILS: readonly (readonly [string | null, string, string])[] = [
  ["de", "Anmeldung bei Ärzte & Co", "Hallo,\n\n<link>\n"],
  ["de-CH, en;q=0.5", "Anmeldung bei Ärzte & Co", "Hallo,\n\n<link>\n"],
  ["en, de;q=0.9", "Sign in to Ärzte & Co", "Plain: <link>"],
  ["fr", "Sign in to Ärzte & Co", "Plain: <link>"],
  [null, "Sign in to Ärzte & Co", "Plain: <link>"],
];

for (const [asked, subject, text] of LINK_MAILS) {
  Deno.test(`a sign-in link that is asked for in ${asked} says ${subject}`, () =>
    withSignIn(project, async (scene) => {
      await mailLink(scene, asked === null ? {} : { "accept-language": asked });
      assertEquals(told(scene.sent), [subject, text]);
    }));
}

Deno.test("codes, invitations, resets and notices come in the language of the request that causes them", () =>
  withSignIn(project, async ({ browser, sent }) => {
    const anna = browser();
    ok(await anna.client.signUp.email({ name: "Anna", email: EMAIL, password: LINK_PASSWORD }));
    ok(await anna.client.organization.create({ name: "Acme", slug: "acme" }));
    const invited = { email: "ben@example.com", role: "member" };
    assertEquals(
      (await anna.ask("/auth/v1/organization/invite-member", invited, GERMAN)).status,
      200,
    );
    assertEquals(told(sent)[1], "Anna lädt ein");
    const coded = { email: EMAIL, type: "sign-in" };
    await browser().ask("/auth/v1/email-otp/send-verification-otp", coded, GERMAN);
    assert(
      /^<b title='anna@example.com'>\d{6} für Ärzte &amp; Co<\/b>$/.test(sent.at(-1)?.html ?? ""),
    );
    await browser().ask("/auth/v1/request-password-reset", { email: EMAIL }, GERMAN);
    assertEquals(told(sent)[1], "Neues Passwort: <link>");
    const changed = { currentPassword: LINK_PASSWORD, newPassword: "another horse battery staple" };
    assertEquals((await anna.ask("/auth/v1/change-password", changed, GERMAN)).status, 200);
    const notice = sent.find(({ text }) => text.startsWith("Das Passwort"));
    assertEquals(notice?.text, "Das Passwort von anna@example.com ist neu.");
  }));

Deno.test("the notice of what a mailed link did comes in the language of who followed it", () =>
  withSignIn(project, async (plain) => {
    const scene = await linkScene(plain);
    const { pathname, searchParams } = await LINK_KINDS.changeEmail.asked(scene);
    const body = { token: searchParams.get("token"), password: LINK_PASSWORD };
    assertEquals((await scene.browser().ask(pathname, body, GERMAN)).status, 200);
    const notice = scene.sent.find(({ text }) => text.includes("Adresse von"));
    assertEquals(notice?.text, `Die Adresse von ${EMAIL} ist neu.`);
  }));

Deno.test("the notice of an act outside of account routes comes in the language of its request", () =>
  withAccounts({ project }, async ({ accounts, database, signedUp, sent }) => {
    await signedUp("anna");
    const { rows: [row] } = await database.run({ sql: `SELECT "id" FROM "auth_user"`, args: [] });
    const origin = { clientIp: null, userAgent: null, languages: "de" };
    const event = { userId: String(row?.[0]), kind: "password", details: {}, origin } as const;
    const { securityLog } = accounts;
    assert(securityLog !== undefined);
    const send = await database.write((transaction) =>
      securityLog.record(transaction, { ...event, notifies: true })
    );
    send();
    assertEquals(told(sent)[1], "Das Passwort von anna@example.com ist neu.");
  }));

for (const mail of LINKED_MAILS) {
  Deno.test(`the message ${mail} has a value for each of its placeholders`, () => {
    const names = mailPlaceholders(mail);
    const txt = names.map((name) => `${name}: {{${name}}}\n`).join("");
    const email = { ...base.email, templates: { [mail]: { txt } } };
    return withSignIn({ ...base, email }, async (plain) => {
      const scene = await linkScene(plain);
      await LINK_KINDS[mail].asked(scene);
      const lines = (scene.sent.at(-1)?.text ?? "").trimEnd().split("\n");
      assertEquals(lines.map((line) => /^(\w+): \S/.exec(line)?.[1]), [...names]);
    });
  });
}

Deno.test("a message has the project's face: its name, its colour with a readable text on it, its logo", () =>
  withSignIn(project, async (scene) => {
    await mailLink(scene, GERMAN);
    const { html = "", images, text = "" } = scene.sent.at(-1) ?? {};
    const url = /http\S+/.exec(text)?.[0] ?? "";
    assertStringIncludes(html, `<html lang="de">`);
    assertStringIncludes(html, `<title>Anmeldung bei Ärzte &amp; Co</title>`);
    assertStringIncludes(html, `<img src="cid:logo" alt="Ärzte &amp; Co"`);
    assertStringIncludes(html, `background:#ffcc00;color:#000000">Anmelden</a>`);
    assertStringIncludes(html, `href="${url.replaceAll("&", "&amp;")}"`);
    assertEquals(images, [{ id: "logo", type: "image/png", data: "iVBORw0K" }]);
  }));

Deno.test("what somebody called themselves is text in every form of a message", () => {
  const { branding, ...email } = { ...project.email, branding: project.branding };
  const english = { ...email, languages: {}, templates: {} };
  return withSignIn(
    { ...project, ...(branding && { branding }), email: english },
    async ({ browser, sent }) => {
      const anna = browser();
      const name = '<img src=x onerror="a">';
      ok(await anna.client.signUp.email({ name, email: EMAIL, password: LINK_PASSWORD }));
      ok(await anna.client.organization.create({ name: "A & {{role}} <b>", slug: "acme" }));
      await anna.ask("/auth/v1/organization/invite-member", {
        email: "b@example.com",
        role: "member",
      });
      const { html = "", text = "" } = sent.at(-1) ?? {};
      assertStringIncludes(text, `${name} invites you to A & {{role}} <b> as member.`);
      assertStringIncludes(
        html,
        "&lt;img src=x onerror=&quot;a&quot;&gt; invites you to A &amp; {{role}} &lt;b&gt; as",
      );
    },
  );
});

Deno.test("a project without branding sends texts as before", () =>
  withSignIn(base, async (scene) => {
    await mailLink(scene, GERMAN);
    const { html, images, subject } = scene.sent.at(-1) ?? {};
    assertEquals([html, images, subject], [undefined, undefined, `Sign in to ${base.name}`]);
  }));

const PAGES: readonly (readonly [string, string, readonly string[]])[] = [
  ["de", `<html lang="de" dir="ltr">`, [
    "<h1>Bei Ärzte &amp; Co anmelden</h1>",
    ">Anmelden</button>",
    "Asked for at",
  ]],
  ["ar-EG", `<html lang="ar" dir="rtl">`, ["<h1>تسجيل الدخول</h1>", ">Plain button</button>"]],
  ["fr, en;q=0.1", `<html lang="en" dir="ltr">`, ["<h1>Sign in</h1>", ">Plain button</button>"]],
];

for (const [asked, start, parts] of PAGES) {
  Deno.test(`the page of a link is in ${asked}, and what it lacks in the plain texts, else in English`, () =>
    withSignIn(project, async (scene) => {
      await mailLink(scene, {});
      const { pathname, search } = linkIn(scene.sent);
      const page = await scene.browser().ask(pathname + search, undefined, {
        accept: "text/html",
        "accept-language": asked,
      });
      assertEquals(page.status, 200);
      for (const part of [start, ...parts]) assertStringIncludes(page.text, part);
      assertStringIncludes(
        page.text,
        `<img src="data:image/png;base64,iVBORw0K" alt="Ärzte &amp; Co">`,
      );
      assertStringIncludes(page.text, "--main: #ffcc00; --on-main: #000000");
      assertEquals(page.text.includes("<script"), false);
      await onlyOwnStyle(page.headers, page.text);
    }));
}

/** The policy admits the page's one style by its digest, and nothing else. */
async function onlyOwnStyle(headers: Headers, html: string): Promise<void> {
  const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? "";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
  const policy = headers.get("content-security-policy") ?? "";
  assertStringIncludes(policy, `style-src 'sha256-${new Uint8Array(digest).toBase64()}'`);
}

Deno.test("a JSON answer is the same in every language", () =>
  withSignIn(project, async (scene) => {
    await mailLink(scene, {});
    const { pathname, search } = linkIn(scene.sent);
    const [one, other] = await Promise.all(
      ["de", "en"].map((language) =>
        scene.browser().ask(pathname + search, undefined, {
          accept: "application/json",
          "accept-language": language,
        })
      ),
    );
    assertEquals(one?.text, other?.text);
  }));

Deno.test("a compile takes what the definitions say of a face", () => {
  const config =
    'export default { name: "sample", branding: { name: "Sample", color: "#0a5bd3" } };\n';
  assertEquals(validate({ "quickback/quickback.config.ts": config }).ok, true);
});
