/** The typed client in pages of the API's own site and of another one: who is signed in, and what a page hears that cannot be (contract 5.3). */
import { assertEquals, assertMatch } from "@std/assert";
import { build, stop } from "esbuild";
import type { Page } from "playwright-core";
import { withAccountsApi } from "../support/accounts_api.ts";
import { newPage, withBrowser } from "../support/browser.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { freePort } from "../support/free_port.ts";
import { chromium } from "../support/installed.ts";
import { projectFiles } from "../support/sample_files.ts";

const browser = chromium();
const FILES = await projectFiles(new URL("../../examples/empty/", import.meta.url));

async function clientModule(): Promise<string> {
  const { outputFiles: [file] } = await build({
    entryPoints: ["library/client/mod.ts"],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    logLevel: "silent",
  });
  await stop();
  return file?.text ?? "";
}

/** Runs in the page: signs somebody up, founds an organization, and writes and reads there. */
const SIGN_UP = `async ([origin, name]) => {
  const { createClient } = await import("/client.js");
  const api = createClient(origin);
  const done = [];
  try {
    await api.auth.signUp({ name, email: name + "@example.com", password: "correct horse battery" });
    done.push("signed up");
    await api.auth.organization.create({ name, slug: name });
    await api.resource("notes").create({ title: "Tea" });
    done.push((await api.resource("notes").first())?.title);
  } catch (error) {
    done.push(error.name, error.status, error.code, error.hint);
  }
  return [...done, await api.auth.token() !== null];
}`;

/** Runs in the page after a reload, with nothing in its memory. */
const SESSION = `async (origin) => {
  const { createClient } = await import("/client.js");
  const session = await createClient(origin).auth.session();
  return session?.user.email ?? null;
}`;

async function run(page: Page, program: string, argument: unknown): Promise<unknown> {
  return await page.evaluate(`(${program})(${JSON.stringify(argument)})`);
}

Deno.test({
  name: "a page of the API's site signs in, and one of another site hears why it cannot",
  ignore: browser === null,
  // The bundler is a process, which ends with its last user.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    withCompiled(FILES, async ({ model, code }) => {
      const text = await clientModule();
      const port = freePort();
      const origin = `http://localhost:${port}`;
      await using pages = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: () => {} },
        (request) =>
          new URL(request.url).pathname === "/client.js"
            ? new Response(text, { headers: { "content-type": "text/javascript" } })
            : new Response("<!doctype html><title>A page</title>", {
              headers: { "content-type": "text/html" },
            }),
      );
      await withAccountsApi(async (api) => {
        await using _server = Deno.serve(
          { hostname: "127.0.0.1", port, onListen: () => {} },
          (request) => api.fetch(request, { clientIp: "127.0.0.1" }),
        );
        await withBrowser(browser, async (opened) => {
          const page = await newPage(opened);
          await page.goto(`http://localhost:${pages.addr.port}/`);
          assertEquals(await run(page, SIGN_UP, [origin, "ann"]), ["signed up", "Tea", true]);
          await page.reload();
          assertEquals(await run(page, SESSION, origin), "ann@example.com");
          // A browser takes addresses and names for different sites.
          await page.goto(`http://127.0.0.1:${pages.addr.port}/`);
          const told = await run(page, SIGN_UP, [origin, "eve"]);
          const [name, status, reason, hint, hasToken] = Array.isArray(told) ? told : [];
          assertEquals([name, status, reason, hasToken], [
            "ApiError",
            401,
            "AUTH_SESSION_REQUIRED",
            false,
          ]);
          assertMatch(String(hint), /one site, or the API through a proxy/);
          assertEquals(await run(page, SESSION, origin), null);
        });
      }, { project: model, code, baseUrl: origin });
    }),
});
