/** Webhooks over the edge platform's own queue: what the database knows, the queue need not. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type BindingQueue, bindingQueue } from "../../../library/platform/cloudflare/mod.ts";
import { createBackgroundWorker, emitEvent } from "../../../shared/runtime/mod.ts";
import {
  ADMIN,
  answered,
  dataOf,
  ENDPOINTS,
  URL,
  type WebhooksUnderTest,
  withWebhooks,
} from "../../support/webhooks.ts";
import { type PlatformQueue, platformQueue } from "../../support/platform_queue.ts";

const CLAIM = { limit: 10, lease: 1, longestWait: 1 };

interface OnPlatform extends WebhooksUnderTest {
  readonly jobs: PlatformQueue;
  readonly dead: PlatformQueue;
  readonly queue: BindingQueue;
  /** What the platform calls: the work between requests, then the batches. */
  turn(): Promise<void>;
}

function withPlatformQueue(body: (api: OnPlatform) => Promise<void>): Promise<void> {
  return withWebhooks(async (api) => {
    const { clock, webhooks } = api.ports;
    assert(webhooks);
    const now = () => clock.now();
    const [jobs, dead] = [platformQueue(now), platformQueue(now)];
    const queue = bindingQueue({ jobs, dead, clock });
    const worker = createBackgroundWorker(api.project, {
      ...api.ports,
      webhooks: { ...webhooks, queue },
    });
    const work = async () => {
      while (await worker.tick() > 0) await worker.settled();
    };
    const turn = async () => {
      await work();
      await jobs.drain((batch) => queue.consume(batch, work));
    };
    await body({ ...api, jobs, dead, queue, turn });
  });
}

Deno.test("what is emitted goes through the platform's queue, once, however many there are", async () => {
  await withPlatformQueue(async (api) => {
    await api.register();
    for (let at = 0; at < 130; at += 1) await emit(api, at);
    await api.turn();
    assertEquals(api.dialled.length, 130);
    assertEquals(new Set(api.dialled.map(({ headers }) => headers["webhook-id"])).size, 130);
    assertEquals(api.jobs.bodies(), []);
  });
});

Deno.test("a failed attempt comes again after its wait; the last one leaves a dead letter", async () => {
  await withPlatformQueue(async (api) => {
    const { id } = await api.register();
    api.answers(URL, () => answered(500));
    await emit(api, 1);
    await api.turn();
    assertEquals(api.dialled.length, 1);
    api.pass(1000);
    await api.turn();
    assertEquals(api.dialled.length, 1);
    api.pass(1001);
    await api.turn();
    api.pass(4001);
    await api.turn();
    assertEquals(api.dialled.length, 3);
    const [record] = dataOf(await api.ask(`${ENDPOINTS}/${id}/deliveries`, { as: ADMIN }));
    assertEquals(record?.["status"], "failed");
    assertEquals(api.jobs.bodies(), []);
    assertEquals(api.dead.bodies(), [{
      queue: "webhook-deliveries",
      id: record?.["id"],
      payload: id,
      attempts: 3,
      reason: "",
    }]);
    await assertRejects(() => api.queue.dead("webhook-deliveries", 1));
  });
});

Deno.test("a message that the platform delivers twice is one delivery", async () => {
  await withPlatformQueue(async (api) => {
    await api.register();
    await emit(api, 1);
    await api.turn();
    const { id } = await delivery(api);
    const body = { queue: "webhook-deliveries", id, payload: "wep_1" };
    await api.jobs.sendBatch([{ body }, { body }]);
    await api.turn();
    assertEquals(api.dialled.length, 1);
  });
});

Deno.test("a batch that breaks off comes again, without what was done", async () => {
  await withPlatformQueue(async (api) => {
    const { queue, jobs, ports } = api;
    const added = ["a", "b", "c"].map((id) => ({ id, payload: id, dueAt: ports.clock.now() }));
    await queue.add("webhook-events", added);
    await assertRejects(() =>
      jobs.drain((batch) =>
        queue.consume(batch, async () => {
          const [first] = await queue.claim("webhook-events", { ...CLAIM, limit: 2 });
          assert(first && await queue.complete(first));
          assertEquals(await queue.complete(first), false);
          throw new Error("The isolate ends");
        })
      )
    );
    assertEquals(api.jobs.bodies().length, 2);
  });
});

Deno.test("a lease ends with its batch, and another batch's lease does not", async () => {
  await withPlatformQueue(async ({ queue, jobs, ports }) => {
    await queue.add("webhook-events", [{ id: "a", payload: "a", dueAt: ports.clock.now() }]);
    await jobs.drain(async (outer) => {
      await queue.consume(outer, async () => {
        const [a] = await queue.claim("webhook-events", CLAIM);
        assert(a);
        await queue.add("webhook-events", [{ id: "b", payload: "b", dueAt: ports.clock.now() }]);
        let late: typeof a | undefined;
        let seen = 0;
        await jobs.drain(async (inner) => {
          await queue.consume(inner, async () => {
            [late] = await queue.claim("webhook-events", CLAIM);
            seen += 1;
            if (late && seen > 1) await queue.complete(late);
          });
        });
        assertEquals(seen, 2);
        assert(late);
        assertEquals(await queue.retry(late, 0), false);
        assertEquals(await queue.renew(a, 1), true);
        assertEquals(await queue.complete(a), true);
      });
    });
    assertEquals(jobs.bodies(), []);
  });
});

Deno.test("what is no job of ours is taken and forgotten; a wait beyond the platform's is its longest", async () => {
  await withPlatformQueue(async ({ queue, jobs, ports, turn, pass }) => {
    await jobs.sendBatch([{ body: null }, { body: { queue: "other", id: 1 } }, { body: "text" }]);
    await turn();
    assertEquals(jobs.bodies(), []);
    const DAY = 86_400_000;
    await queue.add("webhook-deliveries", [{
      id: "a",
      payload: "a",
      dueAt: ports.clock.now() + DAY,
    }]);
    pass(DAY / 2 - 1);
    let batches = 0;
    const count = () => Promise.resolve(void (batches += 1));
    await jobs.drain(count);
    assertEquals(batches, 0);
    pass(1);
    await jobs.drain(count);
    assertEquals(batches, 1);
  });
});

function emit(api: WebhooksUnderTest, payload: unknown): Promise<number> {
  const event = { type: "user.created", payload, organizationId: "org_a" };
  return api.database.write((transaction) => emitEvent(transaction, event, api.ports));
}

async function delivery(api: WebhooksUnderTest): Promise<{ readonly id: string }> {
  const { rows } = await api.database.run({ sql: "SELECT id FROM webhook_deliveries", args: [] });
  return { id: String(rows[0]?.[0]) };
}
