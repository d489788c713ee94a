/** The wall clock goes back an hour: nothing waits for that hour to pass again (docs/decisions/webhooks.md). */
import { assert, assertEquals } from "@std/assert";
import { onWebhookEvent } from "../../../shared/authoring/mod.ts";
import {
  type BackgroundWorker,
  createBackgroundWorker,
  databaseQueue,
  emitEvent,
} from "../../../shared/runtime/mod.ts";
import type { DialOutcome, Queue } from "../../../shared/runtime/ports.ts";
import { newBrowser, withPush } from "../../support/push.ts";
import {
  answered,
  MEMBER,
  URL,
  type WebhooksUnderTest,
  withWebhooks,
} from "../../support/webhooks.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A lease, a wait, and what a queue takes to find out. */
const SOON_SECONDS = 40;
const MINUTE_SECONDS = 60;
const TAKE = { limit: 10, lease: 10_000, longestWait: 5000 };

Deno.test("a delivery whose worker died is taken again soon after the clock went back", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    await emit(api);
    const [delivery] = await cells(api, "SELECT id FROM webhook_deliveries");
    const queue = queueOf(api);
    const job = { id: String(delivery), payload: String(id), dueAt: api.ports.clock.now() };
    await queue.add("webhook-deliveries", [job]);
    assertEquals((await queue.claim("webhook-deliveries", TAKE)).length, 1);
    api.pass(-HOUR);
    await workFor(api, SOON_SECONDS);
    assertEquals(await statuses(api), ["delivered"]);
    assertEquals(api.dialled.length, 1);
  });
});

const STEPS: readonly (readonly [how: string, steps: readonly number[]])[] = [
  ["back", [-HOUR]],
  ["back and forth", [-HOUR, HOUR, -HOUR]],
];

for (const [how, steps] of STEPS) {
  Deno.test(`a failed delivery is tried again soon after the clock went ${how}`, async () => {
    await withWebhooks(async (api) => {
      await api.register();
      api.answers(URL, () => answered(api.dialled.length < 2 ? 500 : 200));
      await emit(api);
      await api.work();
      for (const step of steps) api.pass(step);
      await workFor(api, SOON_SECONDS);
      assertEquals(await statuses(api), ["delivered"]);
      assertEquals(api.dialled.length, 2);
    });
  });
}

Deno.test("a failed push message is tried again soon after the clock went back", async () => {
  await withPush(async (api) => {
    const browser = await newBrowser();
    await api.subscribe(browser);
    api.answers(browser.subscription.endpoint, () => answered(api.dialled.length < 2 ? 503 : 201));
    await api.tell({ payload: { title: "Hi" }, userIds: [MEMBER.sub] });
    await api.work();
    assertEquals(api.dialled.length, 1);
    api.pass(-HOUR);
    await workFor(api, SOON_SECONDS);
    assertEquals(api.dialled.length, 2);
    assertEquals(await cells(api, "SELECT count(*) FROM push_messages"), [0]);
  });
});

Deno.test("a failed event is processed again soon after the clock went back", async () => {
  let calls = 0;
  const handler = onWebhookEvent("stripe:invoice.paid", () => {
    if ((calls += 1) === 1) throw new Error("Not yet");
  });
  await withWebhooks(async (api) => {
    await receive(api);
    await api.work();
    assertEquals([calls, await cells(api, "SELECT status FROM webhook_events")], [1, ["failed"]]);
    api.pass(-HOUR);
    await workFor(api, SOON_SECONDS);
    assertEquals([calls, await cells(api, "SELECT status FROM webhook_events")], [2, [
      "processed",
    ]]);
  }, { handlers: [handler] });
});

Deno.test("a handler that never ends has failed after its time, though the clock went back meanwhile", async () => {
  const handler = onWebhookEvent("stripe:invoice.paid", () => new Promise(() => {}));
  await withWebhooks(async (api) => {
    await receive(api);
    await api.worker.tick();
    api.pass(-HOUR);
    for (let second = 0; second < 5 * MINUTE_SECONDS + 5; second += 1) {
      await api.worker.tick();
      await turn();
      api.pass(1000);
    }
    assertEquals(await cells(api, "SELECT status FROM webhook_events WHERE error IS NULL"), []);
  }, { handlers: [handler] });
});

Deno.test("what a queue lost is queued anew, and what is long over is forgotten, after the clock went back", async () => {
  await withWebhooks(async (api) => {
    await api.register();
    await emit(api);
    await api.work();
    await emit(api);
    const lossy: Queue = { ...queueOf(api), add: () => Promise.resolve() };
    await secondWorker(api, lossy).tick();
    const created = new Date(api.ports.clock.now() - HOUR - 91 * DAY).toISOString();
    const old = "UPDATE webhook_deliveries SET created_at = ? WHERE status = 'delivered'";
    await api.database.write((transaction) => transaction.run({ sql: old, args: [created] }));
    api.pass(-HOUR);
    await workFor(api, 2 * MINUTE_SECONDS);
    assertEquals(api.dialled.length, 2);
    assertEquals(await statuses(api), ["delivered"]);
  });
});

for (const step of [-5000, -HOUR]) {
  Deno.test(`who works on a delivery keeps it when the clock goes back ${-step / 1000} s`, async () => {
    await withWebhooks(async (api) => {
      await api.register();
      const answer = Promise.withResolvers<DialOutcome>();
      api.answers(URL, () => answer.promise);
      await emit(api);
      await api.worker.tick();
      const other = secondWorker(api, databaseQueue(api.ports));
      await other.tick();
      api.pass(step);
      for (let second = 0; second < 2 * MINUTE_SECONDS; second += 1) {
        // The other one comes first each time: it would have the lease if it could.
        await other.tick();
        await api.worker.tick();
        await turn();
        api.pass(1000);
      }
      answer.resolve(answered(200));
      await Promise.all([api.worker.settled(), other.settled()]);
      assertEquals([api.dialled.length, await statuses(api)], [1, ["delivered"]]);
    });
  });
}

function emit(api: WebhooksUnderTest): Promise<number> {
  const event = { type: "user.created", payload: 1, organizationId: "org_a" };
  return api.database.write((transaction) => emitEvent(transaction, event, api.ports));
}

/** An event as its receipt stores it. */
async function receive(api: WebhooksUnderTest): Promise<void> {
  const sql = `INSERT INTO webhook_events
    (id, provider, event_type, external_id, payload, status, attempts, created_at, round)
    VALUES ('whe_1', 'stripe', 'stripe:invoice.paid', 'evt_1', ?, 'received', 0, ?, 0)`;
  const payload = JSON.stringify({ id: "evt_1", object: "event", type: "invoice.paid", data: {} });
  const args = [payload, new Date(api.ports.clock.now()).toISOString()];
  await api.database.write((transaction) => transaction.run({ sql, args }));
}

function queueOf({ ports }: WebhooksUnderTest): Queue {
  assert(ports.webhooks);
  return ports.webhooks.queue;
}

/** As another process has it, on the same database. */
function secondWorker({ project, ports }: WebhooksUnderTest, queue: Queue): BackgroundWorker {
  assert(ports.webhooks);
  return createBackgroundWorker(project, { ...ports, webhooks: { ...ports.webhooks, queue } });
}

async function workFor(api: WebhooksUnderTest, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await api.worker.tick();
    await api.worker.settled();
    api.pass(1000);
  }
}

/** Lets begun work go on, without waiting for what never ends. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2));
}

async function statuses(api: WebhooksUnderTest): Promise<readonly unknown[]> {
  return await cells(api, "SELECT status FROM webhook_deliveries");
}

async function cells(api: WebhooksUnderTest, sql: string): Promise<readonly unknown[]> {
  const { rows } = await api.database.run({ sql, args: [] });
  return rows.map(([cell]) => cell);
}
