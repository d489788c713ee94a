/** Signing in on the page of the authorization server: the account's second factor holds there, too (contract 5.1; definitions 2). */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { TOTP, URI } from "otpauth";
import { authorizePath, fieldsOf, oauthProject, registered } from "../support/oauth.ts";
import {
  freshCode,
  linkIn,
  ok,
  type SignInBrowser,
  signInProject,
  type SignInScene,
  withSignIn,
} from "../support/sign_in.ts";

const email = "anna@example.com";
const password = "correct horse battery staple";
const project = oauthProject(signInProject({ twoFactor: true }));

/** Authenticator app and backup codes of Anna, whose address is confirmed. */
async function enrolled({ browser, sent }: SignInScene) {
  const anna = browser();
  ok(await anna.client.signUp.email({ name: "Anna", email, password }));
  await anna.follow(linkIn(sent));
  const answer = ok(await anna.client.twoFactor.enable({ password }));
  const device = "totpURI" in answer ? URI.parse(answer.totpURI) : null;
  if (!(device instanceof TOTP) || !("backupCodes" in answer)) throw new Error("No device");
  ok(await anna.client.twoFactor.verifyTotp({ code: device.generate() }));
  return { device, backupCodes: answer.backupCodes };
}

function send(visitor: SignInBrowser, values: Record<string, string>) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return visitor.ask("/oauth/sign-in", String(new URLSearchParams(values)), headers);
}

Deno.test("after the password the page asks for the second factor, and without it there is no session", () =>
  withSignIn(project, async (scene) => {
    const { device, backupCodes } = await enrolled(scene);
    const path = authorizePath(await registered(scene.api));
    const right = [() => freshCode(scene.api.database, device), () => backupCodes[0] ?? ""];
    for (const code of right) {
      const visitor = scene.browser();
      const page = await visitor.ask(path);
      const { request = "" } = Object.fromEntries(fieldsOf(page.text));
      const second = await send(visitor, { request, email, password });
      assertEquals(second.status, 200, second.text);
      assertStringIncludes(second.text, "Second step");
      assertEquals(await visitor.who(), null);
      assertStringIncludes((await visitor.ask(path)).text, "Sign in to");
      const wrong = await send(visitor, { request, code: "000000" });
      assertEquals(wrong.status, 400);
      assertStringIncludes(wrong.text, "The code is wrong.");
      assertEquals(await visitor.who(), null);
      const done = await send(visitor, { request, code: await code() });
      assertEquals([done.status, done.headers.get("location")], [303, path], done.text);
      assertEquals(await visitor.who(), email);
      assertStringIncludes((await visitor.ask(path)).text, email);
    }
  }));

Deno.test("without passwords the page says where to sign in, and takes none", () => {
  const passwordless = oauthProject(
    signInProject({ magicLink: true }, { emailAndPassword: false }),
  );
  return withSignIn(passwordless, async ({ api, browser }) => {
    const visitor = browser();
    const page = await visitor.ask(authorizePath(await registered(api)));
    assertEquals(page.text.includes('type="password"'), false);
    assertStringIncludes(page.text, "come back to this page");
    assertEquals((await send(visitor, { request: "", email, password })).status, 400);
    assertEquals((await send(visitor, { request: "a=b", email, password })).status, 400);
  });
});
