/** What tells about the API, and to whom (contract 4.7, 5.5): the gate on every route, and documents that clients take. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { processDiscoveryResponse, processResourceDiscoveryResponse } from "oauth4webapi";
import type { OpenApiModel, ProjectModel } from "../../shared/model/project.ts";
import type { JwtModel } from "../../shared/model/auth.ts";
import type { DocsBrowser } from "../../shared/runtime/ports.ts";
import { type Ask, BASE_URL, withApi } from "../support/api.ts";
import { project } from "../support/sample_project.ts";

const bytes = (text: string) => Promise.resolve(new TextEncoder().encode(text));
const docs: DocsBrowser = { script: () => bytes("script"), style: () => bytes("style") };

const published = (openapi: Partial<OpenApiModel>, of: ProjectModel = project): ProjectModel => ({
  ...of,
  openapi: { ...of.openapi, docs: "browser_modern", ...openapi },
});

const GATED = [
  "/openapi.json",
  "/asyncapi.json",
  "/docs",
  "/llms.txt",
  "/.well-known/api-catalog",
];
const user: Ask = { as: { sub: "user_1" } };
const manager: Ask = { as: { sub: "user_1", userRole: "appmanager" } };
const sysadmin: Ask = { as: { sub: "user_1", userRole: "sysadmin" } };
const forged: Ask = { headers: { authorization: "Bearer nonsense" } };

const GATES: readonly (readonly [OpenApiModel["publish"], Ask, number])[] = [
  ["authenticated", {}, 401],
  ["authenticated", forged, 401],
  ["authenticated", user, 200],
  ["admin", {}, 401],
  ["admin", { as: { sub: "user_1", orgId: "org_1", roles: ["admin", "owner"] } }, 403],
  ["admin", manager, 200],
  ["admin", sysadmin, 200],
  ["public", {}, 200],
  ["public", forged, 200],
  [false, sysadmin, 404],
];

for (const [publish, ask, status] of GATES) {
  Deno.test(`published for ${publish}: ${JSON.stringify(ask)} gets ${status} from every gated route`, async () => {
    for (const contract of ["v1", "v2"] as const) {
      await withApi(published({ publish }, { ...project, contract }), async (api) => {
        for (const path of GATED) {
          assertEquals((await api.ask(path, ask)).status, status, path);
          assertEquals((await api.ask(path, { ...ask, method: "HEAD" })).status, status, path);
        }
      }, { docs });
    }
  });
}

Deno.test("the assets of the browser stand behind the same gate", async () => {
  await withApi(published({ publish: "admin" }), async (api) => {
    for (const asset of ["browser.js", "browser.css", "start.js"]) {
      const request = new Request(`${BASE_URL}/docs/${asset}`, { headers: { host: "localhost" } });
      assertEquals((await api.fetch(request, { clientIp: null })).status, 401, asset);
    }
  }, { docs });
});

Deno.test("the browser's page lets nothing in from elsewhere, and has no script in itself", async () => {
  for (const kind of ["browser_modern", "browser_classic"] as const) {
    await withApi(published({ publish: "public", docs: kind }), async (api) => {
      const page = await api.ask("/docs");
      assertEquals(page.headers.get("content-type"), "text/html; charset=utf-8");
      const policy = page.headers.get("content-security-policy") ?? "";
      assertStringIncludes(policy, "default-src 'none'; script-src 'self';");
      assertEquals(/https?:/.test(policy) || /https?:/.test(page.text), false);
      assertEquals(/<script>/.test(page.text), false);
    }, { docs });
  }
});

Deno.test("no browser is mounted that the project does not ask for", async () => {
  await withApi(published({ publish: "public", docs: false }), async (api) => {
    assertEquals((await api.ask("/docs")).status, 404);
    const catalog = await api.ask("/.well-known/api-catalog");
    assertEquals(catalog.text.includes("service-doc"), false);
  }, { docs });
});

Deno.test("the API catalog is a link set of what is there", async () => {
  await withApi(published({ publish: "public" }), async (api) => {
    const answer = await api.ask("/.well-known/api-catalog");
    assertEquals(
      answer.headers.get("content-type"),
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    assertStringIncludes(answer.headers.get("link") ?? "", 'rel="api-catalog"');
    const { linkset: [entry] } = JSON.parse(answer.text);
    assertEquals(entry.anchor, `${BASE_URL}/api/v1`);
    const links = [...entry["service-desc"], ...entry["service-doc"], ...entry.status];
    for (const { href } of links) {
      assertEquals((await api.ask(new URL(href).pathname)).status, 200, href);
    }
  }, { docs });
});

Deno.test("llms.txt names the API, its credentials and every operation", async () => {
  await withApi(published({ publish: "public" }), async (api) => {
    const { text, headers } = await api.ask("/llms.txt");
    assertEquals(headers.get("content-type"), "text/plain; charset=utf-8");
    assert(text.startsWith("# "), text);
    for (const told of ["GET /api/v1/projects", "x-api-key", "/api/v1/token", "/openapi.json"]) {
      assertStringIncludes(text, told);
    }
  });
});

Deno.test("agents switches off what is told to crawlers and models", async () => {
  const silent = { ...project, agents: { mcp: false, llmsTxt: false, robotsTxt: false } };
  await withApi(published({ publish: "public" }, silent), async (api) => {
    assertEquals((await api.ask("/llms.txt")).status, 404);
    assertEquals((await api.ask("/robots.txt")).status, 404);
  });
});

const PUBLIC = [
  "/robots.txt",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
];

for (const publish of ["authenticated", "admin", "public", false] as const) {
  Deno.test(`robots.txt and the OAuth documents are public when the rest is ${publish}`, async () => {
    await withApi(published({ publish }), async (api) => {
      for (const path of PUBLIC) assertEquals((await api.ask(path)).status, 200, path);
      const { text } = await api.ask("/robots.txt");
      assertEquals(text.includes("Allow: /docs"), publish === "public");
      assertStringIncludes(text, "User-agent: *\n");
      assertStringIncludes(text, "\nDisallow: /\n");
    });
  });
}

const withJwt = (changes: Partial<JwtModel>): ProjectModel => ({
  ...project,
  auth: { ...project.auth, jwt: project.auth.jwt && { ...project.auth.jwt, ...changes } },
});

for (const algorithm of ["HS256", "EdDSA"] as const) {
  Deno.test(`a strict client takes the OAuth documents of an ${algorithm} project`, async () => {
    await withApi(withJwt({ algorithm }), async (api) => {
      const fetched = async (path: string) => {
        const request = new Request(BASE_URL + path, { headers: { host: "localhost:8000" } });
        return await api.fetch(request, { clientIp: null });
      };
      const issuer = new URL(BASE_URL);
      const server = await processDiscoveryResponse(
        issuer,
        await fetched("/.well-known/oauth-authorization-server"),
      );
      assertEquals(server.issuer, BASE_URL);
      assertEquals(server.token_endpoint, `${BASE_URL}/api/v1/token`);
      const keys = server.jwks_uri === undefined
        ? 404
        : (await api.ask(server.jwks_uri.slice(BASE_URL.length))).status;
      assertEquals(keys, algorithm === "EdDSA" ? 200 : 404);
      const resource = await processResourceDiscoveryResponse(
        issuer,
        await fetched("/.well-known/oauth-protected-resource"),
      );
      assertEquals(resource.authorization_servers, [BASE_URL]);
    });
  });
}

Deno.test("another issuer's tokens come from another server", async () => {
  await withApi(withJwt({ issuer: "https://id.example.com" }), async (api) => {
    assertEquals((await api.ask("/.well-known/oauth-authorization-server")).status, 404);
    const { body } = await api.ask("/.well-known/oauth-protected-resource");
    assertEquals(body["authorization_servers"], ["https://id.example.com"]);
  });
});

Deno.test("without tokens there is nothing to say about them", async () => {
  const cookiesOnly = { ...project, auth: { ...project.auth, jwt: null } };
  await withApi(cookiesOnly, async (api) => {
    assertEquals((await api.ask("/.well-known/oauth-authorization-server")).status, 404);
    assertEquals((await api.ask("/.well-known/oauth-protected-resource")).status, 404);
  });
});
