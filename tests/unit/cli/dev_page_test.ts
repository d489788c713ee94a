/** The server of a project's own page: its files, the client and the API under one origin, and nothing else (docs/client.md). */
import { join } from "node:path";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { freePort } from "../../support/free_port.ts";
import { DevPage } from "../../../cli/dev/dev_page.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const FILES = {
  "web/index.html": "<title>Page</title>",
  "web/main.js": "export {};",
  "web/parts/index.html": "<title>Parts</title>",
  "web/.env": "SECRET=1",
  "secret.js": "export const secret = 1;",
};

interface PageUnderTest {
  readonly url: string;
  readonly port: number;
}

/** Gives the body a page over an API that tells what it was asked. */
function withPage(body: (page: PageUnderTest) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    for (const [path, text] of Object.entries(FILES)) {
      await Deno.mkdir(join(folder, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    const api = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, told);
    const page = await DevPage.open({
      project: folder,
      port: freePort(),
      api: `http://localhost:${api.addr.port}`,
    });
    if (page === null) throw new Error("There is no page");
    try {
      await body({ url: page.url, port: Number(new URL(page.url).port) });
    } finally {
      await page.close();
      await api.shutdown();
    }
  });
}

async function told(request: Request): Promise<Response> {
  const { method, headers, url } = request;
  const { pathname, search } = new URL(url);
  const answer = new Response(
    `${method} ${pathname}${search} ${headers.get("origin")} ${await request.text()}`,
    { status: 201 },
  );
  for (const cookie of ["a=1; Path=/", "b=2; Path=/"]) answer.headers.append("set-cookie", cookie);
  return answer;
}

/** Asked as it stands: `fetch` tidies paths up, and names the host itself. */
async function raw({ port }: PageUnderTest, target: string, host = `localhost:${port}`) {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const request = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  await connection.write(new TextEncoder().encode(request));
  const answer = await new Response(connection.readable).text();
  return Number(answer.split(" ")[1]);
}

const TARGETS: readonly (readonly [target: string, status: number])[] = [
  ["/", 200],
  ["/main.js", 200],
  ["/parts/", 200],
  ["/quickback/client.js", 200],
  ["/quickback/client/tanstack.js", 200],
  ["/parts", 404],
  ["/nothing.js", 404],
  ["/.env", 404],
  ["/../secret.js", 404],
  ["/..%2fsecret.js", 404],
  ["/%2e%2e/secret.js", 404],
  ["/parts/..%5c..%5csecret.js", 404],
  ["/%00", 404],
  ["/%", 404],
  ["/main.js/", 404],
];

Deno.test("the page is its own files and the client, and nothing beside them", () =>
  withPage(async (page) => {
    const seen: (readonly [target: string, status: number])[] = [];
    for (const [target] of TARGETS) seen.push([target, await raw(page, target)]);
    assertEquals<typeof TARGETS>(seen, TARGETS);
  }));

Deno.test("the page is served under its own names only", () =>
  withPage(async (page) => {
    const names = ["localhost", "127.0.0.1", "attacker.example"];
    const seen = await Promise.all(names.map((name) => raw(page, "/", `${name}:${page.port}`)));
    assertEquals(seen, [200, 200, 404]);
    assertEquals(await raw(page, "/api/v1/tickets", "attacker.example"), 404);
  }));

Deno.test("what is the API's is asked of the API, and answered as it answers", () =>
  withPage(async ({ url }) => {
    const response = await fetch(`${url}api/v1/tickets?limit=1`, {
      method: "POST",
      body: "{}",
      headers: { origin: url.slice(0, -1) },
    });
    assertEquals(response.status, 201);
    assertEquals(response.headers.getSetCookie(), ["a=1; Path=/", "b=2; Path=/"]);
    assertEquals(await response.text(), `POST /api/v1/tickets?limit=1 ${url.slice(0, -1)} {}`);
  }));

Deno.test("the client is one module without imports", () =>
  withPage(async ({ url }) => {
    const response = await fetch(`${url}quickback/client.js`);
    assertEquals(response.headers.get("content-type"), "text/javascript; charset=utf-8");
    const text = await response.text();
    assertEquals(/\bimport\b/.test(text), false);
    assertStringIncludes(text, "createClient");
  }));

Deno.test("a project without a page has none", () =>
  withTempFolder(async (folder) => {
    assertEquals(await DevPage.open({ project: folder, port: freePort(), api: "" }), null);
  }));
