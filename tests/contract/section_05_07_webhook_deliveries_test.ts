/** Contract 3.4, 5.7, 6.1, 8, 8.2: what is delivered, under which signature, and what becomes of a delivery. */
import { Webhook } from "standardwebhooks";
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { emitEvent, type WebhookEvent } from "../../shared/runtime/mod.ts";
import type { DialOutcome, DialRequest } from "../../shared/runtime/ports.ts";
import {
  ADMIN,
  answered,
  dataOf,
  ENDPOINTS,
  LONER,
  STRANGER,
  URL,
  type WebhooksUnderTest,
  withWebhooks,
} from "../support/webhooks.ts";

const it = ofOneDatabase("it looks into one database for what stands in an organization's");

const FAILED: DialOutcome = { kind: "failed", reason: "The endpoint could not be reached" };
const ORG_A = { organizationId: "org_a" };

Deno.test("a delivery is signed as Standard Webhooks says, and carries no other signature", async () => {
  await withWebhooks(async (api) => {
    const { secret } = await api.register();
    await emit(api, { type: "user.created", payload: { id: "u1", name: "Zoë 🚀" }, ...ORG_A });
    await api.work();
    const [call] = api.dialled;
    assert(call);
    assertEquals([call.url, call.address], [URL, "8.8.8.8"]);
    assertEquals(Object.keys(call.headers).sort(), [
      "content-type",
      "webhook-id",
      "webhook-signature",
      "webhook-timestamp",
    ]);
    assertEquals(call.headers["content-type"], "application/json");
    assertMatch(call.headers["webhook-id"] ?? "", /^whd_[0-9a-f]{32}$/);
    assertEquals(call.headers["webhook-timestamp"], "1767323045");
    assertEquals(verified(call, secret), {
      type: "user.created",
      data: { id: "u1", name: "Zoë 🚀" },
      createdAt: "2026-01-02T03:04:05.678Z",
    });
    assertThrows(() => verified({ ...call, body: `${call.body} ` }, secret));
    assertThrows(() => verified(call, "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="));
  });
});

Deno.test("after a rotation both secrets verify for a day, then only the new one", async () => {
  await withWebhooks(async (api) => {
    const { id, secret: old } = await api.register();
    const { body } = await api.ask(`${ENDPOINTS}/${id}/rotate-secret`, {
      as: ADMIN,
      method: "POST",
    });
    assertEquals(Object.keys(body), ["id", "secret"]);
    assert(body["secret"] !== old);
    const send = async () => {
      await emit(api, { type: "user.created", payload: 1, ...ORG_A });
      await api.work();
      const call = api.dialled.at(-1);
      assert(call);
      return call;
    };
    const both = await send();
    for (const secret of [old, body["secret"]]) verified(both, secret);
    api.pass(24 * 60 * 60 * 1000 + 1);
    const one = await send();
    verified(one, body["secret"]);
    assertThrows(() => verified(one, old));
    assertEquals(one.headers["webhook-signature"]?.split(" ").length, 1);
  });
});

Deno.test("every secret of the last day signs, at most five of them, however often they are rotated", async () => {
  await withWebhooks(async (api) => {
    const { id, secret: first } = await api.register();
    const secrets = [first];
    const rotate = async () => {
      const path = `${ENDPOINTS}/${id}/rotate-secret`;
      const { body } = await api.ask(path, { as: ADMIN, method: "POST" });
      secrets.unshift(body["secret"]);
    };
    const signing = async () => {
      await emit(api, { type: "user.created", payload: 1, ...ORG_A });
      await api.work();
      const call = api.dialled.at(-1);
      assert(call);
      const good = secrets.filter((secret) => {
        try {
          return verified(call, secret) !== null;
        } catch {
          return false;
        }
      });
      const count = call.headers["webhook-signature"]?.split(" ").length;
      return [good.length, count, good.every((secret, at) => secret === secrets[at])];
    };
    const HOUR = 60 * 60 * 1000;
    await rotate();
    api.pass(HOUR);
    await rotate();
    assertEquals(await signing(), [3, 3, true]);
    api.pass(23 * HOUR + 1);
    assertEquals(await signing(), [2, 2, true]);
    for (let count = 0; count < 6; count++) await rotate();
    assertEquals(await signing(), [5, 5, true]);
    api.pass(24 * HOUR + 1);
    assertEquals(await signing(), [1, 1, true]);
  });
});

const REACHED: readonly (readonly [patterns: readonly string[], type: string, boolean])[] = [
  [["user.created"], "user.created", true],
  [["user.created"], "user.created.twice", false],
  [["user.*"], "user.created", true],
  [["user.*"], "user.created.twice", true],
  [["user.*"], "user", false],
  [["user.*"], "users.created", false],
  [["*"], "anything", true],
  [["order/paid@v2"], "order/paid@v2", true],
  [["заказ.*"], "заказ.оплачен", true],
  [["order+tax.*"], "order-tax.due", false],
  [["file.*", "user.deleted"], "user.deleted", true],
  [["file.*", "user.deleted"], "user.created", false],
];

for (const [patterns, type, isReached] of REACHED) {
  Deno.test(`${patterns.join(" and ")} ${isReached ? "reaches" : "does not reach"} ${type}`, async () => {
    await withWebhooks(async (api) => {
      await api.register({ events: patterns });
      await emit(api, { type, payload: null, ...ORG_A });
      await api.work();
      assertEquals(api.dialled.length, isReached ? 1 : 0);
    });
  });
}

Deno.test("an event reaches its scope and nobody else; one of both scopes reaches either", async () => {
  await withWebhooks(async (api) => {
    await api.register({ url: "https://a.example.com/" });
    await api.register({ url: "https://b.example.com/", as: STRANGER });
    await api.register({ url: "https://l.example.com/", as: LONER });
    const reached = async (scope: Partial<WebhookEvent>) => {
      const before = api.dialled.length;
      await emit(api, { type: "user.created", payload: {}, ...scope });
      await api.work();
      return api.dialled.slice(before).map(({ url }) => url.slice(8, 9)).sort().join("");
    };
    assertEquals(await reached(ORG_A), "a");
    assertEquals(await reached({ organizationId: "org_b" }), "b");
    assertEquals(await reached({ userId: "user_l" }), "l");
    assertEquals(await reached({ userId: "user_a" }), "");
    assertEquals(await reached({ ...ORG_A, userId: "user_l" }), "al");
    assertEquals(api.log, []);
    assertEquals(await reached({}), "");
    assertEquals(await reached({ organizationId: "", userId: null }), "");
    assertEquals(api.log.map(({ level, message }) => [level, message]), [
      ["warn", "A webhook event without a scope reaches nobody"],
      ["warn", "A webhook event without a scope reaches nobody"],
    ]);
  });
});

it("an event of a transaction that is rolled back is never delivered", async () => {
  await withWebhooks(async (api) => {
    await api.register();
    const rolledBack = api.database.write(async (transaction) => {
      await emitEvent(transaction, { type: "user.created", payload: {}, ...ORG_A }, api.ports);
      throw new Error("Rolled back");
    });
    await rolledBack.catch(() => {});
    await api.work();
    assertEquals(api.dialled, []);
  });
});

Deno.test("a type that no pattern could name, and a payload that is too large, are errors", async () => {
  await withWebhooks(async (api) => {
    await api.register();
    for (
      const event of [
        { type: "", payload: 1 },
        { type: "user created", payload: 1 },
        { type: "user..created", payload: 1 },
        { type: ".created", payload: 1 },
        { type: "user\u0000created", payload: 1 },
        { type: "user\ud800", payload: 1 },
        { type: "user.*", payload: 1 },
        { type: "big", payload: "x".repeat(300_000) },
      ]
    ) {
      const error = await emit(api, { ...event, ...ORG_A }).then(() => null, (thrown) => thrown);
      assert(error instanceof TypeError, event.type);
    }
  });
});

it("a delivery that fails is tried at once, after 2 s and after 4 s more, and then no more", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    api.answers(URL, () => answered(500, "no"));
    await emit(api, { type: "user.created", payload: {}, ...ORG_A });
    const seen: unknown[] = [];
    for (let second = 0; second < 20; second += 1) {
      const before = api.dialled.length;
      await api.work();
      if (api.dialled.length > before) {
        const { status, attempts, nextRetryAt } = await onlyDelivery(api, id);
        seen.push([second, status, attempts, nextRetryAt]);
      }
      api.pass(1000);
    }
    assertEquals(seen, [
      [0, "pending", 1, "2026-01-02T03:04:07.678Z"],
      [2, "pending", 2, "2026-01-02T03:04:11.678Z"],
      [6, "failed", 3, null],
    ]);
    assertEquals(new Set(api.dialled.map(({ headers }) => headers["webhook-id"])).size, 1);
    assertEquals(new Set(api.dialled.map(({ body }) => body)).size, 1);
    const dead = await api.ports.webhooks?.queue.dead("webhook-deliveries", 10);
    assertEquals(dead?.map((job) => job.id), [(await onlyDelivery(api, id)).id]);
    assertEquals(
      dataOf(await api.ask(`${ENDPOINTS}/${id}/deliveries?status=failed`, { as: ADMIN })).length,
      1,
    );
  });
});

interface Settled {
  readonly status: string;
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly responseBody: string;
}

type Arrange = (api: WebhooksUnderTest, id: unknown) => unknown;

/** What one attempt comes to. */
const ATTEMPTS: readonly (readonly [what: string, Arrange, Settled])[] = [
  [
    "2xx",
    (api) => api.answers(URL, () => answered(204)),
    { status: "delivered", attempts: 1, responseStatus: 204, responseBody: "" },
  ],
  [
    "4xx",
    (api) => api.answers(URL, () => answered(410, "gone")),
    { status: "pending", attempts: 1, responseStatus: 410, responseBody: "gone" },
  ],
  [
    "a network error",
    (api) => api.answers(URL, () => FAILED),
    {
      status: "pending",
      attempts: 1,
      responseStatus: null,
      responseBody: FAILED.kind === "failed" ? FAILED.reason : "",
    },
  ],
  [
    "a redirect",
    (api) =>
      api.answers(
        URL,
        () => answered(302, "moved", { location: "https://elsewhere.example.com/x" }),
      ),
    {
      status: "failed",
      attempts: 1,
      responseStatus: 302,
      responseBody: "https://elsewhere.example.com/x",
    },
  ],
  [
    "304",
    (api) => api.answers(URL, () => answered(304)),
    { status: "failed", attempts: 1, responseStatus: 304, responseBody: "" },
  ],
  [
    "a name that now resolves to the inside",
    (api) => api.resolves("hooks.example.com", { addresses: ["10.0.0.1"] }),
    {
      status: "failed",
      attempts: 1,
      responseStatus: null,
      responseBody: "The host resolves to an address that is not public",
    },
  ],
  [
    "a name without addresses",
    (api) => api.resolves("hooks.example.com", { addresses: [] }),
    {
      status: "failed",
      attempts: 1,
      responseStatus: null,
      responseBody: "The host has no address",
    },
  ],
  [
    "a name that is gone",
    (api) => api.resolves("hooks.example.com", { addresses: [], exists: false }),
    {
      status: "failed",
      attempts: 1,
      responseStatus: null,
      responseBody: "The host does not exist",
    },
  ],
  [
    "a resolver that fails",
    (api) =>
      api.resolves("hooks.example.com", { addresses: [], failure: "The resolver took too long" }),
    {
      status: "pending",
      attempts: 1,
      responseStatus: null,
      responseBody: "The resolver took too long",
    },
  ],
  [
    "a disabled endpoint",
    (api, id) =>
      api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN, method: "PATCH", body: { enabled: false } }),
    {
      status: "failed",
      attempts: 0,
      responseStatus: null,
      responseBody: "The endpoint is disabled",
    },
  ],
  [
    "a body of 1000 characters that are no letters",
    (api) => api.answers(URL, () => answered(200, `\0${"🚀".repeat(1200)}`)),
    {
      status: "delivered",
      attempts: 1,
      responseStatus: 200,
      responseBody: `\ufffd${"🚀".repeat(999)}`,
    },
  ],
];

for (const [what, arrange, expected] of ATTEMPTS) {
  Deno.test(`an attempt that meets ${what} leaves its delivery ${expected.status}`, async () => {
    await withWebhooks(async (api) => {
      const { id } = await api.register();
      await emit(api, { type: "user.created", payload: { a: 1 }, ...ORG_A });
      await arrange(api, id);
      await api.work();
      const { status, attempts, responseStatus, responseBody, ...rest } = await onlyDelivery(
        api,
        id,
      );
      assertEquals({ status, attempts, responseStatus, responseBody }, expected);
      assertEquals([rest.endpointId, rest.eventType, rest.payload], [id, "user.created", { a: 1 }]);
      assertEquals(rest.nextRetryAt !== null, status === "pending");
      const before = api.dialled.length;
      api.pass(60 * 60 * 1000);
      await api.work();
      if (status !== "pending") assertEquals(api.dialled.length, before);
    });
  });
}

it("an endpoint deleted since emission fails its deliveries without a call", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    await emit(api, { type: "user.created", payload: {}, ...ORG_A });
    await api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN, method: "DELETE" });
    await api.work();
    assertEquals(api.dialled, []);
    const dead = await api.ports.webhooks?.queue.dead("webhook-deliveries", 10);
    assertEquals(dead?.map(({ reason }) => reason), ["The endpoint was deleted"]);
  });
});

Deno.test("a test send is judged first, and is a delivery like any other", async () => {
  await withWebhooks(async (api) => {
    const { id, secret } = await api.register({ events: ["user.created"] });
    const test = () => api.ask(`${ENDPOINTS}/${id}/test`, { as: ADMIN, method: "POST" });
    const { status, body } = await test();
    assertEquals([status, body["status"], body["eventType"]], [200, "pending", "webhook.test"]);
    await api.work();
    const [call] = api.dialled;
    assert(call);
    assertEquals(call.headers["webhook-id"], body["id"]);
    assertEquals(verified(call, secret), {
      type: "webhook.test",
      data: {},
      createdAt: body["createdAt"],
    });
    assertEquals((await onlyDelivery(api, id)).status, "delivered");
    api.resolves("hooks.example.com", { addresses: ["127.0.0.1"] });
    assertEquals((await test()).status, 400);
    api.resolves("hooks.example.com", { addresses: [], failure: "The resolver took too long" });
    assertEquals((await test()).status, 503);
    assertEquals(dataOf(await api.ask(`${ENDPOINTS}/${id}/deliveries`, { as: ADMIN })).length, 1);
  });
});

Deno.test("endpoints that hang hold up nobody else, however much waits for them", async () => {
  await withWebhooks(async (api) => {
    const hung = Promise.withResolvers<DialOutcome>();
    const bad = ["https://bad1.example.com/", "https://bad2.example.com/"];
    for (const url of bad) {
      await api.register({ url });
      api.answers(url, () => hung.promise);
    }
    await api.register({ url: "https://good.example.com/" });
    for (let at = 0; at < 60; at += 1) {
      await emit(api, { type: "user.created", payload: at, ...ORG_A });
    }
    const good = () => api.dialled.filter(({ url }) => url.includes("good")).length;
    for (let ticks = 0; ticks < 200 && good() < 60; ticks += 1) {
      await api.worker.tick();
      await new Promise((resolve) => setTimeout(resolve, 0));
      api.pass(20);
    }
    assertEquals(good(), 60);
    hung.resolve(answered(200));
    await api.worker.settled();
  });
});

Deno.test("a worker that dies during an attempt leaves it to the next one, under the same id", async () => {
  await withWebhooks(async (api) => {
    await api.register();
    api.answers(URL, () => new Promise<DialOutcome>(() => {}));
    await emit(api, { type: "user.created", payload: {}, ...ORG_A });
    await api.worker.tick();
    while (api.dialled.length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    const { createBackgroundWorker } = await import("../../shared/runtime/mod.ts");
    const { webhooks } = api.ports;
    assert(webhooks);
    const next = createBackgroundWorker(api.project, { ...api.ports, webhooks });
    api.answers(URL, () => answered(200));
    await next.tick();
    assertEquals(api.dialled.length, 1);
    api.pass(10_001);
    await next.tick();
    await next.settled();
    assertEquals(api.dialled.length, 2);
    assertEquals(new Set(api.dialled.map(({ headers }) => headers["webhook-id"])).size, 1);
  });
});

function emit(api: WebhooksUnderTest, event: WebhookEvent): Promise<number> {
  return api.database.write((transaction) => emitEvent(transaction, event, api.ports));
}

/** What the library for receivers makes of a call, at the time at which it was made. */
function verified(call: DialRequest, secret: unknown): unknown {
  const now = Date.now;
  Date.now = () => Number(call.headers["webhook-timestamp"]) * 1000;
  try {
    return new Webhook(String(secret)).verify(String(call.body), { ...call.headers });
  } finally {
    Date.now = now;
  }
}

async function onlyDelivery(api: WebhooksUnderTest, id: unknown) {
  const records = dataOf(await api.ask(`${ENDPOINTS}/${id}/deliveries`, { as: ADMIN }));
  assertEquals(records.length, 1);
  return records[0] ?? {};
}
