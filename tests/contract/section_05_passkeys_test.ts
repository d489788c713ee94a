/** Passkeys in a real browser, with an authenticator that the browser plays (definitions 2, `providers.auth.passkeys`). */
import { assertEquals } from "@std/assert";
import type { CDPSession, Page } from "playwright-core";
import { relyingParty } from "../../shared/accounts/passkeys.ts";
import type { ApiUnderTest } from "../support/api.ts";
import { BASE_URL } from "../support/api.ts";
import { newPage, withBrowser } from "../support/browser.ts";
import { chromium } from "../support/installed.ts";
import { linkIn, signInProject, type SignInScene, withSignIn } from "../support/sign_in.ts";

const email = "anna@example.com";
const password = "correct horse battery staple";
const project = signInProject({ passkeys: true, twoFactor: true, emailCode: true });
const executable = chromium();
const PAGE = `${BASE_URL}/page-of-an-application`;

interface Desk extends SignInScene {
  readonly page: Page;
  readonly devices: CDPSession;
  readonly device: string;
}

/** A page of the API's own origin, in a browser with a device that verifies its user. */
async function withDesk(body: (desk: Desk) => Promise<void>): Promise<void> {
  await withSignIn(project, (scene) =>
    withBrowser(executable, async (browser) => {
      const page = await newPage(browser);
      await page.route("**/*", async (route) => {
        const asked = route.request();
        // The API's own page may ask nothing.
        if (asked.url() === PAGE) {
          return await route.fulfill({ contentType: "text/html", body: "" });
        }
        const { status, headers, text } = await answered(scene.api, {
          url: asked.url(),
          method: asked.method(),
          headers: await asked.allHeaders(),
          body: asked.postData(),
        });
        await route.fulfill({ status, headers, body: text });
      });
      await page.goto(PAGE);
      const devices = await page.context().newCDPSession(page);
      await devices.send("WebAuthn.enable");
      const { authenticatorId } = await devices.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await body({ ...scene, page, devices, device: authenticatorId });
    }));
}

async function answered(
  api: ApiUnderTest,
  { url, method, headers, body }: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  },
) {
  const sent = { ...headers, host: new URL(BASE_URL).host };
  const request = new Request(url, { method, headers: sent, ...(body === null ? {} : { body }) });
  const response = await api.fetch(request, { clientIp: "203.0.113.7" });
  const own = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  return {
    status: response.status,
    headers: { ...own, ...(cookies.length === 0 ? {} : { "set-cookie": cookies.join("\n") }) },
    text: await response.text(),
  };
}

interface Told {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** What a page's own code would ask. */
function ask(page: Page, path: string, body?: unknown): Promise<Told> {
  return page.evaluate(async ({ path, body }) => {
    const answer = await fetch(`/auth/v1${path}`, {
      ...(body === undefined ? {} : {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    return { status: answer.status, body: await answer.json() };
  }, { path, body });
}

/** The ceremony of a page: options, device, answer. */
function ceremony(page: Page, kind: "register" | "authenticate"): Promise<Told> {
  return page.evaluate(async (kind) => {
    const asked = await fetch(`/auth/v1/passkey/generate-${kind}-options`);
    const options = await asked.json();
    if (!asked.ok) return { status: asked.status, body: options };
    // The types of this runtime lack its newer methods; `JSON.stringify` calls `toJSON` of what they make.
    const keys = Reflect.get(globalThis, "PublicKeyCredential");
    const made = kind === "register"
      ? await navigator.credentials.create({
        publicKey: keys.parseCreationOptionsFromJSON(options),
      })
      : await navigator.credentials.get({ publicKey: keys.parseRequestOptionsFromJSON(options) });
    const path = kind === "register" ? "verify-registration" : "verify-authentication";
    const answer = await fetch(`/auth/v1/passkey/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ response: made }),
    });
    return { status: answer.status, body: await answer.json() };
  }, kind);
}

const who = async (page: Page) =>
  Reflect.get(Object((await ask(page, "/get-session")).body?.["user"]), "email") ?? null;

/** Anna, in this browser, with a confirmed address. */
async function enter({ page, sent }: Desk): Promise<void> {
  assertEquals((await ask(page, "/sign-up/email", { name: "Anna", email, password })).status, 200);
  const token = linkIn(sent).searchParams.get("token");
  assertEquals((await ask(page, "/verify-email", { token })).status, 200);
}

Deno.test({
  name: "a device makes a passkey, and signs in with it as with both factors",
  ignore: executable === null,
  fn: () =>
    withDesk(async (desk) => {
      const { page, api } = desk;
      await enter(desk);
      assertEquals((await ceremony(page, "register")).status, 200);
      const flag = `UPDATE "auth_user" SET "two_factor_enabled" = 1`;
      await api.database.write((transaction) => transaction.run({ sql: flag, args: [] }));
      await ask(page, "/sign-out", {});
      assertEquals(await who(page), null);
      assertEquals((await ceremony(page, "authenticate")).status, 200);
      assertEquals(await who(page), email);
      const { body } = await ask(page, "/passkey/list-user-passkeys");
      const id = Reflect.get(Object(Reflect.get(Object(body), "0")), "id");
      assertEquals((await ask(page, "/passkey/delete-passkey", { id })).status, 200);
      await ask(page, "/sign-out", {});
      assertEquals((await ceremony(page, "authenticate")).status, 401);
      assertEquals(await who(page), null);
    }),
});

Deno.test({
  name: "a device that has not verified its user signs nobody in, and makes no passkey",
  ignore: executable === null,
  fn: () =>
    withDesk(async (desk) => {
      const { page, devices, device } = desk;
      await enter(desk);
      assertEquals((await ceremony(page, "register")).status, 200);
      await ask(page, "/sign-out", {});
      // A page may ask for less than the API said.
      const lax = await page.evaluate(async () => {
        const options = await (await fetch("/auth/v1/passkey/generate-authenticate-options"))
          .json();
        return { ...options, userVerification: "discouraged" };
      });
      await devices.send("WebAuthn.setUserVerified", {
        authenticatorId: device,
        isUserVerified: false,
      });
      const refused: Told = await page.evaluate(async (options) => {
        const keys = Reflect.get(globalThis, "PublicKeyCredential");
        const made = await navigator.credentials.get({
          publicKey: keys.parseRequestOptionsFromJSON(options),
        });
        const answer = await fetch("/auth/v1/passkey/verify-authentication", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ response: made }),
        });
        return { status: answer.status, body: await answer.json() };
      }, lax);
      assertEquals([refused.status, refused.body?.["code"]], [401, "USER_NOT_VERIFIED"]);
      assertEquals(await who(page), null);
    }),
});

Deno.test({
  name: "an account whose address nobody confirmed gets no passkey",
  ignore: executable === null,
  fn: () =>
    withDesk(async ({ page }) => {
      await ask(page, "/sign-up/email", { name: "Anna", email, password });
      const refused = await ceremony(page, "register");
      assertEquals([refused.status, refused.body?.["code"]], [403, "EMAIL_NOT_VERIFIED"]);
    }),
});

Deno.test("without their key passkeys have no routes, and what no device signed signs nobody in", async () => {
  const response = { id: "x", rawId: "x", type: "public-key", response: {} };
  await withSignIn(signInProject({ emailCode: true }), async ({ browser }) => {
    const path = "/auth/v1/passkey/generate-authenticate-options";
    assertEquals((await browser().ask(path)).status, 404);
  });
  await withSignIn(project, async ({ browser }) => {
    const visitor = browser();
    const path = "/auth/v1/passkey/verify-authentication";
    assertEquals((await visitor.ask(path, { response })).body["code"], "CHALLENGE_NOT_FOUND");
    await visitor.ask("/auth/v1/passkey/generate-authenticate-options");
    assertEquals((await visitor.ask(path, { response })).status, 401);
    assertEquals((await visitor.ask(path, { response })).body["code"], "CHALLENGE_NOT_FOUND");
    assertEquals(await visitor.who(), null);
  });
});

Deno.test("keys are bound to the domain that the API and its application share", () => {
  const to = (baseUrl: string, appUrl?: string) =>
    relyingParty({
      email: { ...project.email, ...(appUrl ? { links: { appUrl, paths: {} } } : {}) },
    }, baseUrl);
  assertEquals(to("http://localhost:8000"), "localhost");
  assertEquals(to("https://api.example.com"), "api.example.com");
  assertEquals(to("https://api.example.com", "https://app.example.com"), "example.com");
  assertEquals(to("https://api.app.example.com", "https://app.example.com"), "app.example.com");
  assertEquals(to("https://api.example.com", "https://other.com"), "api.example.com");
  assertEquals(to("http://127.0.0.1:8000", "http://127.1.0.1:3000"), "127.0.0.1");
});
