/** The documentation browsers in a real one: they show the API, and ask nobody else for anything (contract 4.7, 9.5). */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { newPage, withBrowser } from "../support/browser.ts";
import { installedDocsBrowser } from "../support/docs_browser.ts";
import { type ApiUnderTest, withApi } from "../support/api.ts";
import { chromium } from "../support/installed.ts";
import { project } from "../support/sample_project.ts";

const executablePath = chromium();

for (const kind of ["browser_modern", "browser_classic"] as const) {
  Deno.test({
    name: `${kind} shows the operations under its policy, and loads nothing from elsewhere`,
    ignore: executablePath === null,
    // The browser's own connection outlives what can be seen of it.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const openapi = { ...project.openapi, publish: "public" as const, docs: kind };
      await withApi({ ...project, openapi }, async (api) => {
        await using server = serving(api);
        const seen = await visit(`${server.origin}/docs`);
        assertEquals(seen.complaints, []);
        assertEquals(seen.origins, [server.origin]);
        assertStringIncludes(seen.text.toLowerCase(), "projects");
      }, { docs: await installedDocsBrowser(kind) });
    },
  });
}

Deno.test({
  name: "the page at / shows its links under its policy, and loads nothing from elsewhere",
  ignore: executablePath === null,
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await withApi(project, async (api) => {
      await using server = serving(api);
      const seen = await visit(`${server.origin}/`, "Description");
      assertEquals(seen.complaints, []);
      assertEquals(seen.origins, [server.origin]);
      assertStringIncludes(seen.text, "/openapi.json");
    });
  },
});

function serving(api: ApiUnderTest) {
  const server = Deno.serve(
    { port: 0, hostname: "localhost", onListen: () => {} },
    (request) => api.fetch(request, { clientIp: null }),
  );
  return {
    origin: `http://localhost:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** `shown` is a text of the page once it is whole. */
function visit(address: string, shown = "projects") {
  return withBrowser(executablePath, async (browser) => {
    const page = await newPage(browser);
    const origins = new Set<string>();
    const complaints: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol !== "data:" && url.protocol !== "blob:") origins.add(url.origin);
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    await page.goto(address, { waitUntil: "networkidle" });
    await page.getByText(shown).first().waitFor();
    return { origins: [...origins], complaints, text: await page.innerText("body") };
  });
}
