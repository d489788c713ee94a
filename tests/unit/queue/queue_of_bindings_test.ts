/** A worker whose platform has a queue: which bindings it needs, and what the platform calls. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { queueOfBindings, serveWorker } from "../../../library/platform/cloudflare/mod.ts";
import { platformQueue } from "../../support/platform_queue.ts";

const clock = { now: () => Date.UTC(2026, 0, 2) };

function bound() {
  return {
    WEBHOOK_JOBS: platformQueue(clock.now),
    WEBHOOK_DEAD_LETTERS: platformQueue(clock.now),
    AUTH_SECRET: "text",
  };
}

const REFUSED: readonly (readonly [what: string, bindings: object, says: string])[] = [
  ["no dead letters", { WEBHOOK_JOBS: platformQueue(clock.now) }, "WEBHOOK_DEAD_LETTERS"],
  ["dead letters only", { WEBHOOK_DEAD_LETTERS: platformQueue(clock.now) }, "WEBHOOK_JOBS"],
  ["text", { ...bound(), WEBHOOK_JOBS: "webhooks" }, "must be bound to a queue"],
  ["another kind of binding", { ...bound(), WEBHOOK_JOBS: { get() {} } }, "must be bound"],
];

for (const [what, bindings, says] of REFUSED) {
  Deno.test(`a worker with ${what} in the place of its queues does not start`, () => {
    const error = assertThrows(() => queueOfBindings(bindings, { clock }));
    assert(error instanceof Error && error.message.includes(says), String(error));
  });
}

Deno.test("without bindings jobs are not the platform's", () => {
  assertEquals(queueOfBindings({ AUTH_SECRET: "text" }, { clock }), null);
});

Deno.test("the platform's batches reach the worker's queue, in its scope", async () => {
  const told: string[] = [];
  const bindings = bound();
  const worker = serveWorker((given: object) => {
    const queue = queueOfBindings(given, { clock });
    return {
      fetch: () => Promise.resolve(new Response()),
      queue,
      scoped: async (run) => {
        told.push("begins");
        const done = await run();
        told.push("ends");
        return done;
      },
      async work() {
        const all = { limit: 10, lease: 1, longestWait: 1 };
        const leases = await queue?.claim("webhook-events", all) ?? [];
        for (const lease of leases) {
          told.push(lease.payload);
          await queue?.complete(lease);
        }
      },
    };
  });
  const queue = queueOfBindings(bindings, { clock });
  const jobs = ["a", "b"].map((id) => ({ id, payload: `of ${id}`, dueAt: clock.now() }));
  await queue?.add("webhook-events", jobs);
  await bindings.WEBHOOK_JOBS.drain((batch) => worker.queue(batch, bindings));
  assertEquals(told, ["begins", "of a", "of b", "ends"]);
  assertEquals(bindings.WEBHOOK_JOBS.bodies(), []);
  await assertRejects(() => worker.queue({ messages: [] }, { AUTH_SECRET: "text" }));
});
