/** The queue in a real Redis. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { systemClock as clock } from "../../../platform/system.ts";
import { memoryRateLimiter } from "../../../platform/memory_rate_limiter.ts";
import { openRedis } from "../../../platform/redis/open_redis.ts";
import type { LogEntry } from "../../../shared/runtime/ports.ts";
import { testQueue } from "../../support/queue_suite.ts";
import { PATIENT, redisMissing, withRedis } from "../../support/redis_server.ts";

testQueue({
  name: "Redis",
  missing: redisMissing(),
  with: (body) =>
    withRedis(async ({ url }) => {
      const logger = { log: () => {} };
      const fallback = memoryRateLimiter({ clock });
      const options = { url, name: "test", clock, logger, fallback, ...PATIENT };
      const [one, two] = [await openRedis(options), await openRedis(options)];
      try {
        await body({
          queue: one.queue,
          other: two.queue,
          now: () => clock.now(),
          pass,
        });
      } finally {
        await one.close();
        await two.close();
      }
    }),
});

Deno.test({
  name:
    "Redis queue: closes while Redis is gone, and takes up its work when Redis is back with nothing",
  ignore: redisMissing() !== null,
  fn: () =>
    withRedis(async (redis) => {
      const log: LogEntry[] = [];
      const logger = { log: (entry: LogEntry) => void log.push(entry) };
      const fallback = memoryRateLimiter({ clock });
      const opened = await openRedis({
        url: redis.url,
        name: "test",
        clock,
        logger,
        fallback,
        ...PATIENT,
      });
      const { queue } = opened;
      const ALL = { limit: 10, lease: 300_000, longestWait: 5000 };
      await queue.add("webhook-events", [{ id: "a", payload: "1", dueAt: 0 }]);
      const [held] = await queue.claim("webhook-events", ALL);
      assert(held);
      await redis.kill();
      await assertRejects(() => queue.claim("webhook-events", ALL));
      await assertRejects(() => queue.add("webhook-events", [{ id: "b", payload: "2", dueAt: 0 }]));
      await redis.restart();
      const jobs = ["b", "c"].map((id) => ({ id, payload: id, dueAt: 0 }));
      while (!await queue.add("webhook-events", jobs).then(() => true, () => false)) await pass(50);
      const claimed = await queue.claim("webhook-events", ALL);
      assertEquals(claimed.map(({ id }) => id).sort(), ["b", "c"]);
      assertEquals(await queue.complete(held), false);
      await redis.kill();
      await opened.close();
      assert(log.length > 0);
    }),
});

function pass(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
