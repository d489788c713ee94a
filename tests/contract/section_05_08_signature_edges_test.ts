/** Contract 5.8 at its edges: what senders' own libraries make, bent a little, and the same event many times at once. */
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { assertEquals } from "@std/assert";
import { type Answer, BASE_URL, type Claims, START } from "../support/api.ts";
import { dataOf, type WebhooksUnderTest, withWebhooks } from "../support/webhooks.ts";

const STRIPE_SECRET = "whsec_stripe_test_secret";
const STANDARD_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
const ENV = { STRIPE_WEBHOOK_SECRET: STRIPE_SECRET, STANDARD_WEBHOOK_SECRET: STANDARD_SECRET };
const EVENTS = "/webhooks/v1/inbound/events";
const SYSADMIN: Claims = { sub: "user_r", userRole: "sysadmin" };
const NOW = Math.floor(START / 1000);
const MIB = 1024 * 1024;
const stripe = new Stripe("sk_test_unused");
const standard = new Webhook(STANDARD_SECRET);

const EVENT = JSON.stringify({ id: "evt_1", type: "invoice.paid", data: { name: "Zoë 🚀" } });
const V1 = v1Of(await stripeHeader());
const ZEROS = "0".repeat(64);

const NOT_UTF8 = new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]);

type Send = (api: WebhooksUnderTest) => Promise<Pick<Answer, "status" | "text">>;

const EDGES: readonly (readonly [what: string, status: number, send: Send])[] = [
  ["stripe: 300 s old", 200, stripeAt(NOW - 300)],
  ["stripe: 301 s old", 401, stripeAt(NOW - 301)],
  ["stripe: 300 s ahead", 200, stripeAt(NOW + 300)],
  ["stripe: 301 s ahead", 401, stripeAt(NOW + 301)],
  ["stripe: at the beginning of time", 401, stripeAt(0)],
  ["stripe: in milliseconds", 401, stripeAt(NOW * 1000)],
  ["stripe: a wrong signature first", 200, stripeSays(`t=${NOW},v1=${ZEROS},v1=${V1}`)],
  ["stripe: a wrong signature last", 200, stripeSays(`t=${NOW},v1=${V1},v1=${ZEROS}`)],
  ["stripe: an older scheme beside", 200, stripeSays(`t=${NOW},v0=${ZEROS},v1=${V1}`)],
  [
    "stripe: the right signature of an older scheme",
    401,
    stripeSays(`t=${NOW},v1=${ZEROS},v0=${V1}`),
  ],
  ["stripe: members in another order", 200, stripeSays(`v1=${V1},t=${NOW}`)],
  ["stripe: blanks after commas", 200, stripeSays(`t=${NOW}, v1=${V1}`)],
  ["stripe: a blank within", 401, stripeSays(`t=${NOW},v1=${V1.slice(0, 9)} ${V1.slice(9)}`)],
  ["stripe: a blank in a name", 401, stripeSays(`t =${NOW},v1=${V1}`)],
  ["stripe: names in capitals", 401, stripeSays(`T=${NOW},V1=${V1}`)],
  ["stripe: a plus before the time", 401, stripeSays(`t=+${NOW},v1=${V1}`)],
  ["stripe: a fraction of a second", 401, stripeSays(`t=${NOW}.0,v1=${V1}`)],
  ["stripe: a zero before the time", 401, stripeSays(`t=0${NOW},v1=${V1}`)],
  ["stripe: a time of 400 digits", 401, stripeSays(`t=${"9".repeat(400)},v1=${V1}`)],
  ["stripe: semicolons", 401, stripeSays(`t=${NOW};v1=${V1}`)],
  ["stripe: base64", 401, stripeSays(`t=${NOW},v1=${Uint8Array.fromHex(V1).toBase64()}`)],
  [
    "stripe: 17 signatures, the last one right",
    401,
    stripeSays(`t=${NOW},${`v1=${ZEROS},`.repeat(16)}v1=${V1}`),
  ],
  [
    "stripe: one letter off",
    401,
    stripeSays(`t=${NOW},v1=${V1.slice(0, -1)}${V1.endsWith("0") ? "1" : "0"}`),
  ],
  ["stripe: a letter too many", 401, stripeSays(`t=${NOW},v1=${V1}0`)],
  ["stripe: the body with another blank", 401, stripeSays(`t=${NOW},v1=${V1}`, `${EVENT} `)],
  [
    "stripe: the body without its last letter",
    401,
    stripeSays(`t=${NOW},v1=${V1}`, EVENT.slice(0, -1)),
  ],
  ["stripe: no body, signed", 400, stripeAt(NOW, "")],
  ["stripe: no body, not signed", 401, stripeSays(`t=${NOW},v1=${V1}`, "")],
  ["stripe: 1 MiB", 200, stripeAt(NOW, padded(MIB))],
  ["stripe: 1 MiB and a byte", 413, stripeAt(NOW, padded(MIB + 1))],
  ["stripe: an id beyond ASCII", 200, stripeAt(NOW, EVENT.replace("evt_1", "évt_🚀"))],
  ["stripe: half a character in the id", 400, stripeAt(NOW, EVENT.replace("evt_1", "evt_\\ud83d"))],
  ["stripe: a mark of byte order", 400, stripeAt(NOW, `\ufeff${EVENT}`)],
  ["stripe: __proto__ in the data", 200, stripeAt(NOW, EVENT.replace('"name"', '"__proto__"'))],
  ["stripe: bytes that are no UTF-8, signed", 400, stripeOf(NOT_UTF8)],
  ["stripe: bytes that are no UTF-8, not signed", 401, stripeOf(NOT_UTF8, "another secret")],
  ["stripe: NUL in the body, signed", 400, stripeAt(NOW, `${EVENT}\0`)],
  ["stripe: a header of 100,000 letters", 401, stripeSays(`t=${NOW},v1=${"0".repeat(100_000)}`)],
  ["stripe: ten thousand members", 401, stripeSays(`t=${NOW}${",v0=0".repeat(10_000)}`)],
  ["stripe: a tab before a name", 200, stripeSays(`t=${NOW},\tv1=${V1}`)],
  ["stripe: an equals sign too many", 401, stripeSays(`t==${NOW},v1=${V1}`)],
  ["stripe: the time twice, alike", 401, stripeSays(`t=${NOW},t=${NOW},v1=${V1}`)],
  ["stripe: a time below zero", 401, stripeSays(`t=-${NOW},v1=${V1}`)],
  ["stripe: digits of another script", 401, stripeSays(`t=\u00b2,v1=${V1}`)],
  ["stripe: hex with a prefix", 401, stripeSays(`t=${NOW},v1=0x${V1}`)],
  [
    "stripe: a signature of the time alone",
    401,
    stripeSays(`t=${NOW},v1=${v1Of(await stripeHeader(NOW, ""))}`),
  ],
  [
    "stripe: signed for the standard provider",
    401,
    (api) => sendTo(api, "standard", EVENT, { "stripe-signature": `t=${NOW},v1=${V1}` }),
  ],

  ["standard: as its library says", 200, standardAt(NOW)],
  ["standard: 300 s old", 200, standardAt(NOW - 300)],
  ["standard: 301 s old", 401, standardAt(NOW - 301)],
  ["standard: 300 s ahead", 200, standardAt(NOW + 300)],
  ["standard: 301 s ahead", 401, standardAt(NOW + 301)],
  [
    "standard: a wrong signature first",
    200,
    standardSays((right) => `v1,${btoa("x".repeat(32))} ${right}`),
  ],
  ["standard: another scheme first", 200, standardSays((right) => `v1a,abc v2,def ${right}`)],
  ["standard: only another scheme", 401, standardSays((right) => right.replace("v1,", "v1a,"))],
  ["standard: no scheme", 401, standardSays((right) => right.slice(3))],
  ["standard: the scheme in capitals", 401, standardSays((right) => right.replace("v1", "V1"))],
  ["standard: commas between signatures", 401, standardSays((right) => `v1,AAAA,${right}`)],
  ["standard: nothing", 401, standardSays(() => "")],
  ["standard: many blanks", 200, standardSays((right) => `  ${right}  `)],
  ["standard: another id than was signed", 401, standardSays((right) => right, "msg_2")],
  ["standard: an id with a dot", 200, standardAt(NOW, "msg.1")],
  ["standard: no id", 401, standardSays((right) => right, "")],
  ["standard: half a signature", 401, standardSays((right) => right.slice(0, -8))],
  [
    "standard: hex",
    401,
    standardSays((right) => `v1,${Uint8Array.fromBase64(right.slice(3)).toHex()}`),
  ],
  [
    "standard: base64 for URLs",
    401,
    standardSays(() => `v1,${new Uint8Array(32).fill(0xff).toBase64({ alphabet: "base64url" })}`),
  ],
  ["standard: a blank in the time", 401, standardSays((right) => right, "msg_1", `${NOW} 0`)],
  ["standard: a header of 100,000 letters", 401, standardSays(() => `v1,${"A".repeat(100_000)}`)],
  ["standard: an id of 257 letters", 401, standardAt(NOW, "m".repeat(257))],
  ["standard: 17 signatures", 401, standardSays((right) => `${"v1,AAAA ".repeat(16)}${right}`)],
];

for (const [what, status, send] of EDGES) {
  Deno.test(`${what} is ${status}`, async () => {
    await withWebhooks(async (api) => {
      const answer = await send(api);
      assertEquals(answer.status, status, answer.text);
      const events = dataOf(await api.ask(EVENTS, { as: SYSADMIN }));
      assertEquals(events.length, status === 200 ? 1 : 0);
    }, { env: ENV });
  });
}

Deno.test("a signature cannot be moved between id, time and body", async () => {
  await withWebhooks(async (api) => {
    const id = "msg_1";
    const body = `${NOW}.{"type":"a"}`;
    const signature = standard.sign(id, new Date(NOW * 1000), body);
    const moved = {
      "webhook-id": `${id}.${NOW}`,
      "webhook-timestamp": String(NOW),
      "webhook-signature": signature,
    };
    const answer = await sendTo(api, "standard", '{"type":"a"}', moved);
    // The same bytes were signed: it verifies, as the format has it, under an id of its own.
    assertEquals(answer.status, 200);
    const [event] = dataOf(await api.ask(EVENTS, { as: SYSADMIN }));
    assertEquals(event?.["externalId"], `${id}.${NOW}`);
  }, { env: ENV });
});

Deno.test("one event many times at once is stored once and processed once", async () => {
  let runs = 0;
  await withWebhooks(async (api) => {
    const send = async (timestamp = NOW) =>
      await sendTo(api, "stripe", EVENT, { "stripe-signature": await stripeHeader(timestamp) });
    const answers = await Promise.all(Array.from({ length: 30 }, () => send()));
    assertEquals(answers.map(({ status }) => status), Array<number>(30).fill(200));
    assertEquals(answers.filter(({ body }) => body["duplicate"] === false).length, 1);
    await api.work();
    assertEquals(runs, 1);
    assertEquals((await send(NOW + 1)).body["duplicate"], true);
    await api.work();
    assertEquals(runs, 1);
  }, { env: ENV, handlers: [{ on: "stripe:*", handle: () => void (runs += 1) }] });
});

function stripeHeader(timestamp = NOW, payload = EVENT): Promise<string> {
  return stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: STRIPE_SECRET,
    timestamp,
  });
}

function v1Of(header: string): string {
  return /v1=([0-9a-f]{64})/.exec(header)?.[1] ?? "";
}

function stripeAt(timestamp: number, payload = EVENT): Send {
  return async (api) =>
    await sendTo(api, "stripe", payload, {
      "stripe-signature": await stripeHeader(timestamp, payload),
    });
}

/** Bytes, signed as Stripe signs text. */
function stripeOf(body: Uint8Array<ArrayBuffer>, secret = STRIPE_SECRET): Send {
  const mac = createHmac("sha256", secret).update(`${NOW}.`).update(body).digest("hex");
  const headers = { host: new URL(BASE_URL).host, "stripe-signature": `t=${NOW},v1=${mac}` };
  const init = { method: "POST", body, headers };
  return async (api) => {
    const request = new Request(`${BASE_URL}/webhooks/v1/inbound/stripe`, init);
    const { status } = await api.fetch(request, { clientIp: null });
    return { status, text: "" };
  };
}

function stripeSays(header: string, payload = EVENT): Send {
  return (api) => sendTo(api, "stripe", payload, { "stripe-signature": header });
}

function standardAt(timestamp: number, id = "msg_1"): Send {
  const signature = standard.sign(id, new Date(timestamp * 1000), EVENT);
  return (api) =>
    sendTo(api, "standard", EVENT, {
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signature,
    });
}

function standardSays(
  change: (signature: string) => string,
  id = "msg_1",
  time = String(NOW),
): Send {
  const signature = standard.sign("msg_1", new Date(NOW * 1000), EVENT);
  return (api) =>
    sendTo(api, "standard", EVENT, {
      "webhook-id": id,
      "webhook-timestamp": time,
      "webhook-signature": change(signature),
    });
}

function sendTo(
  api: WebhooksUnderTest,
  provider: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  return api.ask(`/webhooks/v1/inbound/${provider}`, { method: "POST", body, headers });
}

/** An event of so many bytes. */
function padded(length: number): string {
  const empty = JSON.stringify({ id: "evt_1", type: "invoice.paid", data: "" });
  return empty.replace('""', `"${"x".repeat(length - empty.length)}"`);
}

const SECRETS: readonly (readonly [what: string, stripe: string, standard: string])[] = [
  ["no text", "", ""],
  ["no more than a prefix", "", "whsec_"],
  ["no base64", "", "whsec_???"],
];

for (const [what, ofStripe, ofStandard] of SECRETS) {
  Deno.test(`under a secret that is ${what} nothing is genuine`, async () => {
    const env = { STRIPE_WEBHOOK_SECRET: ofStripe, STANDARD_WEBHOOK_SECRET: ofStandard };
    await withWebhooks(async (api) => {
      const key = ofStandard.replace("whsec_", "");
      for (const secret of ["", ofStandard, key]) {
        const digest = (prefix: string) =>
          createHmac("sha256", secret).update(`${prefix}${EVENT}`).digest();
        const sent = [
          await sendTo(api, "stripe", EVENT, {
            "stripe-signature": `t=${NOW},v1=${digest(`${NOW}.`).toString("hex")}`,
          }),
          await sendTo(api, "standard", EVENT, {
            "webhook-id": "msg_1",
            "webhook-timestamp": String(NOW),
            "webhook-signature": `v1,${digest(`msg_1.${NOW}.`).toString("base64")}`,
          }),
        ];
        assertEquals(sent.map(({ status }) => status), [401, 401]);
      }
      assertEquals(dataOf(await api.ask(EVENTS, { as: SYSADMIN })), []);
    }, { env });
  });
}
