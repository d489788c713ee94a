/** Contract 4.6, 5.8, 3.3, 6.2: what is received, once, and what its handlers make of it. */
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { onWebhookEvent } from "../../shared/authoring/mod.ts";
import { type Answer, type Claims, START } from "../support/api.ts";
import {
  dataOf,
  LONER,
  MEMBER,
  type WebhooksUnderTest,
  withWebhooks,
} from "../support/webhooks.ts";

const STRIPE_SECRET = "whsec_stripe_test_secret";
const STANDARD_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
const ENV = { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET, STANDARD_WEBHOOK_SECRET: STANDARD_SECRET };
const EVENTS = "/webhooks/v1/inbound/events";
const stripe = new Stripe("sk_test_unused");
const NOW = Math.floor(START / 1000);

const SYSADMIN: Claims = { sub: "user_r", userRole: "sysadmin" };

interface StripeCall {
  readonly payload?: string;
  readonly header?: string | null;
  readonly timestamp?: number;
  readonly secret?: string;
}

function stripeEvent(id: string, type = "invoice.paid"): string {
  return JSON.stringify({ id, object: "event", type, data: { object: { total: 7 } } }, null, 2);
}

/** The header as Stripe's own library makes it. */
function stripeHeader(
  { payload = stripeEvent("evt_1"), timestamp = NOW, secret = STRIPE_SECRET }: StripeCall = {},
): Promise<string> {
  return stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
}

const SIGNED = await stripeHeader();

async function sendStripe(api: WebhooksUnderTest, call: StripeCall = {}): Promise<Answer> {
  const { payload = stripeEvent("evt_1") } = call;
  const header = call.header === undefined ? await stripeHeader({ ...call, payload }) : call.header;
  const headers = header === null ? {} : { "stripe-signature": header };
  return await api.ask("/webhooks/v1/inbound/stripe", { method: "POST", body: payload, headers });
}

Deno.test("a signed event is stored as it arrived, and answered with 200", async () => {
  await withWebhooks(async (api) => {
    const { status, body } = await sendStripe(api);
    assertEquals([status, body], [200, { received: true, duplicate: false }]);
    const [event] = dataOf(await api.ask(EVENTS, { as: SYSADMIN }));
    assertMatch(
      String(event?.["id"]),
      /^whe_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    const { id: _, ...rest } = event ?? {};
    assertEquals(rest, {
      provider: "stripe",
      eventType: "stripe:invoice.paid",
      externalId: "evt_1",
      payload: stripeEvent("evt_1"),
      status: "received",
      attempts: 0,
      processedAt: null,
      error: null,
      createdAt: "2026-01-02T03:04:05.678Z",
    });
  }, { env: ENV });
});

const FORGED: readonly (readonly [what: string, StripeCall])[] = [
  ["no header", { header: null }],
  ["an empty header", { header: "" }],
  ["another secret", { secret: "whsec_other" }],
  ["a timestamp 301 s old", { timestamp: NOW - 301 }],
  ["a timestamp 301 s ahead", { timestamp: NOW + 302 }],
  ["another body", { header: await stripeHeader({ payload: stripeEvent("evt_2") }) }],
  ["another timestamp than was signed", {
    header: SIGNED.replace(String(NOW), String(NOW - 1)),
  }],
  ["no timestamp", { header: SIGNED.replace(/^t=\d+,/, "") }],
  ["two timestamps", { header: `t=${NOW},${SIGNED}` }],
  ["a timestamp that is no number", { header: SIGNED.replace(/t=\d+/, "t=1e9") }],
  ["no signature", { header: `t=${NOW}` }],
  ["an empty signature", { header: `t=${NOW},v1=` }],
  ["half a signature", { header: SIGNED.slice(0, -2) }],
  ["a signature in capitals", {
    header: SIGNED.replace(/v1=.*/, (text) => `v1=${text.slice(3).toUpperCase()}`),
  }],
  ["a signature of another scheme", { header: SIGNED.replace("v1=", "v0=") }],
];

for (const [what, call] of FORGED) {
  Deno.test(`a delivery with ${what} is 401 and not stored`, async () => {
    await withWebhooks(async (api) => {
      const { status, body } = await sendStripe(api, call);
      assertEquals([status, body["code"]], [401, "WEBHOOK_SIGNATURE_INVALID"]);
      assertEquals(dataOf(await api.ask(EVENTS, { as: SYSADMIN })), []);
    }, { env: ENV });
  });
}

Deno.test("a timestamp at the edge of five minutes is accepted, and so is one right signature of several", async () => {
  await withWebhooks(async (api) => {
    assertEquals((await sendStripe(api, { timestamp: NOW - 299 })).status, 200);
    assertEquals((await sendStripe(api, { timestamp: NOW + 299 })).status, 200);
    const rotated = SIGNED.replace("v1=", `v1=${"0".repeat(64)},v1=`);
    assertEquals((await sendStripe(api, { header: rotated })).status, 200);
  }, { env: ENV });
});

Deno.test("without its secret a provider is refused, and the log says which variable is missing", async () => {
  await withWebhooks(async (api) => {
    assertEquals((await sendStripe(api)).status, 401);
    assertEquals((await sendStripe(api, { secret: "undefined" })).status, 401);
    assert(api.log.some(({ message }) => message.includes("STRIPE_WEBHOOK_SECRET is not set")));
  });
});

Deno.test("a provider that the project does not name has no route", async () => {
  await withWebhooks(async (api) => {
    const { status } = await api.ask("/webhooks/v1/inbound/github", { method: "POST", body: "{}" });
    assertEquals(status, 404);
    assertEquals((await api.ask("/webhooks/v1/inbound/stripe")).status, 405);
  }, { env: ENV });
});

const PAYLOADS: readonly (readonly [what: string, payload: string, code: string])[] = [
  ["is no JSON", "{", "INVALID_JSON"],
  ["is empty", "", "INVALID_JSON"],
  ["has no type", '{"id":"evt_1"}', "VALIDATION_ERROR"],
  ["has no id", '{"type":"invoice.paid"}', "VALIDATION_ERROR"],
  ["is an array", "[]", "VALIDATION_ERROR"],
  ["has a NUL in its type", '{"id":"evt_1","type":"a\\u0000b"}', "VALIDATION_ERROR"],
  ["has a very long id", JSON.stringify({ id: "e".repeat(300), type: "a" }), "VALIDATION_ERROR"],
];

for (const [what, payload, code] of PAYLOADS) {
  Deno.test(`a signed body that ${what} is 400`, async () => {
    await withWebhooks(async (api) => {
      const { status, body } = await sendStripe(api, { payload });
      assertEquals([status, body["code"]], [400, code]);
    }, { env: ENV });
  });
}

Deno.test("a body over 1 MiB is 413", async () => {
  await withWebhooks(async (api) => {
    const payload = JSON.stringify({ id: "evt_1", type: "a", data: "x".repeat(1024 * 1024) });
    assertEquals((await sendStripe(api, { payload })).status, 413);
  }, { env: ENV });
});

Deno.test("an event that comes again, at once or later, is stored and processed once", async () => {
  const seen: unknown[] = [];
  await withWebhooks(async (api) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendStripe(api)));
    assertEquals(answers.map(({ status }) => status), Array(20).fill(200));
    assertEquals(answers.filter(({ body }) => body["duplicate"] === false).length, 1);
    await api.work();
    assertEquals((await sendStripe(api)).body["duplicate"], true);
    await api.work();
    assertEquals(seen, [{ object: { total: 7 } }]);
    assertEquals(dataOf(await api.ask(EVENTS, { as: SYSADMIN })).length, 1);
  }, { env: ENV, handlers: [{ on: "stripe:*", handle: ({ data }) => seen.push(data) }] });
});

Deno.test("the standard provider takes what the standard library signs, and knows it by its id", async () => {
  await withWebhooks(async (api) => {
    const payload = '{ "type": "invoice.paid", "data": { "a": "ü" } }';
    const sign = (id: string, at = NOW) => ({
      "webhook-id": id,
      "webhook-timestamp": String(at),
      "webhook-signature": new Webhook(STANDARD_SECRET).sign(id, new Date(at * 1000), payload),
    });
    const send = (headers: Record<string, string>) =>
      api.ask("/webhooks/v1/inbound/standard", { method: "POST", body: payload, headers });
    assertEquals((await send(sign("msg_1"))).body, { received: true, duplicate: false });
    assertEquals((await send(sign("msg_1"))).body, { received: true, duplicate: true });
    assertEquals((await send(sign("msg_2"))).body, { received: true, duplicate: false });
    for (
      const headers of [
        sign("msg_3", NOW - 302),
        { ...sign("msg_3"), "webhook-id": "msg_4" },
        { ...sign("msg_3"), "webhook-signature": "v1,AAAA" },
        { ...sign("msg_3"), "webhook-signature": "v1,?" },
        {
          ...sign("msg_3"),
          "webhook-signature": sign("msg_3")["webhook-signature"].replace("v1,", "v1a,"),
        },
      ]
    ) {
      assertEquals((await send(headers)).status, 401);
    }
    const [event] = dataOf(await api.ask(EVENTS, { as: SYSADMIN }));
    assertEquals([event?.["provider"], event?.["eventType"]], [
      "standard",
      "standard:invoice.paid",
    ]);
  }, { env: ENV });
});

Deno.test("ids of two providers are unrelated", async () => {
  await withWebhooks(async (api) => {
    await sendStripe(api, { payload: stripeEvent("same") });
    const body = '{"type":"a"}';
    const headers = {
      "webhook-id": "same",
      "webhook-timestamp": String(NOW),
      "webhook-signature": new Webhook(STANDARD_SECRET).sign("same", new Date(NOW * 1000), body),
    };
    const answer = await api.ask("/webhooks/v1/inbound/standard", {
      method: "POST",
      body,
      headers,
    });
    assertEquals(answer.body["duplicate"], false);
  }, { env: ENV });
});

Deno.test("exact handlers start first, then wildcards, and all run at once", async () => {
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const handler = (name: string, on: string) =>
    onWebhookEvent(on, async ({ type, provider, env }) => {
      order.push(`${name} ${type} ${provider} ${env["STRIPE_WEBHOOK_SECRET"] === STRIPE_SECRET}`);
      if (order.length === 3) gate.resolve();
      await gate.promise;
    });
  await withWebhooks(async (api) => {
    await sendStripe(api);
    await api.work();
    const told = "stripe:invoice.paid stripe true";
    assertEquals(order, [`exact ${told}`, `exact again ${told}`, `wildcard ${told}`]);
    const [event] = dataOf(await api.ask(EVENTS, { as: SYSADMIN }));
    assertEquals([event?.["status"], event?.["attempts"]], ["processed", 1]);
    assertEquals(event?.["processedAt"], "2026-01-02T03:04:05.678Z");
  }, {
    env: ENV,
    handlers: [
      handler("wildcard", "stripe:*"),
      handler("exact", "stripe:invoice.paid"),
      handler("other", "stripe:invoice.paid.later"),
      handler("stranger", "standard:*"),
      handler("exact again", "stripe:invoice.paid"),
    ],
  });
});

Deno.test("an event whose handler throws is failed, retried three times, and then by a platform role", async () => {
  let isBroken = true;
  const runs = { failing: 0, other: 0 };
  const handlers = [
    onWebhookEvent("stripe:*", () => {
      runs.failing += 1;
      if (isBroken) throw new Error("The ledger is closed");
    }),
    onWebhookEvent("stripe:*", () => void (runs.other += 1)),
  ];
  await withWebhooks(async (api) => {
    await sendStripe(api);
    const seen: unknown[] = [];
    for (let second = 0; second < 40; second += 1) {
      const before = runs.failing;
      await api.work();
      const [event] = dataOf(await api.ask(EVENTS, { as: SYSADMIN }));
      if (runs.failing > before) seen.push([second, event?.["status"], event?.["attempts"]]);
      assertEquals(event?.["error"], "The ledger is closed");
      api.pass(1000);
    }
    assertEquals(seen, [[0, "failed", 1], [2, "failed", 2], [6, "failed", 3], [14, "failed", 4]]);
    assertEquals(runs, { failing: 4, other: 4 });
    const [{ id } = {}] = dataOf(await api.ask(EVENTS, { as: SYSADMIN }));
    const retry = () => api.ask(`${EVENTS}/${id}/retry`, { as: SYSADMIN, method: "POST" });
    const retried = await retry();
    assertEquals([retried.status, retried.body["status"]], [200, "received"]);
    const again = await retry();
    assertEquals([again.status, again.body["code"]], [409, "WEBHOOK_EVENT_NOT_FAILED"]);
    isBroken = false;
    await api.work();
    const [event] = dataOf(await api.ask(`${EVENTS}?status=processed`, { as: SYSADMIN }));
    assertEquals([event?.["status"], event?.["error"]], ["processed", null]);
    assertEquals((await retry()).status, 409);
  }, { env: ENV, handlers });
});

Deno.test("only owners, admins and platform roles see and retry inbound events", async () => {
  await withWebhooks(async (api) => {
    await sendStripe(api);
    const [{ id } = {}] = dataOf(await api.ask(EVENTS, { as: SYSADMIN }));
    const roleless = { sub: "user_n", roles: ["admin", "owner"] };
    for (const [path, method] of [[EVENTS, "GET"], [`${EVENTS}/${id}/retry`, "POST"]] as const) {
      for (const as of [MEMBER, LONER, roleless]) {
        const { status, body } = await api.ask(path, { as, method });
        assertEquals([status, body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
      }
      assertEquals((await api.ask(path, { method })).status, 401);
    }
    const missing = await api.ask(`${EVENTS}/whe_none/retry`, { as: SYSADMIN, method: "POST" });
    assertEquals([missing.status, missing.body["code"]], [403, "FIREWALL_NOT_FOUND"]);
  }, { env: ENV });
});

Deno.test("without organizations there is one tenant, and its admins see what events say", async () => {
  await withWebhooks(async (api) => {
    await sendStripe(api);
    const as = { sub: "user_a", roles: ["admin"] };
    const [event = {}] = dataOf(await api.ask(EVENTS, { as }));
    assertEquals(event["payload"], stripeEvent("evt_1"));
  }, { env: ENV, project: { multiTenant: false } });
});

const TOO_LONG = "The handlers took longer than 5 minutes";

Deno.test("a handler that never ends has failed after five minutes, and holds up no other event", async () => {
  const seen: unknown[] = [];
  const handlers = [
    onWebhookEvent("stripe:stuck", () => new Promise(() => {})),
    onWebhookEvent("stripe:fine", () => void seen.push("fine")),
  ];
  await withWebhooks(async (api) => {
    // Stuck handlers take every slot, and then some.
    for (let at = 0; at < 22; at += 1) {
      await sendStripe(api, { payload: stripeEvent(`evt_${at}`, "stuck") });
    }
    for (let turns = 0; turns < 3; turns += 1) await api.worker.tick();
    await sendStripe(api, { payload: stripeEvent("evt_fine", "fine") });
    const elapse = async (minutes: number) => {
      for (let seconds = 0; seconds < minutes * 60; seconds += 4) {
        await api.worker.tick();
        await new Promise((resolve) => setTimeout(resolve, 0));
        api.pass(4000);
      }
    };
    await elapse(4);
    assertEquals(seen, []);
    await elapse(2);
    assertEquals(seen, ["fine"]);
    const failed = dataOf(await api.ask(`${EVENTS}?status=failed`, { as: SYSADMIN }));
    assert(failed.length > 0);
    assertEquals(new Set(failed.map(({ error }) => error)), new Set([TOO_LONG]));
  }, { env: ENV, handlers });
});
