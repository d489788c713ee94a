/** `/mcp` and the limits of credentials (contract 5.5, 8.1): each request of the protocol is one use of a key, whatever it runs. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { memoryRateLimiter } from "../../library/platform/memory_rate_limiter.ts";
import type { RateLimiter } from "../../shared/runtime/ports.ts";
import { admin, type Visitor, withAccountsApi } from "../support/accounts_api.ts";
import {
  type Answer,
  type ApiUnderTest,
  type Ask,
  BASE_URL,
  isRecord,
  START,
  tokenFor,
  withApi,
} from "../support/api.ts";
import { answerIn, connected, type ToolAnswer, transportTo } from "../support/mcp_client.ts";
import { Client } from "@modelcontextprotocol/sdk/client";
import { project } from "../support/sample_project.ts";

const FLAT = { error: "Rate limit exceeded", code: "RATE_LIMITED", retryAfter: 60 };
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const READ = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "list_records", arguments: { resource: "projects" } },
};

async function keyOf(visitor: Visitor, asked: Readonly<Record<string, unknown>> = {}) {
  const made = await visitor.ask("/api/auth/api-key/create", asked);
  assertEquals(made.status, 200, made.text);
  return { id: String(made.body["id"]), headers: { "x-api-key": String(made.body["key"]) } };
}

const post = (api: ApiUnderTest, headers: Readonly<Record<string, string>>, ask: Ask = {}) =>
  api.ask("/mcp", { body: READ, method: "POST", headers, ...ask });

const told = ({ status, body }: Answer) => [status, body["code"] ?? null];

function recordsIn({ data }: ToolAnswer): unknown {
  return isRecord(data) ? data["data"] : null;
}

/** What a tool's result says, of an answer that is a message. */
function resultOf({ body }: Answer) {
  return answerIn(body["result"]);
}

Deno.test("a key that may be used three times a minute runs three calls, then every message is the flat 429", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const { headers } = await keyOf(anna, { rateLimitMax: 3, rateLimitTimeWindow: 60_000 });
    for (let at = 0; at < 3; at += 1) {
      const answer = await post(api, headers);
      assertEquals([answer.status, resultOf(answer).status], [200, 200]);
    }
    for (const body of [READ, LIST, { jsonrpc: "2.0", method: "notifications/initialized" }]) {
      const refused = await post(api, headers, { body });
      assertEquals([refused.status, refused.body], [429, FLAT]);
      assertEquals(refused.headers.get("retry-after"), "60");
      assertEquals(refused.headers.get("content-type"), "application/json");
    }
    assertEquals((await api.ask("projects", { headers })).status, 429);
    const client = new Client({ name: "test", version: "0.0.0" });
    await assertRejects(() => client.connect(transportTo(api, headers)));
  });
});

Deno.test("a key with three uses runs three calls, and none more", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const { headers } = await keyOf(anna, { remaining: 3 });
    const statuses = [];
    for (let at = 0; at < 5; at += 1) statuses.push((await post(api, headers)).status);
    // A key that is used up is deleted when that is noticed.
    assertEquals(statuses, [200, 200, 200, 429, 401]);
  });
});

Deno.test("a key stays in the organization in which it was made, whatever its maker does", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const apollo = await anna.ask("projects", { name: "Apollo" });
    const { headers } = await keyOf(anna);
    const bolt = await anna.ask("/api/auth/organization/create", { name: "Bolt", slug: "bolt" });
    assertEquals(bolt.status, 200);
    const { call } = await connected(api, headers);
    assertEquals(recordsIn(await call("list_records", { resource: "projects" })), [apollo.body]);
    const ben = await connected(api, (await keyOf(await admin(api, "ben", "core"))).headers);
    assertEquals(recordsIn(await ben.call("list_records", { resource: "projects" })), []);
    const foreign = await ben.call("get_record", { resource: "projects", id: apollo.body["id"] });
    assertEquals([foreign.status, foreign.problem["code"]], [403, "FIREWALL_NOT_FOUND"]);
  });
});

Deno.test("a key loses its tools with its role, and its word with its membership, itself or its account", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const { headers } = await keyOf(anna);
    const { names, call } = await connected(api, headers);
    assert((await names()).includes("delete_record"));
    const change = (sql: string) =>
      api.database.write((transaction) => transaction.run({ sql, args: [] }));
    await change("UPDATE auth_member SET role = 'owner,member'");
    assertEquals((await names()).includes("delete_record"), false);
    const gone = await call("delete_record", { resource: "projects", id: "x" });
    assertEquals(gone.isError, true);
    const { headers: deleted, id } = await keyOf(anna);
    await anna.ask("/api/auth/api-key/delete", { keyId: id });
    assertEquals(told(await post(api, deleted)), [401, "AUTH_INVALID_TOKEN"]);
    const { headers: fresh } = await keyOf(anna);
    await change("DELETE FROM auth_member");
    assertEquals(told(await post(api, headers)), [401, "AUTH_INVALID_TOKEN"]);
    await change("DELETE FROM auth_user");
    assertEquals(told(await post(api, fresh)), [401, "AUTH_INVALID_TOKEN"]);
  });
});

Deno.test("an expired key and an expired token say so, with the way to the metadata", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const { headers } = await keyOf(anna, { expiresIn: 60 });
    await api.database.write((transaction) =>
      transaction.run({
        sql: "UPDATE auth_apikey SET expires_at = '2020-01-01T00:00:00.000Z'",
        args: [],
      })
    );
    const token = await tokenFor({ sub: "ada", orgId: "org_a", roles: ["admin"] });
    api.pass(901_000);
    for (const sent of [headers, { authorization: `Bearer ${token}` }]) {
      const answer = await post(api, sent);
      assertEquals(told(answer), [401, "AUTH_EXPIRED"]);
      const challenge = answer.headers.get("www-authenticate") ?? "";
      assert(challenge.includes(`${BASE_URL}/.well-known/oauth-protected-resource/mcp`));
    }
  });
});

Deno.test("credentials that disagree name nobody here either, and a cookie is not looked at", async () => {
  await withAccountsApi(async (api) => {
    const [anna, ben] = [await admin(api, "anna", "acme"), await admin(api, "ben", "bolt")];
    const { headers } = await keyOf(anna);
    const token = String((await ben.ask("token", {})).body["token"]);
    const both = { ...headers, authorization: `Bearer ${token}` };
    assertEquals(told(await post(api, both)), [401, "AUTH_INVALID_TOKEN"]);
    assertEquals((await post(api, { ...headers, cookie: ben.cookie })).status, 200);
    assertEquals(told(await post(api, { cookie: anna.cookie })), [401, "AUTH_MISSING"]);
  });
});

Deno.test("a limit of the API is a result that tells to wait; guesses at credentials are counted", async () => {
  const counting = memoryRateLimiter({ clock: { now: () => START } });
  const limiter: RateLimiter = {
    ...counting,
    take: (key, limit, period) => counting.take(key, Math.min(limit, 2), period),
  };
  await withApi(project, async (api) => {
    const headers = {
      authorization: `Bearer ${await tokenFor({ sub: "max", orgId: "o", roles: ["member"] })}`,
    };
    const results = [];
    for (let at = 0; at < 3; at += 1) results.push(resultOf(await post(api, headers)));
    assertEquals(results.map(({ status }) => status), [200, 200, 429]);
    assertEquals(results[2]?.problem, {
      code: "RATE_LIMITED",
      title: "Rate limit exceeded",
      hint: "Wait 60 seconds",
    });
    // Telling what there is costs nothing.
    assertEquals((await post(api, headers, { body: LIST })).status, 200);
    const guess = () =>
      post(api, { authorization: "Bearer nonsense" }, { clientIp: "203.0.113.9" });
    const codes = [];
    for (let at = 0; at < 3; at += 1) codes.push((await guess()).body["code"]);
    assertEquals(codes, ["AUTH_INVALID_TOKEN", "AUTH_INVALID_TOKEN", "AUTH_RATE_LIMITED"]);
  }, { limiter });
});

Deno.test("the limit of an address stands before /mcp too", async () => {
  const limiter = memoryRateLimiter({ clock: { now: () => START } });
  await withApi(project, async (api) => {
    const ask = () => api.ask("/mcp", { body: LIST, clientIp: "203.0.113.9" });
    assertEquals([(await ask()).status, (await ask()).status], [401, 429]);
  }, { limiter, settings: { clientRateLimit: 1 } });
});
