/** `Idempotency-Key`: a write happens once, however often and from wherever it is sent (contract 4.1 rule 8, definitions 7). */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { foundAccounts } from "../support/found_accounts.ts";
import type { Database } from "../../shared/runtime/mod.ts";
import { memoryRateLimiter } from "../../library/platform/mod.ts";
import {
  type Answer,
  type ApiUnderTest,
  type Ask,
  type Claims,
  START,
  withDefinitions,
} from "../support/api.ts";
import { DRIVERS } from "../support/databases.ts";
import { ORDER_FILES, ORDERS_CLERK as clerk } from "../support/orders_project.ts";

const DAY = 24 * 60 * 60 * 1000;

/** A good order under a key. */
function order(key: string, rest: Partial<Ask> & { readonly number?: unknown } = {}): Ask {
  const { number = 7, headers, ...ask } = rest;
  return {
    as: clerk,
    body: { number, phone: "+1 555 0100" },
    headers: { "idempotency-key": key, ...headers },
    ...ask,
  };
}

async function count(database: Database, table = "orders"): Promise<number> {
  const { rows } = await database.run({ sql: `SELECT count(*) FROM ${table}`, args: [] });
  return Number(rows[0]?.[0]);
}

/** What a repetition must answer byte for byte. */
function told({ status, text, headers }: Answer): readonly unknown[] {
  return [status, text, headers.get("etag"), headers.get("content-type")];
}

const withOrders = (
  body: (api: ApiUnderTest) => Promise<void>,
  options: Parameters<typeof withDefinitions>[2] = {},
) => withDefinitions(ORDER_FILES, body, options);

for (const driver of DRIVERS) {
  Deno.test(`a repetition is answered byte for byte and writes nothing, on the ${driver.name} database`, () =>
    withOrders(async (api) => {
      const first = await api.ask("orders", order("a"));
      assertEquals(first.status, 201);
      assertMatch(
        first.headers.get("etag") ?? "",
        /^"1-/,
        "the tag of a copy with a masked column",
      );
      const again = await api.ask("orders", order("a"));
      assertEquals(told(again), told(first));
      assertNotEquals(again.headers.get("x-request-id"), first.headers.get("x-request-id"));
      assertEquals(await count(api.database), 1);
      const other = await api.ask("orders", order("b"));
      assertNotEquals(other.body["id"], first.body["id"]);
      assertEquals(await count(api.database), 2);
    }, { driver }));

  Deno.test(`what a refused write did is undone, its refusal kept, on the ${driver.name} database`, () =>
    withOrders(async (api) => {
      const refused = await api.ask("orders", order("a", { number: "seven" }));
      assertEquals([refused.status, refused.body["code"]], [400, "VALIDATION_ERROR"]);
      assertEquals(told(await api.ask("orders", order("a", { number: "seven" }))), told(refused));
      const corrected = await api.ask("orders", order("a"));
      assertEquals([corrected.status, corrected.body["code"]], [422, "IDEMPOTENCY_KEY_REUSED"]);
      assertEquals(await count(api.database), 0);
    }, { driver }));
}

Deno.test("every kind of write is done once", () =>
  withOrders(async (api) => {
    const { body } = await api.ask("orders", order("new"));
    const path = `orders/${body["id"]}`;
    const rows: readonly (readonly [string, Ask])[] = [
      [path, order("1", { method: "PATCH", number: 8 })],
      [path, order("2", { method: "PATCH", number: 9, headers: { "if-match": '"2"' } })],
      [path, order("3", { method: "PATCH", number: 9, headers: { "if-match": '"2"' } })],
      ["orders/batch", order("4", { body: { records: [{ number: 1 }, { number: 2 }] } })],
      [path, order("5", { method: "DELETE", body: undefined })],
      [path, order("6", { method: "DELETE", body: undefined })],
    ];
    const statuses: number[] = [];
    for (const [at, ask] of rows) {
      const first = await api.ask(at, ask);
      statuses.push(first.status);
      assertEquals(told(await api.ask(at, ask)), told(first), JSON.stringify(ask));
    }
    assertEquals(statuses, [200, 200, 412, 201, 200, 403]);
    assertEquals(await count(api.database), 3);
    const { rows: stored } = await api.database.run({
      sql: "SELECT revision FROM orders WHERE id = ?",
      args: [String(body["id"])],
    });
    assertEquals(stored, [[4]]);
  }));

Deno.test("a key belongs to one request: any other under it is refused and writes nothing", () =>
  withOrders(async (api) => {
    const { body } = await api.ask("orders", order("a"));
    const others: readonly (readonly [string, Ask])[] = [
      ["orders", order("a", { number: 8 })],
      ["orders", order("a", { body: '{"number":7,  "phone":"+1 555 0100"}' })],
      ["orders?x=1", order("a")],
      ["orders", order("a", { headers: { "if-match": "*" } })],
      [`orders/${body["id"]}`, order("a", { method: "PATCH" })],
      ["orders/batch", order("a", { body: { records: [] } })],
    ];
    for (const [path, ask] of others) {
      const { status, body } = await api.ask(path, ask);
      assertEquals([status, body["code"]], [422, "IDEMPOTENCY_KEY_REUSED"], path);
    }
    assertEquals(await count(api.database), 1);
  }));

const PRINCIPALS:
  readonly (readonly [what: string, as: Claims, status: number, code: string | undefined])[] = [
    ["another user of the tenant", { ...clerk, sub: "user_2" }, 422, "IDEMPOTENCY_KEY_REUSED"],
    [
      "the same user with more roles",
      { ...clerk, roles: ["clerk", "boss"] },
      422,
      "IDEMPOTENCY_KEY_REUSED",
    ],
    [
      "the same user who lost the role",
      { ...clerk, roles: ["reader"] },
      403,
      "ACCESS_ROLE_REQUIRED",
    ],
    ["the same user in another tenant", { ...clerk, orgId: "org_2" }, 201, undefined],
    ["another tenant's user", { sub: "user_9", orgId: "org_2", roles: ["clerk"] }, 201, undefined],
  ];

for (const [what, as, status, code] of PRINCIPALS) {
  Deno.test(`a key of ${what}: ${status}`, () =>
    withOrders(async (api) => {
      const first = await api.ask("orders", order("a"));
      const other = await api.ask("orders", order("a", { as }));
      assertEquals([other.status, other.body["code"]], [status, code]);
      assertEquals(await count(api.database), code === undefined ? 2 : 1);
      assert(code === undefined || !other.text.includes(String(first.body["id"])));
      // Roles in another order are the same roles.
      assertEquals((await api.ask("orders", order("a"))).text, first.text);
    }));
}

Deno.test("a key is forgotten after a day, and what is over is removed", () =>
  withOrders(async (api) => {
    for (let at = 0; at < 15; at += 1) await api.ask("orders", order(`old-${at}`));
    const { body: first } = await api.ask("orders", order("a"));
    api.pass(DAY - 1);
    assertEquals((await api.ask("orders", order("a"))).body["id"], first["id"]);
    api.pass(1);
    const again = await api.ask("orders", order("a"));
    assertEquals(again.status, 201);
    assertNotEquals(again.body["id"], first["id"]);
    await api.ask("orders", order("b"));
    assertEquals(await count(api.database, "idempotency_keys"), 2);
  }));

Deno.test("an answer that says nothing of the request is not kept: 401 and 429", async () => {
  let now = START;
  const limiter = memoryRateLimiter({ clock: { now: () => now } });
  const files = {
    ...ORDER_FILES,
    "quickback/quickback.config.ts":
      'export default { name: "orders", rateLimit: { create: { limit: 2, period: 60 } } };\n',
  };
  const { as: _, ...anonymous } = order("a");
  await withDefinitions(files, async (api) => {
    assertEquals((await api.ask("orders", anonymous)).status, 401);
    assertEquals((await api.ask("orders", order("a"))).status, 201);
    assertEquals((await api.ask("orders", order("b"))).status, 201);
    assertEquals((await api.ask("orders", order("c"))).status, 429);
    // A repetition is a request like any other.
    assertEquals((await api.ask("orders", order("a"))).status, 429);
    now += 61_000;
    assertEquals((await api.ask("orders", order("c"))).status, 201);
  }, { limiter });
});

Deno.test("a failure is not kept, and leaves nothing", async () => {
  let isBroken = true;
  const wrap = (database: Database): Database => ({
    ...database,
    write: (body) =>
      database.write((transaction) =>
        body({
          ...transaction,
          run(statement) {
            if (isBroken && /INTO .?orders/.test(statement.sql)) throw new Error("Disk full");
            return transaction.run(statement);
          },
        })
      ),
  });
  await withOrders(async (api) => {
    assertEquals((await api.ask("orders", order("a"))).status, 500);
    assertEquals(await count(api.database, "idempotency_keys"), 0);
    isBroken = false;
    assertEquals((await api.ask("orders", order("a"))).status, 201);
  }, { wrap });
});

const KEYS: readonly (readonly [what: string, key: string, isGood: boolean])[] = [
  ["one character", "k", true],
  [
    "every visible character",
    String.fromCharCode(...Array.from({ length: 94 }, (_, at) => at + 33)),
    true,
  ],
  ["255 characters", "k".repeat(255), true],
  ["256 characters", "k".repeat(256), false],
  ["nothing", "", false],
  ["a space inside", "a b", false],
  ["two keys", "a, b", false],
  ["a letter beyond ASCII", "k\u00e9", false],
];

for (const [what, key, isGood] of KEYS) {
  Deno.test(`a key of ${what} is ${isGood ? "taken" : "refused"}`, () =>
    withOrders(async (api) => {
      const { status, body } = await api.ask("orders", order(key));
      assertEquals(
        [status, body["code"]],
        isGood ? [201, undefined] : [400, "VALIDATION_INVALID_INPUT"],
      );
      assertEquals(await count(api.database), isGood ? 1 : 0);
    }));
}

Deno.test("reads take no notice of a key", () =>
  withOrders(async (api) => {
    const headers = { "idempotency-key": "a" };
    assertEquals((await api.ask("orders", { as: clerk, headers })).status, 200);
    assertEquals(await count(api.database, "idempotency_keys"), 0);
  }));

Deno.test("twenty requests at once under one key are one effect: each is answered alike or told to wait", () =>
  withOrders(async (api) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.ask("orders", order("a"))),
    );
    const done = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status === 409);
    assertEquals(done.length + waiting.length, 20);
    assert(done.length > 0 && waiting.length > 0);
    assertEquals(new Set(done.map(({ text }) => text)).size, 1);
    for (const { body } of waiting) assertEquals(body["code"], "IDEMPOTENCY_KEY_IN_FLIGHT");
    assertEquals(await count(api.database), 1);
    assertEquals((await api.ask("orders", order("a"))).text, done[0]?.text);
  }));

Deno.test("while a request is on its way, another under its key is refused as another", () =>
  withOrders(async (api) => {
    const answers = await Promise.all([
      api.ask("orders", order("a")),
      api.ask("orders", order("a", { number: 8 })),
      api.ask("orders", order("a", { as: { ...clerk, sub: "user_2" } })),
      api.ask("orders", order("a", { as: { ...clerk, orgId: "org_2" } })),
    ]);
    assertEquals(answers.map(({ status }) => status).sort(), [201, 201, 422, 422]);
    assertEquals(await count(api.database), 2);
  }));

Deno.test("anonymous callers have keys of their own, by address and organization", () =>
  withOrders(async (api) => {
    await foundAccounts(api.ports.database, { organizations: ["org_1", "org_2"] });
    const wish = (path: string, clientIp: string, as?: Claims) =>
      api.ask(path, {
        body: { text: "Rain" },
        headers: { "idempotency-key": "a" },
        clientIp,
        ...(as ? { as } : {}),
      });
    const first = await wish("wishes?organizationId=org_1", "203.0.113.1");
    assertEquals(first.status, 201, first.text);
    assertEquals((await wish("wishes?organizationId=org_1", "203.0.113.1")).text, first.text);
    const others = [
      await wish("wishes?organizationId=org_1", "203.0.113.2"),
      await wish("wishes?organizationId=org_2", "203.0.113.1"),
      await wish("wishes", "203.0.113.1", clerk),
    ];
    assertEquals(others.map(({ status }) => status), [201, 201, 201]);
    assertEquals(new Set([first, ...others].map(({ body }) => body["id"])).size, 4);
    const { rows } = await api.database.run({
      sql: "SELECT result, error_code FROM audit_events ORDER BY rowid",
      args: [],
    });
    // Each call is one row, repetitions included.
    assertEquals(rows, Array.from({ length: 4 }, () => ["success", null]));
  }));

Deno.test("a repeated refusal of an anonymous call is audited as one", () =>
  withOrders(async (api) => {
    await foundAccounts(api.ports.database, { organizations: ["org_1"] });
    const ask = () =>
      api.ask("wishes?organizationId=org_1", { body: {}, headers: { "idempotency-key": "a" } });
    const first = await ask();
    assertEquals(told(await ask()), told(first));
    const { rows } = await api.database.run({
      sql: "SELECT result, error_code FROM audit_events",
      args: [],
    });
    assertEquals(rows, [["denied", "VALIDATION_ERROR"], ["denied", "VALIDATION_ERROR"]]);
  }));

Deno.test("bodies that are no JSON or too large are refused as without a key", () =>
  withOrders(async (api) => {
    const broken = await api.ask("orders", order("a", { body: "{" }));
    assertEquals(broken.body["code"], "INVALID_JSON");
    assertEquals(told(await api.ask("orders", order("a", { body: "{" }))), told(broken));
    const large = await api.ask("orders", order("b", { body: `"${"x".repeat(1024 * 1024)}"` }));
    assertEquals(large.status, 413);
    assertEquals((await api.ask("orders", order("b"))).status, 201);
  }));
