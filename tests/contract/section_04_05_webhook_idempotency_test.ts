/** `Idempotency-Key` on the management of webhooks (contract 4.1 rule 8, 4.5, 4.6; extension answers, 37). */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { emitOpenApi } from "../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { createSecretBox } from "../../shared/runtime/mod.ts";
import { webhookOperationsOf } from "../../shared/surface/webhook_operations.ts";
import { type Answer, AUTH_SECRET, type Claims } from "../support/api.ts";
import {
  ADMIN,
  dataOf,
  ENDPOINTS,
  LONER,
  MEMBER,
  OWNER,
  STRANGER,
  URL,
  webhooksProject,
  type WebhooksUnderTest,
  withWebhooks,
} from "../support/webhooks.ts";

const it = ofOneDatabase("its faults are planted in one database");

const DAY = 24 * 60 * 60 * 1000;
const GOOD = { name: "Billing", url: URL, events: ["*"] };
const APPMANAGER: Claims = { sub: "user_root", userRole: "appmanager" };

/** A registration under a key. */
function registered(
  api: WebhooksUnderTest,
  key: string,
  { as = ADMIN, body = GOOD }: { readonly as?: Claims; readonly body?: unknown } = {},
): Promise<Answer> {
  return api.ask(ENDPOINTS, { as, body, headers: { "idempotency-key": key } });
}

function isReplay({ headers }: Answer): boolean {
  return headers.get("idempotency-replayed") === "true";
}

/** What a repetition must answer byte for byte. */
function told({ status, text, headers }: Answer): readonly unknown[] {
  return [status, text, headers.get("location"), headers.get("content-type")];
}

function refusalOf({ status, body }: Answer): readonly unknown[] {
  return [status, body["code"]];
}

async function rowsOf(api: WebhooksUnderTest, sql: string) {
  return (await api.database.run({ sql, args: [] })).rows;
}

Deno.test("a repeated registration answers the same secret, and there is one endpoint", () =>
  withWebhooks(async (api) => {
    const first = await registered(api, "a");
    assertEquals([first.status, isReplay(first)], [201, false]);
    assertMatch(String(first.body["secret"]), /^whsec_.{20,}/);
    const again = await registered(api, "a");
    assertEquals(told(again), told(first));
    assert(isReplay(again));
    assertEquals(dataOf(await api.ask(ENDPOINTS, { as: ADMIN })).length, 1);
    const other = await registered(api, "b");
    assertNotEquals(other.body["secret"], first.body["secret"]);
    assert(!isReplay(other));
  }));

Deno.test("the kept answer does not hold the secret readably", () =>
  withWebhooks(async (api) => {
    const { body: { id, secret } } = await registered(api, "a");
    const rotated = await api.ask(`${ENDPOINTS}/${id}/rotate-secret`, {
      as: ADMIN,
      method: "POST",
      headers: { "idempotency-key": "b" },
    });
    const kept = await rowsOf(api, "SELECT * FROM idempotency_keys");
    assertEquals(kept.length, 2);
    const text = JSON.stringify(kept);
    for (const one of [secret, rotated.body["secret"]]) {
      assertMatch(String(one), /^whsec_/);
      assert(!text.includes(String(one).slice("whsec_".length)));
    }
    assert(!text.includes("whsec_"));
    for (const [body] of await rowsOf(api, "SELECT body FROM idempotency_keys")) {
      assertMatch(String(body), /^sealed1\./);
    }
  }));

Deno.test("an answer that another AUTH_SECRET sealed is neither told nor made anew", () =>
  withWebhooks(async (api) => {
    await registered(api, "a");
    const [[id] = []] = await rowsOf(api, "SELECT id FROM idempotency_keys");
    const other = createSecretBox({ authSecret: AUTH_SECRET.toReversed() }, api.ports.random);
    const body = await other.seal(String(id), '{"secret":"whsec_x"}');
    const sql = "UPDATE idempotency_keys SET body = ?";
    await api.database.write(async (transaction) => {
      await transaction.run({ sql, args: [body] });
    });
    assertEquals(refusalOf(await registered(api, "a")), [500, "INTERNAL_ERROR"]);
    assertEquals(dataOf(await api.ask(ENDPOINTS, { as: ADMIN })).length, 1);
  }));

Deno.test("another body, route or caller under the key of a registration is 422", () =>
  withWebhooks(async (api) => {
    const { body: { id, secret } } = await registered(api, "a");
    const key = { "idempotency-key": "a" };
    const answers = [
      await registered(api, "a", { body: { ...GOOD, name: "Other" } }),
      await registered(api, "a", { as: OWNER }),
      await registered(api, "a", { as: { ...ADMIN, roles: ["owner"] } }),
      await api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN, method: "DELETE", headers: key }),
    ];
    for (const answer of answers) {
      assertEquals(refusalOf(answer), [422, "IDEMPOTENCY_KEY_REUSED"]);
      assert(!answer.text.includes(String(secret)));
    }
    assertEquals(
      refusalOf(await registered(api, "a", { as: MEMBER })),
      [403, "ACCESS_ROLE_REQUIRED"],
    );
    assertEquals(dataOf(await api.ask(ENDPOINTS, { as: ADMIN })).length, 1);
  }));

Deno.test("other organizations and users have keys of their own", () =>
  withWebhooks(async (api) => {
    const secrets = new Set<unknown>();
    for (const as of [ADMIN, STRANGER, LONER]) {
      const answer = await registered(api, "a", { as });
      assertEquals([answer.status, isReplay(answer)], [201, false]);
      secrets.add(answer.body["secret"]);
    }
    assertEquals(secrets.size, 3);
  }));

Deno.test("a repeated rotation answers the same secret, and one rotation happened", () =>
  withWebhooks(async (api) => {
    const { id } = await api.register();
    const rotate = () =>
      api.ask(`${ENDPOINTS}/${id}/rotate-secret`, {
        as: ADMIN,
        method: "POST",
        headers: { "idempotency-key": "a" },
      });
    const stored = () => rowsOf(api, "SELECT * FROM webhook_endpoints");
    const first = await rotate();
    const after = await stored();
    const again = await rotate();
    assertEquals(first.status, 200);
    assertEquals(told(again), told(first));
    assertEquals([isReplay(first), isReplay(again)], [false, true]);
    assertEquals(await stored(), after);
  }));

Deno.test("a repeated test send is one delivery, and the endpoint hears it once", () =>
  withWebhooks(async (api) => {
    const { id } = await api.register();
    const test = () =>
      api.ask(`${ENDPOINTS}/${id}/test`, {
        as: ADMIN,
        method: "POST",
        headers: { "idempotency-key": "a" },
      });
    const first = await test();
    await api.work();
    const again = await test();
    await api.work();
    assertEquals(told(again), told(first));
    assert(isReplay(again));
    assertEquals(dataOf(await api.ask(`${ENDPOINTS}/${id}/deliveries`, { as: ADMIN })).length, 1);
    assertEquals(api.dialled.length, 1);
  }));

Deno.test("a repetition is answered as it was, whatever became of the endpoint and its destination", () =>
  withWebhooks(async (api) => {
    const { id } = await api.register();
    const path = `${ENDPOINTS}/${id}`;
    const ask = (key: string, method: string, body?: unknown, below = "") =>
      api.ask(path + below, { as: ADMIN, method, body, headers: { "idempotency-key": key } });
    const steps = [
      () => registered(api, "1"),
      () => ask("2", "PATCH", { name: "New", url: "https://hooks.example.com/new" }),
      () => ask("3", "POST", undefined, "/test"),
      () => ask("4", "POST", undefined, "/rotate-secret"),
      () => ask("5", "DELETE"),
    ];
    const first: Answer[] = [];
    for (const step of steps) first.push(await step());
    assertEquals(first.map(({ status }) => status), [201, 200, 200, 200, 200]);
    api.resolves("hooks.example.com", { addresses: [], exists: false });
    for (const [at, step] of steps.entries()) {
      const again = await step();
      assertEquals(told(again), told(first[at] ?? again));
      assert(isReplay(again));
    }
  }));

Deno.test("a refusal is kept, but for an outage of the resolver", () =>
  withWebhooks(async (api) => {
    api.resolves("hooks.example.com", { addresses: [], exists: false });
    const refused = await registered(api, "a");
    assertEquals(refusalOf(refused), [400, "VALIDATION_ERROR"]);
    api.resolves("hooks.example.com", { addresses: [], failure: "The resolver took too long" });
    assertEquals(
      refusalOf(await registered(api, "b")),
      [503, "WEBHOOK_RESOLVER_UNAVAILABLE"],
    );
    api.resolves("hooks.example.com", {});
    const again = await registered(api, "a");
    assertEquals(told(again), told(refused));
    assert(isReplay(again));
    const later = await registered(api, "b");
    assertEquals([later.status, isReplay(later)], [201, false]);
  }));

Deno.test("registrations at once under one key are one endpoint: each is answered alike or told to wait", () =>
  withWebhooks(async (api) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => registered(api, "a")));
    const done = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status === 409);
    assertEquals(done.length + waiting.length, 10);
    assert(done.length > 0 && waiting.length > 0);
    assertEquals(new Set(done.map(({ text }) => text)).size, 1);
    for (const { body } of waiting) assertEquals(body["code"], "IDEMPOTENCY_KEY_IN_FLIGHT");
    assertEquals(dataOf(await api.ask(ENDPOINTS, { as: ADMIN })).length, 1);
  }));

it("a registration that cannot be kept did not happen", () =>
  withWebhooks(async (api) => {
    await api.database.write(async (transaction) => {
      await transaction.run({
        sql: `CREATE TRIGGER full BEFORE INSERT ON idempotency_keys
          BEGIN SELECT RAISE(ABORT, 'no room'); END`,
        args: [],
      });
    });
    assertEquals((await registered(api, "a")).status, 500);
    assertEquals(dataOf(await api.ask(ENDPOINTS, { as: ADMIN })), []);
  }));

Deno.test("a key is over after 24 hours", () =>
  withWebhooks(async (api) => {
    const first = await registered(api, "a");
    api.pass(DAY - 1);
    assert(isReplay(await registered(api, "a")));
    api.pass(1);
    const later = await registered(api, "a");
    assertEquals([later.status, isReplay(later)], [201, false]);
    assertNotEquals(later.body["id"], first.body["id"]);
  }));

Deno.test("a key that is none is refused, and nothing is registered", () =>
  withWebhooks(async (api) => {
    for (const key of ["", "two words", "x".repeat(256)]) {
      const refused = await registered(api, key);
      assertEquals(refusalOf(refused), [400, "VALIDATION_INVALID_INPUT"], key);
    }
    assertEquals(dataOf(await api.ask(ENDPOINTS, { as: ADMIN })), []);
  }));

Deno.test("a condition is refused on every write, and nothing is written", () =>
  withWebhooks(async (api) => {
    const { id } = await api.register();
    const path = `${ENDPOINTS}/${id}`;
    const writes: readonly (readonly [method: string, path: string, body?: unknown])[] = [
      ["POST", ENDPOINTS, GOOD],
      ["PATCH", path, { name: "New" }],
      ["POST", `${path}/test`],
      ["POST", `${path}/rotate-secret`],
      ["DELETE", path],
    ];
    const before = await rowsOf(api, "SELECT * FROM webhook_endpoints");
    for (const [method, asked, body] of writes) {
      for (const header of ["if-match", "if-none-match"]) {
        const answer = await api.ask(asked, {
          as: ADMIN,
          method,
          body,
          headers: { [header]: "*" },
        });
        assertEquals(refusalOf(answer), [428, "PRECONDITION_UNSUPPORTED"], `${method} ${asked}`);
      }
    }
    assertEquals(await rowsOf(api, "SELECT * FROM webhook_endpoints"), before);
    assertEquals(await rowsOf(api, "SELECT * FROM webhook_deliveries"), []);
  }));

Deno.test("a repeated retry of an inbound event puts it back once", () =>
  withWebhooks(async (api) => {
    const write = (sql: string) =>
      api.database.write(async (transaction) => {
        await transaction.run({ sql, args: [] });
      });
    const statuses = () => rowsOf(api, "SELECT status FROM webhook_events");
    const retry = () =>
      api.ask("/webhooks/v1/inbound/events/whe_1/retry", {
        as: APPMANAGER,
        method: "POST",
        headers: { "idempotency-key": "a" },
      });
    await write(`INSERT INTO webhook_events
      (id, provider, event_type, external_id, payload, status, attempts, created_at, round)
      VALUES ('whe_1', 'stripe', 'a.b', 'evt_1', '{}', 'failed', 5, '2026-01-02T03:04:05.678Z', 0)`);
    const first = await retry();
    assertEquals(first.status, 200, first.text);
    assertEquals(await statuses(), [["received"]]);
    await write("UPDATE webhook_events SET status = 'failed'");
    const again = await retry();
    assertEquals(told(again), told(first));
    assert(isReplay(again));
    assertEquals(await statuses(), [["failed"]]);
  }));

Deno.test("the description tells of the key on each of these writes, and on nothing else of webhooks", () => {
  const { paths } = JSON.parse(emitOpenApi(webhooksProject));
  const key = { $ref: "#/components/parameters/IdempotencyKey" };
  for (const { keyed, kind, method, path } of webhookOperationsOf(webhooksProject)) {
    const place = `${method} ${path}`;
    const described = paths[path.replace(":id", "{id}")][method.toLowerCase()];
    const isKeyed = method !== "GET" && kind !== "receive";
    assertEquals(keyed, isKeyed, place);
    const parameters: readonly unknown[] = described.parameters ?? [];
    assertEquals(
      parameters.some((one) => JSON.stringify(one) === JSON.stringify(key)),
      isKeyed,
      place,
    );
    for (const status of ["409", "422", "428"]) {
      if (isKeyed) assert(Object.hasOwn(described.responses, status), `${place} ${status}`);
    }
    const success = described.responses["200"] ?? described.responses["201"];
    assertEquals(Object.hasOwn(success.headers, "Idempotency-Replayed"), isKeyed, place);
  }
});
