/** The playground without a server: plain files, a compiler and an API in the tab, offline once they are loaded. */
import { dirname, extname, join } from "node:path";
import { Buffer } from "node:buffer";
import { strToU8, zipSync } from "fflate";
import type { Page } from "playwright-core";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { buildAlone } from "../../cli/alone/build_alone.ts";
import { newPage, withBrowser } from "../support/browser.ts";
import { withTempFolder } from "../support/temp_folder.ts";
import { ask, BROWSER, isForEverybody } from "./playground_page.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
};

Deno.test({
  name:
    "a folder of plain files edits, compiles and serves a project in the tab, offline, and from a link",
  ignore: BROWSER === null,
  // The browser's own connection outlives what can be seen of it.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.makeTempDir();
    await buildAlone(folder);
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => plainFile(folder, new URL(request.url).pathname),
    );
    const address = `http://127.0.0.1:${server.addr.port}/`;
    try {
      await withBrowser(BROWSER, async (browser) => {
        const complaints: string[] = [];
        const opened = async (at: string) => {
          const page = await newPage(browser);
          page.on("pageerror", ({ message }) => complaints.push(message));
          page.on("console", (message) => {
            if (message.type() === "error") complaints.push(message.text());
          });
          await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
          await page.goto(at);
          return page;
        };
        const link = await worksOffline(await opened(address));
        await runsAfterAClick(await opened(link));
        await runsAZip(await opened(address));
        await runsAFolder(await opened(address));
        assertEquals(complaints, []);
      });
    } finally {
      await server.shutdown();
      await Deno.remove(folder, { recursive: true });
    }
  },
});

async function plainFile(folder: string, pathname: string): Promise<Response> {
  const name = pathname === "/" ? "index.html" : pathname.slice(1);
  if (!/^[\w.]+$/.test(name)) return new Response("Not here", { status: 404 });
  const body = await Deno.readFile(join(folder, name));
  const type = TYPES[extname(name)] ?? "application/octet-stream";
  return new Response(body, { headers: { "content-type": type } });
}

/** An example is served, changed and served again, without a network; returns the address that holds it. */
async function worksOffline(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Empty" }).click();
  await page.locator(".status.serving").waitFor();
  await page.locator("#editor[data-language=ready]").waitFor();
  await page.context().setOffline(true);
  await page.getByRole("tab", { name: "API" }).click();
  await page.locator("#api-operation option[value=createNotes]").waitFor({ state: "attached" });
  assertEquals(await ask(page, "createNotes", "demo"), "201");
  assertEquals(await ask(page, "createNotes", ""), "401");
  assertEquals(await page.locator(".layer.refused").textContent(), "authentication: refused");

  await page.getByRole("treeitem", { name: "notes.ts" }).click();
  await page.locator("#editor .cm-line", { hasText: "body: q.text()" }).click();
  await page.keyboard.press("End");
  await page.keyboard.insertText(" color: q.text(),");
  await page.getByText("No mistakes").first().waitFor();
  await page.keyboard.press("Control+s");
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByRole("button", { name: "color", exact: true }).waitFor();
  await rows(page, 2);
  await page.getByLabel("Rows as").selectOption("neighbour");
  await rows(page, 1);

  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("The address is copied").waitFor();
  return await page.evaluate<string>("navigator.clipboard.readText()");
}

/** A project of an address is not even compiled before somebody opens it; its code has an origin of its own. */
async function runsAfterAClick(page: Page): Promise<void> {
  await page.getByText("This address holds a project: ").waitFor();
  assertEquals(page.frames().length, 1);
  assertEquals(await page.locator("#status").innerText(), "Loading the page");
  await page.getByRole("button", { name: "Open it" }).click();
  await page.locator(".status.serving").waitFor();
  const frame = page.frames().find((one) => one.url().endsWith("/sandbox.html"));
  assertEquals(await frame?.evaluate("origin"), "null");
  await page.getByRole("treeitem", { name: "notes.ts" }).click();
  assertStringIncludes(await page.locator("#editor .cm-content").innerText(), "color: q.text()");
}

const GREET = `import { defineAction } from "quickback";
import { z } from "zod";
import { eq } from "drizzle-orm";
import notes from "../notes.ts";

export default defineAction({
  description: "Greets",
  input: z.object({ name: z.string() }),
  access: { roles: ["AUTHENTICATED"] },
  async execute({ db, record, input }) {
    await db.update(notes).set({ body: "Hello " + input.name }).where(eq(notes.id, record.id));
    return { greeted: input.name };
  },
});
`;

const SEED = `import { defineSeed } from "quickback";
export default defineSeed({
  organizations: [{ id: "acme", members: { ada: ["admin"] } }],
  users: [{ id: "ada" }],
  as: { userId: "ada", organizationId: "acme" },
  rows: { notes: [{ title: "Tea" }, { title: "Coffee" }, { title: "Milk" }] },
});
`;

/** The definitions of the example, by paths below this folder. */
async function exampleTexts(folder: string): Promise<Readonly<Record<string, string>>> {
  const example = new URL("../../examples/empty/quickback/", import.meta.url);
  const texts = ["quickback.config.ts", "features/notes/notes.ts"].map(async (path) =>
    [`${folder}/${path}`, await Deno.readTextFile(new URL(path, example))] as const
  );
  return Object.fromEntries(await Promise.all(texts));
}

/** A folder of this machine: one without definitions is said to have none. */
async function runsAFolder(page: Page): Promise<void> {
  await withTempFolder(async (empty) => {
    await Deno.writeTextFile(join(empty, "notes.txt"), "Nothing");
    await page.locator("#open-folder").setInputFiles(empty);
    await page.getByText("It holds no definitions").waitFor();
  });
  await withTempFolder(async (folder) => {
    // Made from the definitions by the command line, beside them.
    const hidden = ".quickback/types/quickback/features/notes/schema.ts";
    const texts = { ...await exampleTexts("quickback"), [hidden]: "export const notes = 1;\n" };
    for (const [path, text] of Object.entries(texts)) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    await page.locator("#open-folder").setInputFiles(folder);
    await page.locator(".status.serving").waitFor();
  });
  await page.getByRole("tab", { name: "API" }).click();
  await page.locator("#api-operation option[value=createNotes]").waitFor({ state: "attached" });
  assertEquals(await ask(page, "createNotes", "demo"), "201");
}

/** A project out of a zip, with code and a seed of its own: both run in the tab, and the page is for everybody. */
async function runsAZip(page: Page): Promise<void> {
  const texts: Readonly<Record<string, string>> = {
    ...await exampleTexts("desk/quickback"),
    "desk/quickback/features/notes/actions/greet.ts": GREET,
    "desk/quickback/seed.ts": SEED,
  };
  const entries = Object.entries(texts).map(([path, text]) => [path, strToU8(text)]);
  await page.locator("#open-zip").setInputFiles({
    name: "desk.zip",
    mimeType: "application/zip",
    buffer: Buffer.from(zipSync(Object.fromEntries(entries))),
  });
  await page.locator(".status.serving").waitFor();
  await page.getByRole("tab", { name: "API" }).click();
  await page.locator("#api-operation option[value=createNotes]").waitFor({ state: "attached" });
  assertEquals(await ask(page, "createNotes", "demo"), "201");
  const greet = await page.locator("#api-operation option[value*=reet]").first()
    .getAttribute("value");
  assertEquals(await ask(page, greet ?? "", "demo"), "200");

  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByRole("button", { name: "Plant the seed" }).click();
  await page.getByText("Planted 3 rows").waitFor();
  await page.getByLabel("Rows as").selectOption("ada of acme");
  await rows(page, 3);
  await page.getByRole("button", { name: "Plant the seed" }).click();
  await page.getByText("This seed has been planted").waitFor();
  await isForEverybody(page);
}

async function rows(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelectorAll(".data tbody tr").length === wanted,
    count,
  );
}
