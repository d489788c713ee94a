/** API keys: made, used, limited, expired and taken back (contract 5.1, definitions 7 "Smaller answers"). */
import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { defaultKeyHasher } from "@better-auth/api-key";
import { hashOf } from "../../shared/accounts/api_keys.ts";
import {
  admin,
  founder,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "../support/accounts_api.ts";
import { until } from "../support/until.ts";
import type { Answer, ApiUnderTest } from "../support/api.ts";

async function keyOf(visitor: Visitor, asked: Readonly<Record<string, unknown>> = {}) {
  const made = await visitor.ask("/api/auth/api-key/create", asked);
  assertEquals(made.status, 200, made.text);
  return { key: String(made.body["key"]), id: String(made.body["id"]), made: made.body };
}

const withKey = (api: ApiUnderTest, key: string, path = "projects") =>
  api.ask(path, { headers: { "x-api-key": key } });

const outcome = ({ status, body }: Answer) => [status, body["code"]];

Deno.test("a key is its maker in the organization in which it was made", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const { key } = await keyOf(anna, { name: "ci" });
    const created = await api.ask("projects", {
      headers: { "x-api-key": key },
      body: { name: "Apollo" },
    });
    assertEquals(created.status, 201, created.text);
    const other = await anna.ask("/api/auth/organization/create", { name: "Bolt", slug: "bolt" });
    assertEquals(other.status, 200);
    assertEquals((await anna.ask("projects")).status, 403);
    assertEquals((await withKey(api, key)).body["data"], [created.body]);
  });
});

Deno.test("a key is stored as a hash, and listed without its text", async () => {
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const { key, made } = await keyOf(anna);
    assertMatch(key, /^[A-Za-z]{64}$/);
    assertEquals([made["rateLimitEnabled"], made["expiresAt"], made["remaining"]], [
      false,
      null,
      null,
    ]);
    const { rows } = await api.database.run({ sql: "SELECT key FROM auth_apikey", args: [] });
    assertEquals(rows, [[await defaultKeyHasher(key)]]);
    assertEquals(await hashOf(key), await defaultKeyHasher(key));
    assertEquals((await anna.ask("/api/auth/api-key/list")).text.includes(key), false);
  });
});

Deno.test("a key's last use is told to its maker and to the owners of its organization", async () => {
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const { key, id } = await keyOf(anna);
    const told = async () => {
      const own = await anna.ask(`/api/auth/api-key/get?id=${id}`);
      const list = await anna.ask("/api/auth/organization/list-api-keys");
      const [listed] = list.body["apiKeys"] as readonly Readonly<Record<string, unknown>>[];
      return [own.body["lastRequest"], listed?.["lastUsedAt"]];
    };
    assertEquals(await told(), [null, null]);
    // Whatever the key may do: it was used.
    assertEquals((await withKey(api, key)).status, 403);
    await until("the use is written", async () => (await told())[0] !== null);
    const [use, again] = await told();
    assertEquals(use, again);
    assertEquals(new Date(String(use)).toISOString(), use);
  });
});

Deno.test("a key that is unknown, disabled, deleted or a stranger's id proves nothing", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const { key, id } = await keyOf(anna);
    assertEquals((await withKey(api, key)).status, 200);
    const bad = [key.slice(1), `${key}x`, key.toLowerCase(), id, "' OR 1=1 --", "x".repeat(10_000)];
    const bodies = await Promise.all(bad.map(async (text) => {
      const answer = await withKey(api, text);
      assertEquals(outcome(answer), [401, "AUTH_INVALID_TOKEN"], text.slice(0, 80));
      return { ...answer.body, request: null };
    }));
    for (const body of bodies) assertEquals(body, bodies[0]);
    const disabled = await anna.ask("/api/auth/api-key/update", { keyId: id, enabled: false });
    assertEquals(disabled.status, 200, disabled.text);
    assertEquals(outcome(await withKey(api, key)), [401, "AUTH_INVALID_TOKEN"]);
    const second = await keyOf(anna);
    // What a request keeps of a key must not keep the key.
    assertEquals((await withKey(api, second.key)).status, 200);
    await anna.ask("/api/auth/api-key/delete", { keyId: second.id });
    assertEquals(outcome(await withKey(api, second.key)), [401, "AUTH_INVALID_TOKEN"]);
  });
});

Deno.test("a key beyond its expiry is AUTH_EXPIRED", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const { key, made } = await keyOf(anna, { expiresIn: 60 });
    assertNotEquals(made["expiresAt"], null);
    assertEquals((await withKey(api, key)).status, 200);
    await api.database.write((transaction) =>
      transaction.run({
        sql: "UPDATE auth_apikey SET expires_at = '2020-01-01T00:00:00.000Z'",
        args: [],
      })
    );
    assertEquals(outcome(await withKey(api, key)), [401, "AUTH_EXPIRED"]);
  });
});

for (const asked of [{ rateLimitMax: 2, rateLimitTimeWindow: 60_000 }, { remaining: 2 }]) {
  Deno.test(`a key with ${JSON.stringify(asked)} answers twice, then 429`, async () => {
    await withAccountsApi(async (api) => {
      const anna = await admin(api, "anna", "acme");
      const { key } = await keyOf(anna, asked);
      const answers = [];
      for (let at = 0; at < 3; at += 1) answers.push(await withKey(api, key));
      assertEquals(answers.map(({ status }) => status), [200, 200, 429]);
      assertEquals(answers[2]?.body, {
        error: "Rate limit exceeded",
        code: "RATE_LIMITED",
        retryAfter: 60,
      });
    });
  });
}

Deno.test("a key loses what its user loses: membership, role, account", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const { key } = await keyOf(anna);
    const change = (sql: string) =>
      api.database.write((transaction) => transaction.run({ sql, args: [] }));
    await change("UPDATE auth_member SET role = 'owner'");
    assertEquals(outcome(await withKey(api, key)), [403, "ACCESS_ROLE_REQUIRED"]);
    await change("DELETE FROM auth_member");
    assertEquals(outcome(await withKey(api, key)), [401, "AUTH_INVALID_TOKEN"]);
    await change("UPDATE auth_user SET banned = 1");
    assertEquals(outcome(await withKey(api, key)), [401, "AUTH_INVALID_TOKEN"]);
    await change("UPDATE auth_user SET banned = 1, ban_expires = '2020-01-01T00:00:00.000Z'");
    assertEquals(outcome(await withKey(api, key)), [401, "AUTH_INVALID_TOKEN"]);
    await change("DELETE FROM auth_user");
    assertEquals(outcome(await withKey(api, key)), [401, "AUTH_INVALID_TOKEN"]);
  });
});

Deno.test("nobody makes a key for somebody else, for a foreign organization or without a session", async () => {
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const foreign = { userId: "user_2" };
    for (const body of [foreign, { permissions: { organization: ["org_2"] } }, { metadata: {} }]) {
      const refused = await anna.ask("/api/auth/api-key/create", body);
      assertEquals(refused.status, 400, refused.text);
    }
    const { key } = await keyOf(anna);
    for (const headers of [{}, { "x-api-key": key }]) {
      const refused = await api.ask("/api/auth/api-key/create", { body: {}, headers });
      assertEquals(refused.status, 401, refused.text);
    }
    assertEquals(
      outcome(await api.ask("token", { method: "POST", headers: { "x-api-key": key } })),
      [
        401,
        "AUTH_SESSION_REQUIRED",
      ],
    );
  });
});

Deno.test("two credentials that name one caller are as good as the first, two that disagree are refused", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const ben = await admin(api, "ben", "bolt");
    const [annas, bens] = [await keyOf(anna), await keyOf(ben)];
    const token = await api.ask("token", { method: "POST", headers: { cookie: anna.cookie } });
    const authorization = `Bearer ${token.body["token"]}`;
    const table: readonly (readonly [Record<string, string>, number])[] = [
      [{ authorization, "x-api-key": annas.key }, 200],
      [{ authorization, cookie: anna.cookie }, 200],
      [{ "x-api-key": annas.key, cookie: anna.cookie }, 200],
      [{ authorization, "x-api-key": bens.key }, 401],
      [{ authorization, cookie: ben.cookie }, 401],
      [{ "x-api-key": annas.key, cookie: ben.cookie }, 401],
      [{ authorization, "x-api-key": "nonsense" }, 401],
      [{ authorization: "Basic dTpw", "x-api-key": annas.key }, 401],
      [{ authorization, cookie: anna.cookie.replace(/(_token=[^.]*\.)[^;]*/, "$1AAAA") }, 401],
    ];
    for (const [headers, status] of table) {
      const answer = await api.ask("projects", { headers });
      assertEquals(answer.status, status, JSON.stringify(headers));
      if (status === 401) assertEquals(answer.body["code"], "AUTH_INVALID_TOKEN");
    }
  });
});

Deno.test("a cookie beside a token still needs its own page on a write", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const { key } = await keyOf(anna);
    const headers = { "x-api-key": key, cookie: anna.cookie, origin: "https://evil.example" };
    assertEquals(outcome(await api.ask("projects", { headers, body: { name: "x" } })), [
      403,
      "ORIGIN_FORBIDDEN",
    ]);
  });
});

Deno.test("a key of a signed-up user without an organization acts in none", async () => {
  await withAccountsApi(async (api) => {
    const { key } = await keyOf(await signedUp(api, "carl"));
    assertEquals(outcome(await withKey(api, key)), [403, "ACCESS_NO_ORG"]);
  });
});
