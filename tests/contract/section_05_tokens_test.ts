/** Tokens taken back, published keys, tokens without a session, and too many attempts (contract 5.2, 5.4, 7.2). */
import { assertEquals, assertMatch } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { createLocalJWKSet, jwtVerify } from "jose";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { JwtModel } from "../../shared/model/auth.ts";
import {
  type App,
  createApp,
  type Database,
  type RateLimiter,
  type Revocation,
  type RevocationFeed,
  type Settings,
} from "../../shared/runtime/mod.ts";
import { memoryRateLimiter } from "../../library/platform/memory_rate_limiter.ts";
import { admin, founder, helpdesk, withAccountsApi } from "../support/accounts_api.ts";
import {
  type Answer,
  type ApiUnderTest,
  AUTH_SECRET,
  BASE_URL,
  START,
  tokenFor,
  withApi,
} from "../support/api.ts";
import { changedResource } from "../support/changed_resource.ts";
import { project } from "../support/sample_project.ts";

const test = ofOneDatabase("it makes more APIs by itself, over one database");

const withJwt = (of: ProjectModel, changes: Partial<JwtModel>): ProjectModel => ({
  ...of,
  auth: { ...of.auth, jwt: of.auth.jwt && { ...of.auth.jwt, ...changes } },
});

const checked = withJwt(project, { revocationCheck: true });
const caller = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const outcome = ({ status, body }: Answer) => [status, body["code"]];

Deno.test("a token that its bearer takes back is dead at once, and no other", async () => {
  await withApi(checked, async (api) => {
    const [own, other] = await Promise.all(
      ["one", "two"].map((jti) => tokenFor({ ...caller, jti })),
    );
    const as = (token = "") => ({ headers: { authorization: `Bearer ${token}` } });
    assertEquals((await api.ask("projects", as(own))).status, 200);
    const revoked = await api.ask("token/revoke", { method: "POST", ...as(own) });
    assertEquals([revoked.status, revoked.body], [200, { success: true }]);
    assertEquals(outcome(await api.ask("projects", as(own))), [401, "AUTH_INVALID_TOKEN"]);
    assertEquals((await api.ask("projects", as(other))).status, 200);
  });
});

Deno.test("a sysadmin takes any token back by its id, nobody else does", async () => {
  await withApi(checked, async (api) => {
    const victim = {
      headers: { authorization: `Bearer ${await tokenFor({ ...caller, jti: "v" })}` },
    };
    const body = { jti: "v" };
    assertEquals(outcome(await api.ask("token/revoke", { as: caller, body })), [
      403,
      "ACCESS_ROLE_REQUIRED",
    ]);
    assertEquals(outcome(await api.ask("token/revoke", { body })), [401, "AUTH_MISSING"]);
    const root = { sub: "root", userRole: "sysadmin" };
    assertEquals((await api.ask("token/revoke", { as: root, body })).status, 200);
    assertEquals(outcome(await api.ask("projects", victim)), [401, "AUTH_INVALID_TOKEN"]);
  });
});

Deno.test("a token that could not be taken back is none where that is checked", async () => {
  for (const [of, status] of [[checked, 401], [project, 200]] as const) {
    await withApi(of, async (api) => {
      const token = await tokenFor({ ...caller, jti: "" });
      const headers = { authorization: `Bearer ${token}` };
      assertEquals((await api.ask("projects", { headers })).status, status);
    });
  }
});

Deno.test("revocations that cannot be read are 503, for good tokens only, and for remembered ones too", async () => {
  let isDown = false;
  const wrap = (database: Database): Database => ({
    ...database,
    run: (statement) =>
      isDown && statement.sql.includes("service_key_values")
        ? Promise.reject(new Error("down"))
        : database.run(statement),
  });
  await withApi(checked, async (api) => {
    assertEquals((await api.ask("projects", { as: caller })).status, 200);
    isDown = true;
    // For a second what was read counts.
    assertEquals((await api.ask("projects", { as: caller })).status, 200);
    api.pass(1000);
    const answer = await api.ask("projects", { as: caller });
    assertEquals(outcome(answer), [503, "AUTH_REVOCATION_UNAVAILABLE"]);
    const wrong = { headers: { authorization: "Bearer a.b.c" } };
    assertEquals((await api.ask("projects", wrong)).body["code"], "AUTH_INVALID_TOKEN");
    assertEquals((await api.ask("projects")).body["code"], "AUTH_MISSING");
    isDown = false;
    assertEquals((await api.ask("projects", { as: caller })).status, 200);
  }, { wrap });
});

/** Two processes of one API on one database; the second one's clock is the first one's. */
function withTwo(body: (one: ApiUnderTest, other: App, ask: Asking) => Promise<void>) {
  return withApi(checked, async (one) => {
    const other = createApp(checked, one.ports, one.settings, { openapi: null });
    const ask = async (app: Pick<App, "fetch">, jti: string) => {
      const token = await tokenFor({ ...caller, jti }, one.ports.clock.now());
      const headers = { host: "localhost:8000", authorization: `Bearer ${token}` };
      const request = new Request(`${BASE_URL}/api/v1/projects`, { headers });
      const response = await app.fetch(request, { clientIp: null });
      await response.body?.cancel();
      return response.status;
    };
    await body(one, other, ask);
  });
}

type Asking = (app: Pick<App, "fetch">, jti: string) => Promise<number>;

const root = { sub: "root", userRole: "sysadmin", jti: "root" };
const revoke = (api: ApiUnderTest, jti: string) =>
  api.ask("token/revoke", { as: root, body: { jti } });

test("a token taken back at one process is none at the others within a second, though nobody tells them", async () => {
  await withTwo(async (one, other, ask) => {
    assertEquals([await ask(other, "a"), await ask(other, "b")], [200, 200]);
    await revoke(one, "a");
    assertEquals(await ask(one, "a"), 401);
    one.pass(1000);
    assertEquals([await ask(other, "a"), await ask(other, "b")], [401, 200]);
    await revoke(one, "b");
    one.pass(1000);
    assertEquals([await ask(other, "a"), await ask(other, "b")], [401, 401]);
  });
});

test("a token taken back stays so whatever the clock does", async () => {
  await withTwo(async (one, other, ask) => {
    assertEquals(await ask(other, "a"), 200);
    await revoke(one, "a");
    one.pass(1000);
    assertEquals(await ask(other, "a"), 401);
    one.pass(-3_600_000);
    await revoke(one, "b");
    assertEquals([await ask(other, "a"), await ask(other, "b")], [401, 401]);
    const later = createApp(checked, one.ports, one.settings, { openapi: null });
    assertEquals([await ask(later, "a"), await ask(later, "b")], [401, 401]);
  });
});

Deno.test("what a process is told of it holds at once", async () => {
  const heard: ((revocation: Revocation) => void)[] = [];
  const told: string[] = [];
  const revocations: RevocationFeed = {
    tell: ({ tokenId }) => Promise.resolve(void told.push(tokenId)),
    listen: (listener) => void heard.push(listener),
  };
  await withApi(checked, async (api) => {
    const as = { ...caller, jti: "mine" };
    assertEquals((await api.ask("projects", { as })).status, 200);
    heard.forEach((hear) => hear({ tokenId: "mine", expiresAt: START + 60_000 }));
    assertEquals((await api.ask("projects", { as })).status, 401);
    await revoke(api, "another");
    assertEquals(told, ["another"]);
  }, { revocations });
});

Deno.test("a taken-back token is forgotten when no token can live any more", async () => {
  await withApi(checked, async (api) => {
    await api.ask("token/revoke", { method: "POST", as: caller });
    const count = async () =>
      (await api.database.run({ sql: "SELECT count(*) FROM service_key_values", args: [] }))
        .rows[0];
    assertEquals(await count(), [1]);
    api.pass(24 * 60 * 60 * 1000 + 1);
    const root = { sub: "root", userRole: "sysadmin" };
    await api.ask("token/revoke", { as: root, body: { jti: "another" } });
    assertEquals(await count(), [1]);
  });
});

Deno.test("without the check there is no route to take a token back", async () => {
  await withApi(project, async (api) => {
    assertEquals((await api.ask("token/revoke", { method: "POST", as: caller })).status, 404);
    const { rows } = await api.database.run({
      sql: "SELECT count(*) FROM sqlite_master WHERE name = 'service_key_values'",
      args: [],
    });
    assertEquals(rows, [[0]]);
  });
});

Deno.test("the key of EdDSA tokens is published, and verifies them", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const minted = await api.ask("token", { method: "POST", headers: { cookie: anna.cookie } });
    for (const path of ["/auth/v1/jwks", "/api/auth/jwks"]) {
      const answer = await api.ask(path);
      assertEquals(answer.status, 200);
      const { keys } = JSON.parse(answer.text);
      assertEquals(keys.length, 1);
      assertEquals(Object.keys(keys[0]).sort(), ["alg", "crv", "kid", "kty", "use", "x"]);
      const { payload } = await jwtVerify(
        String(minted.body["token"]),
        createLocalJWKSet({ keys }),
        { issuer: BASE_URL, audience: BASE_URL, currentDate: new Date(START) },
      );
      assertEquals(payload["roles"], ["owner", "admin"]);
    }
  }, { project: withJwt(helpdesk, { algorithm: "EdDSA" }) });
});

Deno.test("while there is a previous secret its key is published too, after the one that signs", async () => {
  const eddsa = { project: withJwt(helpdesk, { algorithm: "EdDSA" }) };
  const published = async (settings: Partial<Settings>) => {
    const kids: string[] = [];
    await withAccountsApi(async (api) => {
      const { keys } = JSON.parse((await api.ask("/auth/v1/jwks")).text);
      kids.push(...keys.map(({ kid }: { readonly kid: string }) => kid));
    }, { ...eddsa, settings });
    return kids;
  };
  const authSecret = AUTH_SECRET.toReversed();
  const both = [...await published({ authSecret }), ...await published({})];
  assertEquals(await published({ authSecret, authSecretPrevious: AUTH_SECRET }), both);
});

Deno.test("a shared secret has no published key", async () => {
  await withApi(project, async (api) => {
    assertEquals((await api.ask("/auth/v1/jwks")).status, 404);
  });
});

const scoped = changedResource(helpdesk, "projects", (resource) => ({
  ...resource,
  read: resource.read && { ...resource.read, access: { kind: "roles", roles: ["SCOPED"] } },
}));

Deno.test("an administrator mints a token for a scope: it is SCOPED in the organization, and nothing else", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const created = await anna.ask("projects", { name: "Apollo" });
    const minted = await anna.ask("token/scope", { scope: "kiosk:lobby" });
    assertEquals(minted.status, 200, minted.text);
    const headers = { authorization: `Bearer ${minted.body["token"]}` };
    assertEquals((await api.ask(`projects/${created.body["id"]}`, { headers })).status, 200);
    assertEquals(outcome(await anna.ask(`projects/${created.body["id"]}`)), [
      403,
      "ACCESS_ROLE_REQUIRED",
    ]);
    const written = await api.ask("projects", { headers, body: { name: "x" } });
    assertEquals(outcome(written), [403, "ACCESS_ROLE_REQUIRED"]);
    for (const path of ["token", "token/scope"]) {
      const again = await api.ask(path, { headers, body: { scope: "x" } });
      assertEquals(outcome(again), [401, "AUTH_SESSION_REQUIRED"]);
    }
  }, { project: scoped });
});

Deno.test("no other member mints scope tokens, and no scope has an odd name", async () => {
  const agent = { sub: "user_1", orgId: "org_1", roles: ["agent"] };
  await withApi(helpdesk, async (api) => {
    const body = { scope: "kiosk" };
    const table: readonly (readonly [Parameters<typeof api.ask>[1], number, string])[] = [
      [{ body }, 401, "AUTH_MISSING"],
      [{ body, as: agent }, 403, "ACCESS_ROLE_REQUIRED"],
      [{ body, as: { sub: "user_1" } }, 403, "ACCESS_NO_ORG"],
      [{ body: {}, as: caller }, 400, "VALIDATION_ERROR"],
      [{ body: { scope: "" }, as: caller }, 400, "VALIDATION_ERROR"],
      [{ body: { scope: "a b" }, as: caller }, 400, "VALIDATION_ERROR"],
      [{ body: { scope: "x", roles: ["admin"] }, as: caller }, 400, "VALIDATION_ERROR"],
    ];
    for (const [ask, status, code] of table) {
      assertEquals(outcome(await api.ask("token/scope", ask)), [status, code]);
    }
    assertEquals((await api.ask("token/scope", { body, as: caller })).status, 200);
  });
});

Deno.test("a scope token with anything beside its scope is no token", async () => {
  await withApi(helpdesk, async (api) => {
    const good = { sub: "scope:kiosk", scope: "kiosk", orgId: "org_1" };
    const bad: readonly Record<string, unknown>[] = [
      { ...good, sub: "user_1" },
      { ...good, roles: ["admin"] },
      { ...good, userRole: "sysadmin" },
      { ...good, teamId: "team_1" },
      { ...good, scope: 1 },
      { ...good, scope: ["kiosk"] },
      { ...good, orgId: "" },
    ];
    const asked = async (claims: Record<string, unknown>) => {
      const token = await tokenFor({ sub: "x", ...claims });
      return outcome(await api.ask("projects", { headers: { authorization: `Bearer ${token}` } }));
    };
    assertEquals(await asked(good), [403, "ACCESS_ROLE_REQUIRED"]);
    for (const claims of bad) {
      assertEquals(await asked(claims), [401, "AUTH_INVALID_TOKEN"], JSON.stringify(claims));
    }
  });
});

Deno.test("an address whose credentials fail too often is told so, and its good ones still count", async () => {
  const keys: string[] = [];
  const counting = memoryRateLimiter({ clock: { now: () => START } });
  const limiter: RateLimiter = {
    ...counting,
    take(key, limit, period) {
      keys.push(key);
      return counting.take(key, key.startsWith("authentication:") ? 2 : limit, period);
    },
  };
  await withApi(project, async (api) => {
    const bad = (clientIp: string) =>
      api.ask("projects", { headers: { authorization: "Bearer x" }, clientIp });
    const codes = [];
    for (let at = 0; at < 3; at += 1) codes.push((await bad("192.0.2.1")).body["code"]);
    assertEquals(codes, ["AUTH_INVALID_TOKEN", "AUTH_INVALID_TOKEN", "AUTH_RATE_LIMITED"]);
    const limited = await bad("192.0.2.1");
    assertEquals([limited.status, limited.headers.get("retry-after")], [401, "60"]);
    assertEquals((await bad("192.0.2.2")).body["code"], "AUTH_INVALID_TOKEN");
    assertEquals((await api.ask("projects", { as: caller, clientIp: "192.0.2.1" })).status, 200);
    assertMatch(keys[0] ?? "", /^authentication:failed:192\.0\.2\.1$/);
  }, { limiter });
});

Deno.test("contract v2 has no token endpoints unless auth.jwt is declared, and no v1 address", async () => {
  const v2: ProjectModel = { ...helpdesk, contract: "v2", auth: { ...helpdesk.auth, jwt: null } };
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme", "/auth/v2");
    const paths = ["token", "token/scope", "token/revoke", "/auth/v2/jwks", "/auth/v1/get-session"];
    for (const path of [...paths, "/api/auth/get-session", "/api/v1/projects"]) {
      assertEquals((await anna.ask(path)).status, 404, path);
    }
    const token = await tokenFor(caller);
    const bearer = await api.ask("projects", { headers: { authorization: `Bearer ${token}` } });
    assertEquals(outcome(bearer), [401, "AUTH_INVALID_TOKEN"]);
  }, { project: v2 });
});
