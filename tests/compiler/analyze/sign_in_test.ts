/** The keys of `providers.auth` that switch ways to sign in on (definitions 2). */
import { assertEquals } from "@std/assert";
import { socialProviders } from "better-auth/social-providers";
import { SOCIAL_PROVIDERS } from "../../../shared/model/sign_in.ts";
import { type MistakeRow, toldOf, withConfig } from "../../support/analysis.ts";

const auth = (options: string) => `providers: { auth: defineAuth("better-auth", { ${options} }) },`;
const MAILED = 'email: { provider: "smtp", from: "app@example.com" },';

Deno.test("the ways to sign in are absent until one is switched on", () => {
  assertEquals(withConfig(auth("magicLink: false")).model?.auth.signIn, undefined);
  const { model, errors, warnings } = withConfig(`${auth("emailCode: true")} ${MAILED}`);
  assertEquals(toldOf([...errors, ...warnings]), []);
  assertEquals(model?.auth.signIn, {
    magicLink: false,
    emailCode: true,
    twoFactor: false,
    passkeys: false,
    social: [],
    oidc: [],
  });
});

const WARNED: readonly MistakeRow[] = [
  ["messages that sign in go to the log", auth("magicLink: true"), [
    'VERIFICATION_BY_LOG 3:48 magicLink needs mail, which this project writes to the log | Write email: { provider: "smtp", from: "app@example.com" }: it does not start in production without',
  ]],
  ["a plugin is listed whose key is off", auth('plugins: ["emailOTP"]'), [
    'PLUGIN_KEY_OFF 3:58 The account plugin "emailOTP" is listed, and emailCode is off | Write emailCode: true beside plugins, or take it off the list',
  ]],
  [
    "a plugin is listed whose key is on",
    auth('plugins: ["magicLink"], magicLink: true') + MAILED,
    [],
  ],
];

for (const [title, source, expected] of WARNED) {
  Deno.test(`Sign-in: ${title}`, () => {
    const { errors, warnings } = withConfig(source);
    assertEquals(toldOf([...errors, ...warnings]), expected);
  });
}

const REFUSED: readonly MistakeRow[] = [
  ["a provider that nobody knows", auth("social: { githb: true }"), [
    'PROVIDER_UNKNOWN 3:58 Unknown provider "githb" in providers.auth.social | Did you mean "github"?',
  ]],
  ["two providers of one name", auth('oidc: [{ id: "github", issuer: "https://a.example" }]'), [
    'PROVIDER_TAKEN 3:61 The provider "github" is there already | Give this one an id of its own, such as "my-github"',
  ]],
  ["an issuer in the open", auth('oidc: [{ id: "a", issuer: "http://a.example" }]'), [
    'VALUE_INVALID 3:74 "providers.auth.oidc[0].issuer" is "http://a.example", expected an https address without ? and #',
  ]],
  ["a provider without issuer", auth('oidc: [{ id: "a" }]'), [
    'KEY_MISSING 3:55 Key "issuer" is missing in providers.auth.oidc[0]',
  ]],
];

for (const [title, source, expected] of REFUSED) {
  Deno.test(`Sign-in: ${title}`, () => {
    assertEquals(toldOf(withConfig(source).errors), expected);
  });
}

Deno.test("providers are read as they are written", () => {
  const { model, errors } = withConfig(
    auth(
      'social: { google: true, github: true, gitlab: false }, oidc: [{ id: "acme-sso", issuer: "https://id.acme.example/" }]',
    ),
  );
  assertEquals(toldOf(errors), []);
  assertEquals(model?.auth.signIn?.social, ["github", "google"]);
  assertEquals(model?.auth.signIn?.oidc, [{ id: "acme-sso", issuer: "https://id.acme.example" }]);
});

Deno.test("every provider of the library is known here, or left out on purpose", () => {
  const LEFT_OUT = ["apple", "cognito", "tiktok", "wechat"];
  assertEquals([...SOCIAL_PROVIDERS, ...LEFT_OUT].sort(), Object.keys(socialProviders).sort());
});

Deno.test("a worker, which sends no mail, signs nobody in by it", () => {
  const providers =
    'providers: { runtime: defineRuntime("cloudflare"), auth: defineAuth("better-auth", { emailCode: true }) },';
  assertEquals(toldOf(withConfig(`${providers} ${MAILED}`).errors), [
    'MAIL_NOT_POSSIBLE 3:86 emailCode needs mail, and a worker has no mail server | Write defineRuntime("deno"), or take the key away',
  ]);
});
