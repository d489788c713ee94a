/** `email` and `email-templates/`: where messages lead and what they say is checked before any is sent (definitions 6). */
import { assertEquals } from "@std/assert";
import {
  analyzedProject,
  CONFIG_FILE,
  type MistakeRow,
  toldOf,
  withConfig,
} from "../../support/analysis.ts";

const SETTINGS: readonly MistakeRow[] = [
  ["an unknown path", 'email: { appUrl: "https://a.example", paths: { invite: "/{id}" } },', [
    'UNKNOWN_KEY 3:48 Unknown key "invite" in email.paths | There are "invitation", "verifyEmail", "resetPassword", "changeEmail", "deleteAccount", "magicLink"',
  ]],
  [
    "a path without its placeholder",
    'email: { appUrl: "https://a.example", paths: { invitation: "/join/{code}" } },',
    [
      'VALUE_INVALID 3:60 "email.paths.invitation" is "/join/{code}", expected a path with {id} or {token}, such as /page/{token}',
    ],
  ],
  [
    "a path that is none",
    'email: { appUrl: "https://a.example", paths: { changeEmail: "c/{token}" } },',
    [
      'VALUE_INVALID 3:61 "email.paths.changeEmail" is "c/{token}", expected a path with {token}, such as /page/{token}',
    ],
  ],
  ["paths of no application", 'email: { paths: { deleteAccount: "/{token}" } },', [
    'KEY_MISSING 3:8 Key "appUrl" is missing in email',
  ]],
  ["an application that is no URL", 'email: { appUrl: "app.example.com" },', [
    'VALUE_INVALID 3:18 "email.appUrl" is "app.example.com", expected a URL such as https://app.example.com, without ? or #',
  ]],
  ["an application with a query", 'email: { appUrl: "https://a.example/?x=1" },', [
    'VALUE_INVALID 3:18 "email.appUrl" is "https://a.example/?x=1", expected a URL such as https://app.example.com, without ? or #',
  ]],
];

for (const [title, source, expected] of SETTINGS) {
  Deno.test(`E-mail settings: ${title}`, () => {
    assertEquals(toldOf(withConfig(source).errors), expected);
  });
}

Deno.test("an application that messages lead to is a trusted origin", () => {
  const { model } = withConfig(
    'trustedOrigins: ["https://b.example"], email: { appUrl: "https://a.example/app/" },',
  );
  assertEquals(model?.trustedOrigins, ["https://b.example", "https://a.example"]);
  assertEquals(model?.email.links, { appUrl: "https://a.example/app", paths: {} });
});

const FOLDER = "quickback/email-templates";

function withTemplate(name: string, text: string, email = "") {
  return analyzedProject({
    [CONFIG_FILE]: `export default { name: "sample", ${email} };\n`,
    [`${FOLDER}/${name}`]: text,
  });
}

const TEMPLATES:
  readonly (readonly [title: string, name: string, text: string, expected: string])[] = [
    [
      "no message has this name",
      "invitations.html",
      "<p>Hello</p>",
      'EMAIL_TEMPLATE_UNKNOWN 1:1 No message is made of "quickback/email-templates/invitations.html" | Did you mean "invitation.html"?',
    ],
    [
      "a name that the message lacks",
      "verify-email.txt",
      "Hello {{ name }},\n  {{organization}}",
      'EMAIL_PLACEHOLDER_UNKNOWN 2:3 Unknown placeholder "organization" in "quickback/email-templates/verify-email.txt" | There are "url", "token", "email", "app", "name"',
    ],
    [
      "a word of a template language",
      "invitation.txt",
      "{{#if role}}x{{/if}}",
      'EMAIL_PLACEHOLDER_UNKNOWN 1:1 Unknown placeholder "#if role" in "quickback/email-templates/invitation.txt" | There are "url", "id", "token", "email", "app", "organization", "inviter", "role"',
    ],
    [
      "a link in a message that has none",
      "email-code.html",
      "{{url}}",
      'EMAIL_PLACEHOLDER_UNKNOWN 1:1 Unknown placeholder "url" in "quickback/email-templates/email-code.html" | There are "code", "email", "app"',
    ],
  ];

for (const [title, name, text, expected] of TEMPLATES) {
  Deno.test(`E-mail template: ${title}`, () => {
    assertEquals(toldOf(withTemplate(name, text).errors).slice(0, 1), [expected]);
  });
}

Deno.test("a template's text is part of the project", () => {
  const email = 'email: { appUrl: "https://a.example" }';
  const { model, errors } = withTemplate("reset-password.html", "<a href='{{url}}'>go</a>", email);
  assertEquals(toldOf(errors), []);
  assertEquals(model?.email.templates, {
    resetPassword: { html: "<a href='{{url}}'>go</a>" },
  });
});

Deno.test("the settings of passwords are read as they are written", () => {
  const passwords = "{ disableSignUp: true, requireEmailVerification: true }";
  const source =
    `providers: { auth: defineAuth("better-auth", { emailAndPassword: ${passwords} }) },`;
  const logged = withConfig(source);
  const { emailAndPassword, disableSignUp, requireEmailVerification } = logged.model?.auth ?? {};
  assertEquals([emailAndPassword, disableSignUp, requireEmailVerification], [true, true, true]);
  assertEquals(toldOf(logged.warnings), [
    'VERIFICATION_BY_LOG 3:48 requireEmailVerification needs mail, which this project writes to the log | Write email: { provider: "smtp", from: "app@example.com" }: it does not start in production without',
  ]);
  const sent = withConfig(`${source} email: { provider: "smtp", from: "app@example.com" },`);
  assertEquals(toldOf(sent.warnings), []);
  const none = withConfig(`${source} email: { provider: "none" },`);
  assertEquals(toldOf(none.errors), [
    'MAIL_NOT_SENT 3:48 requireEmailVerification needs mail, and email.provider is "none" | Write email: { provider: "smtp", from: "app@example.com" }, or take the key away',
  ]);
});
