/** The queue in a real Redis. */
import { systemClock as clock } from "../../../platform/system_clock.ts";
import { memoryRateLimiter } from "../../../platform/memory_rate_limiter.ts";
import { openRedis } from "../../../platform/redis/open_redis.ts";
import { testQueue } from "../../support/queue_suite.ts";
import { redisMissing, withRedis } from "../../support/redis_server.ts";

testQueue({
  name: "Redis",
  missing: redisMissing(),
  with: (body) =>
    withRedis(async ({ url }) => {
      const logger = { log: () => {} };
      const fallback = memoryRateLimiter({ clock });
      const options = { url, name: "test", clock, logger, fallback };
      const [one, two] = [await openRedis(options), await openRedis(options)];
      try {
        await body({
          queue: one.queue,
          other: two.queue,
          now: () => clock.now(),
          pass: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
        });
      } finally {
        await one.close();
        await two.close();
      }
    }),
});
