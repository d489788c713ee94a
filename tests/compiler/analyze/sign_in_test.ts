/** The keys of `providers.auth` that switch ways to sign in on (definitions 2). */
import { assertEquals } from "@std/assert";
import { type MistakeRow, toldOf, withConfig } from "../../support/analysis.ts";

const auth = (options: string) => `providers: { auth: defineAuth("better-auth", { ${options} }) },`;
const MAILED = 'email: { provider: "smtp", from: "app@example.com" },';

Deno.test("the ways to sign in are absent until one is switched on", () => {
  assertEquals(withConfig(auth("magicLink: false")).model?.auth.signIn, undefined);
  const { model, errors, warnings } = withConfig(`${auth("emailCode: true")} ${MAILED}`);
  assertEquals(toldOf([...errors, ...warnings]), []);
  assertEquals(model?.auth.signIn, { magicLink: false, emailCode: true, twoFactor: false });
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

Deno.test("a worker, which sends no mail, signs nobody in by it", () => {
  const providers =
    'providers: { runtime: defineRuntime("cloudflare"), auth: defineAuth("better-auth", { emailCode: true }) },';
  assertEquals(toldOf(withConfig(`${providers} ${MAILED}`).errors), [
    'MAIL_NOT_POSSIBLE 3:86 emailCode needs mail, and a worker has no mail server | Write defineRuntime("deno"), or take the key away',
  ]);
});
