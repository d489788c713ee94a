/** What a project may ask for beyond contract 8: the extended schedule, redelivery, retention; and what heals a queue. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { createBackgroundWorker, emitEvent, redeliver } from "../../shared/runtime/mod.ts";
import { newSecret } from "../../shared/runtime/webhooks/outbound/secret.ts";
import type { Queue } from "../../shared/runtime/ports.ts";
import {
  ADMIN,
  answered,
  dataOf,
  ENDPOINTS,
  URL,
  webhooksProject,
  type WebhooksUnderTest,
  withWebhooks,
} from "../support/webhooks.ts";

const test = ofOneDatabase("it looks into one database for what stands in an organization's");

const { webhooks } = webhooksProject;
const EXTENDED = { project: { webhooks: { ...webhooks, schedule: "extended" as const } } };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

Deno.test("extended: a delivery survives an endpoint that is away for a day", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    let isAway = true;
    api.answers(URL, () => answered(isAway ? 503 : 200));
    await emit(api);
    await api.work();
    for (let hours = 0; hours < 24; hours += 1) {
      api.pass(HOUR);
      await api.work();
    }
    assertEquals((await delivery(api, id))["status"], "pending");
    isAway = false;
    api.pass(14 * HOUR);
    await api.work();
    assertEquals((await delivery(api, id))["status"], "delivered");
    assertEquals(new Set(api.dialled.map(({ headers }) => headers["webhook-id"])).size, 1);
  }, EXTENDED);
});

Deno.test("extended: Retry-After is kept to", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    api.answers(URL, () => answered(429, "slow down", { retryAfter: "120" }));
    await emit(api);
    await api.work();
    assertEquals((await delivery(api, id))["nextRetryAt"], "2026-01-02T03:06:05.678Z");
    api.pass(119_000);
    await api.work();
    assertEquals(api.dialled.length, 1);
    api.pass(1001);
    await api.work();
    assertEquals(api.dialled.length, 2);
  }, EXTENDED);
});

Deno.test("extended: 410 disables the endpoint; by default it is a failed attempt as any other", async () => {
  const outcome = async (options: typeof EXTENDED | undefined) => {
    const told: unknown[] = [];
    await withWebhooks(async (api) => {
      const { id } = await api.register();
      api.answers(URL, () => answered(410));
      await emit(api);
      await api.work();
      const { status, attempts, responseStatus } = await delivery(api, id);
      const { body } = await api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN });
      told.push(status, attempts, responseStatus, body["enabled"]);
    }, options);
    return told;
  };
  assertEquals(await outcome(EXTENDED), ["failed", 1, 410, false]);
  assertEquals(await outcome(undefined), ["pending", 1, 410, true]);
});

Deno.test("redelivery emits what failed again, once, under new ids that name their sources", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    const { id: other } = await api.register({ url: "https://other.example.com/" });
    api.answers(URL, () => answered(500));
    for (const payload of [1, 2, 3]) await emit(api, payload);
    await settleAll(api);
    const failed = dataOf(
      await api.ask(`${ENDPOINTS}/${id}/deliveries?status=failed`, { as: ADMIN }),
    );
    assertEquals(failed.length, 3);
    api.answers(URL, () => answered(200));
    const request = {
      since: "2026-01-01T00:00:00.000Z",
      endpointId: null,
      status: "failed",
      isRehearsal: false,
    } as const;
    const rehearsed = await redeliver({ ...request, isRehearsal: true }, api.ports);
    assertEquals(rehearsed, { deliveries: 3, endpoints: 1 });
    const later = { ...request, since: "2026-01-03T00:00:00.000Z" };
    assertEquals(await redeliver(later, api.ports), { deliveries: 0, endpoints: 0 });
    const foreign = { ...request, endpointId: String(other) };
    assertEquals(await redeliver(foreign, api.ports), { deliveries: 0, endpoints: 0 });
    assertEquals(await redeliver(request, api.ports), { deliveries: 3, endpoints: 1 });
    assertEquals(await redeliver(request, api.ports), { deliveries: 0, endpoints: 0 });
    await settleAll(api);
    const all = dataOf(await api.ask(`${ENDPOINTS}/${id}/deliveries`, { as: ADMIN }));
    assertEquals(all.map(({ status }) => status).sort(), [
      ...Array<string>(3).fill("delivered"),
      ...Array<string>(3).fill("failed"),
    ]);
    assertEquals(new Set(all.map((record) => record["id"])).size, 6);
    const { rows } = await api.database.run({
      sql:
        "SELECT source_id FROM webhook_deliveries WHERE source_id IS NOT NULL ORDER BY source_id",
      args: [],
    });
    assertEquals(rows.flat(), failed.map((record) => record["id"]).sort());
    const bodies = api.dialled.slice(-3).map(({ body }) => JSON.parse(String(body)).data);
    assertEquals(bodies.sort(), [1, 2, 3]);
  });
});

Deno.test("redelivery passes over endpoints that are disabled or deleted", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    const { id: gone } = await api.register({ url: "https://gone.example.com/" });
    api.answers(URL, () => answered(500));
    api.answers("https://gone.example.com/", () => answered(500));
    await emit(api);
    await settleAll(api);
    await api.ask(`${ENDPOINTS}/${id}`, { as: ADMIN, method: "PATCH", body: { enabled: false } });
    await api.ask(`${ENDPOINTS}/${gone}`, { as: ADMIN, method: "DELETE" });
    const request = {
      since: "2026-01-01",
      endpointId: null,
      status: "failed",
      isRehearsal: false,
    } as const;
    assertEquals(await redeliver(request, api.ports), { deliveries: 0, endpoints: 0 });
  });
});

Deno.test("redelivery takes any number of deliveries, in batches", async () => {
  await withWebhooks(async (api) => {
    await api.register();
    api.answers(URL, () => answered(302, "", { location: "https://elsewhere.example.com/" }));
    for (let at = 0; at < 205; at += 1) await emit(api, at);
    await api.work();
    const request = {
      since: "2026-01-01",
      endpointId: null,
      status: "failed",
      isRehearsal: false,
    } as const;
    assertEquals(await redeliver(request, api.ports), { deliveries: 205, endpoints: 1 });
  });
});

test("what a queue forgot is queued anew, and delivered under the same id", async () => {
  await withWebhooks(async (api) => {
    await api.register();
    const ports = api.ports.webhooks;
    assert(ports);
    const forgetful: Queue = { ...ports.queue, add: () => Promise.resolve() };
    const forgetting = createBackgroundWorker(api.project, {
      ...api.ports,
      webhooks: { ...ports, queue: forgetful },
    });
    await emit(api);
    await forgetting.tick();
    api.pass(59_000);
    await api.work();
    assertEquals(api.dialled.length, 0);
    api.pass(40_000);
    await api.work();
    assertEquals(api.dialled.length, 1);
  });
});

Deno.test("what waits for its next attempt is not queued anew before its time", async () => {
  await withWebhooks(async (api) => {
    await api.register();
    api.answers(URL, () => answered(503, "", { retryAfter: "3600" }));
    await emit(api);
    await api.work();
    for (let minutes = 0; minutes < 59; minutes += 1) {
      api.pass(60_000);
      await api.work();
    }
    assertEquals(api.dialled.length, 1);
    api.pass(61_000);
    await api.work();
    assertEquals(api.dialled.length, 2);
  }, EXTENDED);
});

test("deliveries and dead letters are forgotten when they are long over, pending ones never", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    const { id: failing } = await api.register({ url: "https://failing.example.com/" });
    api.answers("https://failing.example.com/", () => answered(302));
    await emit(api);
    await api.work();
    const counts = async () => {
      const sql =
        "SELECT (SELECT count(*) FROM webhook_deliveries), (SELECT count(*) FROM quickback_jobs)";
      const { rows } = await api.database.run({ sql, args: [] });
      return rows[0]?.map(Number);
    };
    assertEquals(await counts(), [2, 1]);
    api.pass(89 * DAY);
    await api.work();
    assertEquals(await counts(), [2, 1]);
    const stuck = { type: "user.created", payload: 1, organizationId: "org_a" };
    await api.database.write((transaction) => emitEvent(transaction, stuck, api.ports));
    api.pass(2 * DAY);
    await api.worker.tick();
    assertEquals((await counts())?.[0], 2);
    await api.worker.settled();
    assertEquals(dataOf(await api.ask(`${ENDPOINTS}/${id}/deliveries`, { as: ADMIN })).length, 1);
    assertEquals(
      dataOf(await api.ask(`${ENDPOINTS}/${failing}/deliveries`, { as: ADMIN })).length,
      1,
    );
  });
});

Deno.test("retentionDays: false keeps everything", async () => {
  await withWebhooks(async (api) => {
    const { id } = await api.register();
    await emit(api);
    await api.work();
    api.pass(4000 * DAY);
    await api.work();
    assertEquals(dataOf(await api.ask(`${ENDPOINTS}/${id}/deliveries`, { as: ADMIN })).length, 1);
  }, { project: { webhooks: { ...webhooks, retentionDays: null } } });
});

Deno.test("secrets stand sealed in the database; one from before still signs, a foreign one never does", async () => {
  await withWebhooks(async (api) => {
    const { id, secret } = await api.register();
    await api.ask(`${ENDPOINTS}/${id}/rotate-secret`, { as: ADMIN, method: "POST" });
    const { rows } = await api.database.run({
      sql: "SELECT secret, previous_secret FROM webhook_endpoints",
      args: [],
    });
    for (const text of rows.flat()) {
      assertMatch(String(text), /^sealed1\./);
      assert(!String(text).includes(String(secret).slice(6)));
    }
    const put = (text: string) =>
      api.database.write((transaction) =>
        transaction.run({ sql: "UPDATE webhook_endpoints SET secret = ?", args: [text] })
      );
    await put(newSecret(api.ports.random));
    await emit(api);
    await api.work();
    assertEquals((await delivery(api, id))["status"], "delivered");
    await put("sealed1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    await emit(api, 2);
    await api.work();
    assertEquals(api.dialled.length, 1);
    const [unsigned] = dataOf(
      await api.ask(`${ENDPOINTS}/${id}/deliveries?status=pending`, { as: ADMIN }),
    );
    assertEquals(unsigned?.["responseBody"], "The signing secret cannot be read: rotate it");
    await api.ask(`${ENDPOINTS}/${id}/rotate-secret`, { as: ADMIN, method: "POST" });
    await settleAll(api);
    assertEquals(api.dialled.length, 2);
  });
});

function emit(api: WebhooksUnderTest, payload: unknown = {}): Promise<number> {
  const event = { type: "user.created", payload, organizationId: "org_a" };
  return api.database.write((transaction) => emitEvent(transaction, event, api.ports));
}

async function settleAll(api: WebhooksUnderTest): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await api.work();
    api.pass(5000);
  }
}

async function delivery(api: WebhooksUnderTest, endpointId: unknown) {
  const [record] = dataOf(await api.ask(`${ENDPOINTS}/${endpointId}/deliveries`, { as: ADMIN }));
  return record ?? {};
}
