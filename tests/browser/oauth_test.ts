/** The pages of the authorization server in a real browser: signing in, saying what a client may do, and back to the client. */
import type { Page } from "playwright-core";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { founder, withAccountsApi } from "../support/accounts_api.ts";
import { withBrowser } from "../support/browser.ts";
import { fairJudge, type Judge, scriptlessPage } from "../support/fair_page.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { freePort } from "../support/free_port.ts";
import {
  authorizePath,
  CHALLENGE,
  exchanged,
  oauthProject,
  registered,
  tokensIn,
} from "../support/oauth.ts";
import { projectFiles } from "../support/sample_files.ts";
import { BROWSER } from "./playground_page.ts";

const EMPTY = await projectFiles(new URL("../../examples/empty/", import.meta.url));
const SCOPE = "*:read notes:read notes:create notes:update notes:delete";

Deno.test({
  name: "somebody signs in, sees what a client asks for, allows a part of it, and is led back",
  ignore: BROWSER === null,
  // The browser's own connection outlives what can be seen of it.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    withCompiled(EMPTY, async ({ model, code }) => {
      const [port, callbackPort] = [freePort(), freePort()];
      const baseUrl = `http://localhost:${port}`;
      await withAccountsApi(async (api) => {
        await founder(api, "anna", "acme");
        const server = Deno.serve(
          { port, hostname: "localhost", onListen: () => {} },
          (request) => api.fetch(request, { clientIp: null }),
        );
        const callback = Deno.serve(
          { port: callbackPort, hostname: "127.0.0.1", onListen: () => {} },
          () => new Response("Back at the client", { headers: { "content-type": "text/plain" } }),
        );
        const redirect_uri = `http://127.0.0.1:${callbackPort}/callback`;
        const clientId = await registered(api, {
          client_name: "An assistant with a rather long name that has to be broken somewhere",
          redirect_uris: [redirect_uri],
        });
        const path = authorizePath(clientId, { redirect_uri, scope: SCOPE, state: "s1" });
        assert(path.includes(CHALLENGE));
        const answers: URL[] = [];
        const said: string[] = [];
        await withBrowser(BROWSER, async (browser) => {
          const page = await scriptlessPage(browser);
          const judge = await fairJudge(browser);
          page.on("console", (message) => void said.push(message.text()));
          await page.goto(`${baseUrl}${path}`);
          await signsIn(page, judge);
          answers.push(await allows(page, redirect_uri, judge));
          await page.goto(`${baseUrl}${path}`);
          await page.getByRole("button", { name: "Do not allow" }).click();
          await page.getByText("Back at the client").waitFor();
          answers.push(new URL(page.url()));
        });
        assertEquals(said.filter((text) => /policy|refused|blocked/i.test(text)), []);
        const [yes, no] = answers;
        assertEquals(no?.searchParams.get("error"), "access_denied");
        const code = yes?.searchParams.get("code") ?? "";
        const { scope } = tokensIn(await exchanged(api, clientId, code, { redirect_uri }));
        assertEquals(scope, "*:read notes:read notes:create notes:update");
        await Promise.all([server.shutdown(), callback.shutdown()]);
      }, { project: oauthProject(model), code, baseUrl });
    }),
});

/** A wrong password is told on the page, a right one leads to the question. */
async function signsIn(page: Page, judge: Judge): Promise<void> {
  await judge(await page.content(), "sign-in");
  await page.getByLabel("E-mail address").fill("anna@example.com");
  await page.getByLabel("Password").fill("wrong horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  assertStringIncludes(await page.getByRole("alert").innerText(), "is wrong");
  assertEquals(await page.getByLabel("E-mail address").inputValue(), "anna@example.com");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Allow", exact: true }).waitFor();
}

async function allows(page: Page, redirectUri: string, judge: Judge): Promise<URL> {
  assertStringIncludes(await page.locator("main").innerText(), "anna@example.com");
  await judge(await page.content(), "consent");
  await page.getByLabel("Delete them").uncheck();
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.getByText("Back at the client").waitFor();
  const url = new URL(page.url());
  assertEquals(`${url.origin}${url.pathname}`, redirectUri);
  assertEquals(url.searchParams.get("state"), "s1");
  return url;
}
