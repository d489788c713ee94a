/** What a problem's `type` leads to, and which codes the description knows (contract 2.7, 7). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openApiDocument } from "../../shared/compiler/mod.ts";
import { RUNTIME_CODES } from "../../shared/contract/codes.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { type ApiUnderTest, BASE_URL, isRecord, withApi } from "../support/api.ts";
import { describedProjects } from "../support/described_projects.ts";
import { project } from "../support/sample_project.ts";

const CODES = Object.keys(RUNTIME_CODES).filter((code) => code !== "RATE_LIMITED").sort();

function pathOf(type: unknown): string {
  assert(String(type).startsWith(`${BASE_URL}/problems/`), String(type));
  return String(type).slice(BASE_URL.length);
}

const withPages = (body: (api: ApiUnderTest) => Promise<void>) => withApi(project, body);

Deno.test("the type of a problem leads to a page that says what it is", () =>
  withPages(async (api) => {
    const refused = await api.ask("projects");
    const page = await api.ask(pathOf(refused.body["type"]));
    assertEquals(page.status, 200);
    assertEquals(page.headers.get("content-type"), "text/html; charset=utf-8");
    assertEquals(page.headers.get("cache-control"), "public, max-age=300");
    for (const said of ["AUTH_MISSING", "Authentication required", "401", "&lt;token&gt;"]) {
      assertStringIncludes(page.text, said);
    }
  }));

Deno.test("every code has its page, as HTML and as JSON", () =>
  withPages(async (api) => {
    for (const code of CODES) {
      const path = `/problems/${code.toLowerCase().replaceAll("_", "-")}`;
      const json = await api.ask(path, { headers: { accept: "application/json" } });
      assertEquals([json.status, json.body["code"]], [200, code]);
      assertEquals(pathOf(json.body["type"]), path);
      assertStringIncludes((await api.ask(path)).text, `<code>${code}</code>`);
    }
  }));

Deno.test("Accept decides between the page and JSON", () =>
  withPages(async (api) => {
    const rows: readonly (readonly [string, string])[] = [
      ["*/*", "text/html; charset=utf-8"],
      ["text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"],
      ["text/html;q=0.5, application/json", "application/json"],
      ["application/json;q=0.1, text/html", "text/html; charset=utf-8"],
      ["application/problem+json", "application/json"],
    ];
    for (const [accept, type] of rows) {
      const { headers } = await api.ask("/problems/not-found", { headers: { accept } });
      assertEquals([headers.get("content-type"), headers.get("vary")], [type, "Accept, Origin"]);
    }
  }));

Deno.test("a code that there is not, or is not spelled so, has no page", () =>
  withPages(async (api) => {
    for (const slug of ["nothing", "NOT_FOUND", "Not-Found", "rate-limited", "constructor"]) {
      const { status, body } = await api.ask(`/problems/${slug}`);
      assertEquals([status, body["code"]], [404, "ROUTE_NOT_FOUND"], slug);
    }
    assertEquals((await api.ask("/problems/not-found", { method: "POST" })).status, 405);
  }));

Deno.test("pages are for everybody, and count for no limit", async () => {
  const asked: string[] = [];
  const limiter = {
    take: (key: string) => Promise.resolve(asked.push(key) === 0),
    lend: () => Promise.resolve(null),
  };
  const closed = { ...project, openapi: { ...project.openapi, publish: false as const } };
  await withApi(closed, async (api) => {
    const { status } = await api.ask("/problems/not-found", { clientIp: "192.0.2.1" });
    assertEquals([status, asked], [200, []]);
  }, { limiter, settings: { clientRateLimit: 1 } });
});

Deno.test("the description lists the same codes in every project of a contract version", async () => {
  const projects: readonly ProjectModel[] = [project, ...Object.values(await describedProjects())];
  for (const model of projects) assertEquals(codesIn(openApiDocument(model)), CODES, model.name);
});

function codesIn(document: unknown): unknown {
  const keys = ["components", "schemas", "Problem", "properties", "code", "enum"];
  return keys.reduce<unknown>((value, key) => isRecord(value) ? value[key] : undefined, document);
}
