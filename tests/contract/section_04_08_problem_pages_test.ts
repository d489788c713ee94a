/** What the `type` of a build service's problem leads to, whichever process answers with it (contract 2.7, 4.8). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createEdge } from "../../edge/edge_service.ts";
import { createRouter } from "../../edge/router.ts";
import { ANSWER_CODES, rowOf } from "../../shared/service/refusal.ts";
import { compileRequest, json, KEY, testPorts, testService } from "../support/build_service.ts";

const ORIGIN = "https://build.test";
const { ports } = testPorts();
const common = { ports, baseUrl: ORIGIN, apiKeys: [KEY] };
const gone = () => Promise.reject(new TypeError("Connection refused"));

const PROCESSES: readonly (readonly [string, (request: Request) => Promise<Response>])[] = [
  ["edge", createEdge(common)],
  ["container", testService().fetch],
  ["router", createRouter({ ...common, edge: null, container: gone })],
];

for (const [name, fetch] of PROCESSES) {
  const page = (path: string, init?: RequestInit) => fetch(new Request(ORIGIN + path, init));

  Deno.test(`${name}: the types of its problems lead to pages, for everybody`, async () => {
    const refusals = [
      await fetch(compileRequest("{}", { headers: { "x-api-key": "wrong" } })),
      await fetch(compileRequest("{", { query: "?complete=maybe" })),
      await page("/nothing"),
      await page("/health", { method: "POST" }),
    ];
    for (const refusal of refusals) {
      const { type, code, hint } = await json(refusal);
      assert(String(type).startsWith(`${ORIGIN}/problems/`), String(type));
      assert(typeof hint === "string" && hint !== "", String(code));
      const answer = await page(String(type).slice(ORIGIN.length));
      assertEquals(answer.status, 200);
      assertEquals(answer.headers.get("content-type"), "text/html; charset=utf-8");
      assertEquals(answer.headers.get("content-security-policy"), "default-src 'none'");
      assertEquals(answer.headers.get("cache-control"), "public, max-age=300");
      assertStringIncludes(await answer.text(), `<code>${code}</code>`);
    }
  });

  Deno.test(`${name}: every code has its page, and JSON where that is preferred`, async () => {
    for (const code of ANSWER_CODES) {
      const path = `/problems/${code.toLowerCase().replaceAll("_", "-")}`;
      const answer = await page(path, { headers: { accept: "application/json" } });
      assertEquals([answer.status, answer.headers.get("content-type")], [200, "application/json"]);
      assertEquals(await json(answer), { type: ORIGIN + path, code, ...rowOf(code) });
    }
  });

  Deno.test(`${name}: what is no code of the service has no page`, async () => {
    for (const slug of ["nothing", "COMPILE_BUSY", "firewall-not-found", "constructor", ""]) {
      const answer = await page(`/problems/${slug}`);
      assertEquals([answer.status, (await json(answer)).code], [404, "ROUTE_NOT_FOUND"], slug);
      assertEquals(answer.headers.get("cache-control"), "no-store");
    }
    const posted = await page("/problems/compile-busy", { method: "POST" });
    assertEquals([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
  });
}
