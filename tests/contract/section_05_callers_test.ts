/** Who is let in: bearer tokens, cookies and their origin, PUBLIC routes, and the publish gate (contract 5). */
import { assertEquals } from "@std/assert";
import { ANONYMOUS, type Principal } from "../../shared/model/principal.ts";
import type { PublishGate } from "../../shared/model/project.ts";
import type { Accounts } from "../../shared/runtime/mod.ts";
import { type Ask, isRecord, tokenFor, withApi } from "../support/api.ts";
import { model as desk } from "../support/sample_model.ts";
import { project } from "../support/sample_project.ts";

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin"] };

const REFUSED: readonly (readonly [string, Record<string, string>, code: string])[] = [
  ["no credentials", {}, "AUTH_MISSING"],
  ["another scheme", { authorization: "Basic dTpw" }, "AUTH_INVALID_TOKEN"],
  ["a bearer without a token", { authorization: "Bearer " }, "AUTH_INVALID_TOKEN"],
  ["a token that is none", { authorization: "Bearer abc" }, "AUTH_INVALID_TOKEN"],
  ["an empty header", { authorization: "" }, "AUTH_INVALID_TOKEN"],
  ["an unknown API key", { "x-api-key": "abc" }, "AUTH_INVALID_TOKEN"],
];

for (const [what, headers, code] of REFUSED) {
  Deno.test(`a request with ${what} is 401 ${code}`, async () => {
    await withApi(project, async (api) => {
      const answer = await api.ask("projects", { headers });
      assertEquals([answer.status, answer.body["code"]], [401, code]);
      const metadata =
        'resource_metadata="http://localhost:8000/.well-known/oauth-protected-resource"';
      const error = 'error="invalid_token", error_description="The credentials are invalid", ';
      assertEquals(
        answer.headers.get("www-authenticate"),
        `Bearer ${code === "AUTH_MISSING" ? "" : error}${metadata}`,
      );
    });
  });
}

Deno.test("credentials that prove nothing are refused on PUBLIC routes too", async () => {
  await withApi(desk, async (api) => {
    const headers = { authorization: "Bearer abc" };
    const { status, body } = await api.ask("articles?organizationId=org_1", { headers });
    assertEquals([status, body["code"]], [401, "AUTH_INVALID_TOKEN"]);
  });
});

Deno.test("an expired token says so", async () => {
  await withApi(project, async (api) => {
    const authorization = `Bearer ${await tokenFor(admin)}`;
    assertEquals((await api.ask("projects", { headers: { authorization } })).status, 200);
    api.pass(901_000);
    const { status, body } = await api.ask("projects", { headers: { authorization } });
    assertEquals([status, body["code"]], [401, "AUTH_EXPIRED"]);
  });
});

Deno.test("a role that is missing is named, with the roles that are held", async () => {
  await withApi(project, async (api) => {
    const as = { ...admin, roles: ["guest"], userRole: "appmanager" };
    const { status, body } = await api.ask("projects/views/names", { as });
    assertEquals([status, body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
    assertEquals(body["details"], {
      required: ["member", "admin"],
      current: ["guest", "appmanager"],
    });
  });
});

const PUBLIC: readonly (readonly [string, string, Ask, number, string | undefined])[] = [
  ["a stranger who names no organization", "articles", {}, 400, "ORG_REQUIRED"],
  ["a stranger who names one", "articles?organizationId=org_1", {}, 200, undefined],
  [
    "a member of another",
    "articles?organizationId=org_1",
    {
      as: { ...admin, orgId: "org_2" },
    },
    200,
    undefined,
  ],
  ["a member", "articles", { as: admin }, 200, undefined],
  [
    "a caller without an active one",
    "articles?organizationId=org_1",
    {
      as: { sub: "user_1" },
    },
    200,
    undefined,
  ],
  [
    "a caller without one who names none",
    "articles",
    { as: { sub: "user_1" } },
    403,
    "ACCESS_NO_ORG",
  ],
];

for (const [who, path, ask, status, code] of PUBLIC) {
  Deno.test(`${who} asking a PUBLIC resource of a tenant gets ${code ?? status}`, async () => {
    await withApi(desk, async (api) => {
      const answer = await api.ask(path, ask);
      assertEquals([answer.status, answer.body["code"]], [status, code]);
    });
  });
}

Deno.test("an anonymous call into a tenant leaves an audit row, an identified one does not", async () => {
  await withApi(desk, async (api) => {
    await api.ask("articles?organizationId=org_1", {});
    await api.ask("articles", {});
    await api.ask("articles", { as: admin });
    const { rows } = await api.database.run({
      sql: "SELECT resource, operation, target_org_id, result, error_code FROM audit_events",
      args: [],
    });
    assertEquals(rows, [
      ["articles", "list", "org_1", "success", null],
      ["articles", "list", null, "denied", "ORG_REQUIRED"],
    ]);
  });
});

const SESSION: Principal = {
  ...ANONYMOUS,
  credential: "session",
  userId: "user_1",
  organizationId: "org_1",
  roles: ["admin"],
};

/** A session for whoever sends `cookie: session=good`. */
const accounts = (): Accounts => ({
  standing: {
    sessionId: () => Promise.resolve(null),
    apiKeyId: (key) => Promise.resolve(key),
    among: () => Promise.resolve({ sessions: new Map(), apiKeys: new Map(), grants: new Map() }),
  },
  session: (headers) => Promise.resolve(headers.get("cookie") === "session=good" ? SESSION : null),
  accountOf: () => Promise.resolve(null),
  challenged: () => Promise.resolve(null),
  hasSessionCookie: (headers) => headers.get("cookie")?.startsWith("session=") ?? false,
  signedIn: () => Promise.resolve(null),
  mailedLink: () => Promise.resolve(null),
  followLink: () => Promise.resolve("LINK_INVALID"),
  isOwnPassword: () => Promise.resolve(false),
  endOrganization: () => Promise.resolve(),
  organizationDeleted: () => Promise.resolve(),
  apiKey: () => Promise.resolve({ kind: "refused", code: "AUTH_INVALID_TOKEN" }),
  rolesIn: () => Promise.resolve(null),
  clientGrant: () => Promise.resolve(null),
  handle: async (request) =>
    Response.json(
      request.method === "GET"
        ? null
        : { url: request.url, method: request.method, body: await request.text() },
    ),
});

/** Status of a write with the cookie: in development, and in production. */
const WRITES: readonly (readonly [Record<string, string>, number, number])[] = [
  [{}, 201, 403],
  [{ origin: "http://localhost:8000" }, 201, 201],
  [{ origin: "https://app.example" }, 201, 201],
  [{ origin: "http://localhost:5173" }, 201, 403],
  [{ origin: "http://127.0.0.1:5173" }, 201, 403],
  [{ origin: "http://[::1]:5173" }, 201, 403],
  [{ origin: "null" }, 403, 403],
  [{ origin: "" }, 403, 403],
  [{ origin: "*" }, 403, 403],
  [{ origin: "https://evil.example" }, 403, 403],
  [{ origin: "https://localhost:8000" }, 403, 403],
  [{ origin: "http://LOCALHOST:8000" }, 403, 403],
  [{ origin: "http://localhost.:8000" }, 403, 403],
  [{ origin: "http://localhost:8000." }, 403, 403],
  [{ origin: "http://localhost:8000/" }, 403, 403],
  [{ origin: "http://localhost:8000.evil.example" }, 403, 403],
  [{ origin: "http://localhost.evil.example" }, 403, 403],
  [{ origin: "http://evil.example#localhost:8000" }, 403, 403],
  [{ origin: "http://localhost:8000@evil.example" }, 403, 403],
  [{ origin: "http://evil.example, http://localhost:8000" }, 403, 403],
  [{ origin: "http://localhost:8000, http://localhost:8000" }, 403, 403],
  [{ origin: "https://APP.example" }, 403, 403],
  [{ origin: "https://app.example." }, 403, 403],
  [{ origin: "https://app.example:443" }, 403, 403],
  [{ origin: "https://app.example:8443" }, 403, 403],
  [{ origin: "http://app.example" }, 403, 403],
  [{ origin: "https://xapp.example" }, 403, 403],
  [{ origin: "https://app.example.evil.example" }, 403, 403],
  [{ origin: "https://evil-app.example" }, 403, 403],
  [{ origin: "https://evil.example/https://app.example" }, 403, 403],
  [{ origin: "app.example" }, 403, 403],
  [{ origin: "file://" }, 403, 403],
  [{ referer: "http://localhost:8000/page" }, 201, 201],
  [{ referer: "https://app.example/page?a=1" }, 201, 201],
  [{ referer: "https://evil.example/page" }, 403, 403],
  [{ referer: "https://evil.example/?https://app.example/" }, 403, 403],
  [{ referer: "https://app.example@evil.example/" }, 403, 403],
  [{ referer: "nonsense" }, 403, 403],
  [{ referer: "" }, 403, 403],
  [{ origin: "https://evil.example", referer: "http://localhost:8000/" }, 403, 403],
  [{ origin: "https://evil.example", "sec-fetch-site": "same-origin" }, 403, 403],
  [{ "sec-fetch-site": "same-origin" }, 201, 201],
  [{ "sec-fetch-site": "none" }, 201, 201],
  [{ "sec-fetch-site": "cross-site" }, 403, 403],
  [{ "sec-fetch-site": "same-site" }, 403, 403],
  [{ "sec-fetch-site": "" }, 403, 403],
  [{ "sec-fetch-site": "Same-Origin" }, 403, 403],
];

const trusting = { ...project, trustedOrigins: ["https://app.example"] };

for (const [headers, development, production] of WRITES) {
  const what = JSON.stringify(headers);
  Deno.test(`a write with a cookie and ${what} is ${development}, in production ${production}`, async () => {
    for (const isProduction of [false, true]) {
      const status = isProduction ? production : development;
      await withApi(trusting, async (api) => {
        const sent = { cookie: "session=good", ...headers };
        const answer = await api.ask("projects", { headers: sent, body: { name: "Apollo" } });
        assertEquals(answer.status, status);
        if (status === 403) assertEquals(answer.body["code"], "ORIGIN_FORBIDDEN");
        // Reading changes nothing, and a page of somebody else cannot read the answer.
        assertEquals((await api.ask("projects", { headers: sent })).status, 200);
      }, { accounts, settings: { production: isProduction } });
    }
  });
}

const SIGN_IN = JSON.stringify({ email: "anna@example.com", password: "secret words" });

const SENT = { host: "localhost:8000", "content-type": "application/json" };

Deno.test("account routes hold a cookie to the same origins, whatever the body", async () => {
  await withApi(trusting, async (api) => {
    const outcome = async (headers: Record<string, string>) => {
      const answer = await api.fetch(
        new Request("http://localhost:8000/auth/v1/sign-in/email", {
          method: "POST",
          headers: { ...SENT, ...headers },
          body: SIGN_IN,
        }),
        { clientIp: null },
      );
      const { code }: { readonly code?: string } = await answer.json();
      return [answer.status, code];
    };
    const cookie = "session=good";
    const evil = "https://evil.example";
    assertEquals(await outcome({ cookie, origin: evil }), [403, "ORIGIN_FORBIDDEN"]);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    assertEquals(await outcome({ cookie, origin: evil, ...form }), [403, "ORIGIN_FORBIDDEN"]);
    assertEquals(await outcome({ cookie, origin: "https://app.example" }), [200, undefined]);
    assertEquals(await outcome({ origin: evil }), [200, undefined]);
  }, { accounts });
});

Deno.test("a session that is over is refused, and a token beside it decides", async () => {
  await withApi(project, async (api) => {
    const over = await api.ask("projects", { headers: { cookie: "session=old" } });
    assertEquals([over.status, over.body["code"]], [401, "AUTH_INVALID_TOKEN"]);
    const both = { cookie: "session=good", authorization: "Bearer abc" };
    assertEquals((await api.ask("projects", { headers: both })).status, 401);
  }, { accounts });
});

Deno.test("account routes are handed over at one address, with a bounded body", async () => {
  await withApi(project, async (api) => {
    for (const base of ["/auth/v1", "/api/auth"]) {
      const request = new Request(`http://localhost:8000${base}/sign-in/email?a=1`, {
        method: "POST",
        headers: SENT,
        body: SIGN_IN,
      });
      const response = await api.fetch(request, { clientIp: null });
      assertEquals(await response.json(), {
        url: "http://localhost:8000/auth/v1/sign-in/email",
        method: "POST",
        body: SIGN_IN,
      });
    }
    const large = new Request("http://localhost:8000/auth/v1/sign-in/email", {
      method: "POST",
      headers: { host: "localhost:8000" },
      body: "x".repeat(1024 * 1024 + 1),
    });
    assertEquals((await api.fetch(large, { clientIp: null })).status, 413);
  }, { accounts });
});

const GATES: readonly (readonly [PublishGate, Ask, number])[] = [
  ["authenticated", {}, 401],
  ["authenticated", { as: { sub: "user_1" } }, 200],
  ["admin", {}, 401],
  ["admin", { as: admin }, 403],
  ["admin", { as: { ...admin, userRole: "appmanager" } }, 200],
  ["public", {}, 200],
  [false, { as: admin }, 404],
];

for (const [publish, ask, status] of GATES) {
  const who = ask.as?.userRole ?? (ask.as ? "a user" : "nobody");
  Deno.test(`openapi.json published for ${publish} answers ${who} with ${status}`, async () => {
    const gated = { ...project, openapi: { ...project.openapi, publish } };
    await withApi(gated, async (api) => {
      const answer = await api.ask("/openapi.json", ask);
      assertEquals(answer.status, status);
      if (status === 200) assertEquals(answer.body["openapi"], "3.1.0");
    });
  });
}

Deno.test("a page of a trusted origin may read answers with credentials, no other page may", async () => {
  await withApi(trusting, async (api) => {
    const ask = (origin: string) => api.ask("projects", { as: admin, headers: { origin } });
    const trusted = await ask("https://app.example");
    assertEquals(trusted.headers.get("access-control-allow-origin"), "https://app.example");
    assertEquals(trusted.headers.get("access-control-allow-credentials"), "true");
    const foreign = await ask("https://evil.example");
    assertEquals(foreign.headers.has("access-control-allow-origin"), false);
    assertEquals(foreign.headers.has("access-control-allow-credentials"), false);
    assertEquals([trusted, foreign].map(({ headers }) => headers.get("vary")), [
      "Origin",
      "Origin",
    ]);
    const preflight = await api.ask("projects", {
      method: "OPTIONS",
      headers: { origin: "https://app.example", "access-control-request-method": "POST" },
    });
    assertEquals([preflight.status, preflight.headers.get("access-control-allow-methods")], [
      204,
      "GET, POST",
    ]);
    assertEquals(
      preflight.headers.get("access-control-allow-headers")?.split(", ").includes("last-event-id"),
      true,
    );
  });
});

Deno.test("a page of no trusted origin is told nothing but that answers differ by origin", async () => {
  await withApi(trusting, async (api) => {
    const origins = ["https://evil.example", "null", "", "*", "https://app.example.evil.example"];
    for (const origin of origins) {
      for (const path of ["projects", "/nowhere", "/health", "/auth/v1/get-session", "/mcp"]) {
        for (const method of ["GET", "POST", "OPTIONS"]) {
          const asked = { origin, "access-control-request-method": "POST" };
          const { headers } = await api.ask(path, { method, headers: asked });
          const told = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
          assertEquals([told, headers.get("vary")], [[], "Origin"], `${method} ${path} ${origin}`);
        }
      }
    }
  }, { accounts });
});

Deno.test("a caller's roles come from no body and no query", async () => {
  await withApi(project, async (api) => {
    const { body } = await api.ask("projects?roles=admin", { as: { ...admin, roles: [] } });
    assertEquals(body["code"], "ACCESS_ROLE_REQUIRED");
    assertEquals(isRecord(body["details"]) && body["details"]["current"], []);
  });
});
