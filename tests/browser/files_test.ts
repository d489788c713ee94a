/** Files by the typed client in a real browser, on pages of other origins (contract 4.7, definitions 2 `trustedOrigins`). */
import type { Browser, Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { buildSync } from "esbuild";
import { fileURLToPath } from "node:url";
import { validate } from "../../shared/compiler/mod.ts";
import { memoryFiles } from "../../shared/runtime/mod.ts";
import { AUTH_SECRET, START } from "../support/api.ts";
import { withAccountsApi } from "../support/accounts_api.ts";
import { newPage, withBrowser } from "../support/browser.ts";
import { freePort } from "../support/free_port.ts";
import { BROWSER } from "./playground_page.ts";

const ROLES = `{ access: { roles: ["AUTHENTICATED"] } }`;

const papers = (trustedOrigins: readonly string[]) => ({
  "quickback/quickback.config.ts":
    `import { defineAuth, defineConfig, defineDatabase, defineRuntime } from "quickback";
export default defineConfig({
  name: "papers",
  trustedOrigins: ${JSON.stringify(trustedOrigins)},
  providers: {
    runtime: defineRuntime("deno", {}),
    database: defineDatabase("libsql", {}),
    auth: defineAuth("better-auth", {}),
  },
});
`,
  "quickback/features/papers/papers.ts": `import { feature, q } from "quickback";
export default feature("papers", {
  columns: {
    organizationId: q.scope("organization"), title: q.text(),
    scan: q.file({ maxSize: 100_000 }), pages: q.file({ maxSize: 1000, multiple: true, maxItems: 5 }),
  },
  guards: { createable: ["title"], updatable: ["title", "scan", "pages"] },
  read: ${ROLES}, create: ${ROLES}, update: ${ROLES},
});
`,
});

const CLIENT = buildSync({
  entryPoints: [fileURLToPath(new URL("../../library/client/mod.ts", import.meta.url))],
  bundle: true,
  format: "esm",
  write: false,
}).outputFiles[0]?.text ?? "";

/** An empty page at an origin of its own, which can load the client. */
function pageServer(hostname: string, port: number): Deno.HttpServer {
  return Deno.serve({ hostname, port, onListen: () => {} }, ({ url }) => {
    const [body, type] = url.endsWith("/client.js")
      ? [CLIENT, "text/javascript"]
      : ["<!doctype html><title>Page</title>", "text/html"];
    return new Response(body, { headers: { "content-type": type } });
  });
}

interface Scene {
  readonly baseUrl: string;
  readonly browser: Browser;
  /** Of the API's site, of another site, and one that nobody trusts. */
  readonly origins: Readonly<Record<"near" | "far" | "foreign", string>>;
}

async function withScene(body: (scene: Scene) => Promise<void>): Promise<void> {
  const port = freePort();
  const baseUrl = `http://localhost:${port}`;
  const places = {
    near: ["localhost", freePort()],
    far: ["127.0.0.1", freePort()],
    foreign: ["localhost", freePort()],
  } as const;
  const originOf = ([hostname, port]: readonly [string, number]) => `http://${hostname}:${port}`;
  const origins = {
    near: originOf(places.near),
    far: originOf(places.far),
    foreign: originOf(places.foreign),
  };
  const validation = validate(papers([origins.near, origins.far]));
  if (!validation.ok) throw new Error(JSON.stringify(validation.errors));
  const settings = { baseUrl, authSecret: AUTH_SECRET };
  const files = memoryFiles({ clock: { now: () => START }, settings });
  // In development pages of this machine are trusted, whatever their port.
  const options = { project: validation.model, baseUrl, files, settings: { production: true } };
  await withAccountsApi(async (api) => {
    const servers = Object.values(places).map(([hostname, port]) => pageServer(hostname, port));
    servers.push(
      Deno.serve(
        { port, hostname: "localhost", onListen: () => {} },
        (request) => api.fetch(request, { clientIp: null }),
      ),
    );
    try {
      await withBrowser(BROWSER, (browser) => body({ baseUrl, browser, origins }));
    } finally {
      await Promise.all(servers.map((server) => server.shutdown()));
    }
  }, options);
}

/** What the script, with `api`, `token` and the client's `createClient`, comes to on the page. */
async function run<T>(
  page: Page,
  { baseUrl, token = null }: { readonly baseUrl: string; readonly token?: string | null },
  script: string,
): Promise<T> {
  return await page.evaluate<T>(`(async () => {
    const { createClient } = await import("/client.js");
    const api = ${JSON.stringify(baseUrl)}, token = ${JSON.stringify(token)};
    const credentials = token === null ? {} : { token };
    const papers = createClient(api, credentials).resource("papers");
    const asked = (path, init = {}) => fetch(api + path, { credentials: "include", ...init, headers: {
      ...(token === null ? {} : { authorization: "Bearer " + token }), ...init.headers,
    } });
    const json = { method: "POST", headers: { "content-type": "application/json" } };
    ${script}
  })()`);
}

/** Signs somebody in with cookies, who has an organization; the result is a bearer token of theirs. */
const SIGN_IN = `
  const made = await asked("/auth/v1/sign-up/email", { ...json, body: JSON.stringify({
    name: "Ann", email: "ann@example.com", password: "correct horse battery" }) });
  if (!made.ok) throw new Error(await made.text());
  const founded = await asked("/auth/v1/organization/create", { ...json,
    body: JSON.stringify({ name: "Blue", slug: "blue" }) });
  if (!founded.ok) throw new Error(await founded.text());
  const given = await asked("/api/v1/token", { method: "POST" });
  if (!given.ok) throw new Error(await given.text());
  return (await given.json()).token;`;

/** Every use of a file; names and bytes are what came. */
const USE = `
  const { id } = await papers.create({ title: "Deed" });
  const scan = papers.file(id, "scan");
  const digits = "0123456789".repeat(1000);
  const file = new File([digits], "Über 'x' (1)*😀.txt", { type: "text/plain" });
  const put = await scan.put(file);
  const got = await scan.get();
  const part = await scan.get({ range: { start: 2, end: 4 } });
  const head = await asked("/api/v1/papers/" + id + "/scan", { method: "HEAD", headers: { range: "bytes=0-1" } });
  const held = await asked("/api/v1/papers/" + id + "/scan", {
    headers: { range: "bytes=0-1", "if-range": got.headers.get("etag") } });
  const pages = papers.files(id, "pages");
  await pages.add(new File(["one"], "1.txt", { type: "text/plain" }));
  const added = await pages.add(new Blob(["two"], { type: "text/plain" }), { name: "2.txt" });
  const one = await (await pages.get(added.pages[0].id)).text();
  await pages.delete(added.pages[0].id);
  const uploaded = await scan.upload(new File(["by address"], "a.txt", { type: "text/plain" }));
  const empty = await scan.put(new Blob([], { type: "text/plain" }));
  await scan.delete();
  const gone = await scan.get().then(() => "there", ({ status, code }) => [status, code]);
  const large = await scan.put(new Blob(["a".repeat(100_001)])).then(() => "taken", ({ code }) => code);
  return {
    put: [put.scan.name, put.scan.size, put.scan.type],
    got: [got.status, await got.text() === digits, got.headers.get("etag") === '"' + put.scan.sha256 + '"',
      decodeURIComponent(got.headers.get("content-disposition").split("''")[1]), got.headers.get("accept-ranges")],
    part: [part.status, await part.text(), part.headers.get("content-range")],
    head: [head.status, head.headers.get("content-length"), head.headers.get("content-range")],
    held: [held.status, await held.text()],
    pages: [added.pages.map(({ name }) => name), one],
    uploaded: [uploaded.scan.name, uploaded.scan.size], empty: empty.scan.size, gone, large,
  };`;

const USED = {
  put: ["Über 'x' (1)*😀.txt", 10_000, "text/plain"],
  got: [200, true, true, "Über 'x' (1)*😀.txt", "bytes"],
  part: [206, "234", "bytes 2-4/10000"],
  head: [200, "10000", null],
  held: [206, "01"],
  pages: [["1.txt", "2.txt"], "one"],
  uploaded: ["a.txt", 10],
  empty: 0,
  gone: [404, "FILE_NOT_FOUND"],
  large: "PAYLOAD_TOO_LARGE",
};

/** Every way in which a page might send or read a file, with whatever its browser adds. */
const ATTACK = (id: string) => `
  const path = api + "/api/v1/papers/${id}/scan", list = api + "/api/v1/papers/${id}/pages";
  const form = () => { const form = new FormData(); form.append("f", new File(["evil"], "e.txt", { type: "text/plain" })); return form; };
  const tried = (call) => call().then((answer) => answer.status, (error) => error.name);
  const send = (url, init) => tried(() => fetch(url, { credentials: "include", ...init }));
  const results = {
    put: await tried(() => papers.file("${id}", "scan").put(new File(["evil"], "e.txt", { type: "text/plain" }))),
    add: await tried(() => papers.files("${id}", "pages").add(new File(["evil"], "e.txt", { type: "text/plain" }))),
    get: await tried(() => papers.file("${id}", "scan").get()),
    range: await tried(() => papers.file("${id}", "scan").get({ range: { start: 0, end: 1 } })),
    plainGet: await send(path, {}),
    head: await send(path, { method: "HEAD" }),
    delete: await send(path, { method: "DELETE" }),
    presign: await send(path + "/presign", { method: "POST", body: JSON.stringify({ method: "GET" }) }),
    form: await send(list, { method: "POST", body: form() }),
    text: await send(list, { method: "POST", body: "evil" }),
    blindForm: await send(list, { method: "POST", body: form(), mode: "no-cors" }),
    blindText: await send(list, { method: "POST", body: "evil", mode: "no-cors" }),
    blindPresign: await send(path + "/presign", { method: "POST", body: "{}", mode: "no-cors" }),
  };
  return results;`;

/** A form that the page sends as the navigation of a frame, with the cookies of its site. */
const FORM = (id: string) => `
  const frame = document.createElement("iframe");
  frame.name = "target";
  document.body.appendChild(frame);
  const form = document.body.appendChild(document.createElement("form"));
  Object.assign(form, { action: api + "/api/v1/papers/${id}/pages", method: "post",
    enctype: "multipart/form-data", target: "target" });
  const input = form.appendChild(document.createElement("input"));
  Object.assign(input, { type: "file", name: "f" });
  const files = new DataTransfer();
  files.items.add(new File(["evil"], "e.txt", { type: "text/plain" }));
  input.files = files.files;
  form.submit();`;

Deno.test({
  name: "a page of a trusted origin sends and reads files, and one of another does neither",
  ignore: BROWSER === null,
  // The browser's own connection outlives what can be seen of it.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: (t) =>
    withScene(async ({ baseUrl, browser, origins }) => {
      // The pages share the cookies of one browser.
      const context = await browser.newContext();
      const open = async (origin: string) => {
        const page = await newPage(context);
        await page.goto(origin);
        return page;
      };
      const near = await open(origins.near);
      const token = await run<string>(near, { baseUrl }, SIGN_IN);
      await t.step("with cookies", async () => {
        assertEquals(await run(near, { baseUrl }, USE), USED);
      });
      await t.step("of another site, with a bearer token", async () => {
        const far = await open(origins.far);
        assertEquals(await run(far, { baseUrl, token }, USE), USED);
        assertEquals(
          await run(far, { baseUrl }, `return (await asked("/api/v1/papers")).status`),
          401,
        );
      });
      const kept = `const { id } = await papers.create({ title: "Mine" });
        await papers.file(id, "scan").put(new File(["mine"], "mine.txt", { type: "text/plain" }));
        return id`;
      for (const [name, withToken] of [["cookies", null], ["a stolen token", token]] as const) {
        await t.step(`nothing comes from an origin that nobody trusts, with ${name}`, async () => {
          const id = await run<string>(near, { baseUrl }, kept);
          const foreign = await open(origins.foreign);
          const results = await run<Readonly<Record<string, unknown>>>(
            foreign,
            { baseUrl, token: withToken },
            ATTACK(id),
          );
          for (const [way, result] of Object.entries(results)) {
            // An answer without a status is one of which the page sees nothing.
            const refused = way.startsWith("blind") ? 0 : "TypeError";
            assertEquals(result, refused, way);
          }
          const navigated = foreign.waitForResponse((one) => one.request().isNavigationRequest());
          await run(foreign, { baseUrl }, FORM(id));
          assertEquals((await navigated).status(), 403);
          const look = `const { scan, pages } = await papers.get("${id}");
            return [scan.name, pages, await (await papers.file("${id}", "scan").get()).text()]`;
          assertEquals(await run(near, { baseUrl }, look), ["mine.txt", [], "mine"]);
        });
      }
    }),
});
