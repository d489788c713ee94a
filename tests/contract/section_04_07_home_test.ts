/** `/`: a page of links for who develops the API, and no route for anybody else (contract 4.7; docs/decisions/requests.md). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type ApiUnderTest, BASE_URL, withApi } from "../support/api.ts";
import { project } from "../support/sample_project.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** Without the description, in which the page is no operation. */
function open(api: ApiUnderTest, accept: string | null, method = "GET"): Promise<Response> {
  const headers = { host: new URL(BASE_URL).host, ...(accept === null ? {} : { accept }) };
  return api.fetch(new Request(`${BASE_URL}/`, { method, headers }), { clientIp: null });
}

Deno.test("in development, a browser gets a page whose links lead somewhere", () =>
  withApi(project, async (api) => {
    const page = await open(api, BROWSER);
    assertEquals([page.status, page.headers.get("content-type")], [
      200,
      "text/html; charset=utf-8",
    ]);
    assertStringIncludes(page.headers.get("content-security-policy") ?? "", "default-src 'none'");
    assertEquals(page.headers.get("cache-control"), "no-store");
    const html = await page.text();
    assertStringIncludes(html, `<h1>${project.name}</h1>`);
    const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href = ""]) => href);
    assert(links.includes("/openapi.json") && links.includes("/health"), html);
    for (const link of links) {
      assert([200, 401].includes((await api.ask(link)).status), `${link} leads nowhere`);
    }
    // No run of dev: nothing of this machine.
    assertEquals(/Database|Playground/.test(html), false, html);
  }));

Deno.test("a page that is not published has no link", () =>
  withApi({ ...project, openapi: { ...project.openapi, publish: false } }, async (api) => {
    const html = await (await open(api, BROWSER)).text();
    assertEquals(html.includes("/openapi.json"), false);
    assertStringIncludes(html, "/health");
  }));

Deno.test("dev's places are named, as text", () =>
  withApi(project, async (api) => {
    const html = await (await open(api, BROWSER)).text();
    assertStringIncludes(html, '<a href="http://127.0.0.1:8001/">');
    assertStringIncludes(html, "<code>/home/&lt;ann&gt;/app.db</code>");
  }, {
    settings: {
      devPlaces: {
        playground: "http://127.0.0.1:8001/",
        page: null,
        database: "/home/<ann>/app.db",
      },
    },
  }));

Deno.test("HEAD has the page's headers; who asks for no HTML, or another method, finds no route", () =>
  withApi(project, async (api) => {
    const head = await open(api, BROWSER, "HEAD");
    assertEquals([head.status, head.headers.get("content-type")], [
      200,
      "text/html; charset=utf-8",
    ]);
    const others = [
      [null, "GET"],
      ["*/*", "GET"],
      ["application/json", "GET"],
      ["application/json, text/html;q=0.9", "GET"],
      [BROWSER, "POST"],
    ] as const;
    for (const [accept, method] of others) await assertNoRoute(await open(api, accept, method));
  }));

Deno.test("in production nobody finds a page", () =>
  withApi(project, async (api) => {
    await assertNoRoute(await open(api, BROWSER));
  }, { settings: { production: true } }));

async function assertNoRoute(response: Response): Promise<void> {
  const { code } = await response.json();
  assertEquals([response.status, code], [404, "ROUTE_NOT_FOUND"]);
}
