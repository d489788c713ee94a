/** Ways to sign in by the typed client, and the second factor behind each of them (definitions 2, `providers.auth`). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TOTP, URI } from "otpauth";
import { ApiError, createClient } from "../../../library/client/mod.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { AUTH_SECRET, BASE_URL } from "../../support/api.ts";
import { PAPERS } from "../../support/papers_project.ts";
import {
  codeIn,
  freshCode,
  linkIn,
  ok,
  type SignInBrowser,
  type SignInScene,
  withSignIn,
} from "../../support/sign_in.ts";
import type { Api } from "./papers_api.ts";

const email = "anna@example.com";
const password = "correct horse battery staple";
const SECRETS = new Map([["GITHUB_CLIENT_ID", "id"], ["GITHUB_CLIENT_SECRET", "secret"]]);

type Client = ReturnType<typeof createClient<Api>>;

function project(): ProjectModel {
  const validation = validate(PAPERS);
  assert(validation.ok);
  return validation.model;
}

function withClients(
  body: (clients: SignInScene & { readonly client: () => Client }) => Promise<void>,
): Promise<void> {
  const given = {
    settings: {
      baseUrl: BASE_URL,
      authSecret: AUTH_SECRET,
      production: false,
      variable: (name: string) => SECRETS.get(name) ?? null,
    },
  };
  return withSignIn(project(), async (scene) => {
    const fetch = (request: Request) => {
      request.headers.set("host", new URL(BASE_URL).host);
      return scene.api.fetch(request, { clientIp: null });
    };
    await body({ ...scene, client: () => createClient<Api>(BASE_URL, { fetch }) });
  }, { given });
}

const userOf = async (client: Client) => (await client.auth.session())?.user.email ?? null;

Deno.test("a client signs in with the code of a message", async () => {
  await withClients(async ({ client, sent }) => {
    const anna = client();
    assertEquals(await anna.auth.mailCode({ email, type: "sign-in" }), { success: true });
    const entered = await anna.auth.signInWithCode({ email, otp: codeIn(sent) });
    assert("user" in entered);
    assertEquals([entered.user.email, await userOf(anna)], [email, email]);
    assert(await anna.auth.token() !== null);
    const again = () => anna.auth.signInWithCode({ email, otp: codeIn(sent) });
    await assertRejects(again, ApiError);
    // What was refused ended nothing.
    assertEquals(await userOf(anna), email);
  });
});

Deno.test("a client signs in with the token of a link", async () => {
  await withClients(async ({ client, sent }) => {
    const anna = client();
    assertEquals(await anna.auth.mailLink({ email }), { status: true });
    const token = linkIn(sent).searchParams.get("token") ?? "";
    assert("user" in await anna.auth.openLink(token));
    assertEquals(await userOf(anna), email);
    await assertRejects(() => client().auth.openLink(token), ApiError);
  });
});

Deno.test("a client gives the second factor after the first, and has no session before", async () => {
  await withClients(async ({ api, client, sent, browser }) => {
    const { device, backupCode } = await enrolled(browser(), sent);
    const anna = client();
    for (const second of ["code", "backup code"]) {
      const first = await anna.auth.signIn({ email, password });
      assertEquals(first, { twoFactorRedirect: true, twoFactorMethods: ["totp"] });
      assertEquals([await userOf(anna), await anna.auth.token()], [null, null]);
      await assertRejects(() => anna.auth.verifyTotp({ code: "000000" }), ApiError);
      if (second === "code") {
        await anna.auth.verifyTotp({ code: await freshCode(api.database, device) });
      } else await anna.auth.verifyBackupCode({ code: backupCode });
      assertEquals(await userOf(anna), email);
      assert(await anna.auth.token() !== null);
      await anna.auth.signOut();
    }
  });
});

/** Anna, with a password, a confirmed address and a second factor, by the account library's own client. */
async function enrolled(browser: SignInBrowser, sent: SignInScene["sent"]) {
  const { signUp, twoFactor } = browser.client;
  ok(await signUp.email({ name: "Anna", email, password }));
  await browser.follow(linkIn(sent));
  const enabled = ok(await twoFactor.enable({ password }));
  assert("totpURI" in enabled);
  const device = URI.parse(enabled.totpURI);
  assert(device instanceof TOTP);
  ok(await twoFactor.verifyTotp({ code: device.generate() }));
  return { device, backupCode: enabled.backupCodes[0] ?? "" };
}

Deno.test("a client is told where a provider is", async () => {
  await withClients(async ({ client }) => {
    const { url } = await client().auth.signInWith({ provider: "github", callbackURL: "/" });
    assertEquals(new URL(url ?? "").hostname, "github.com");
  });
});
