/** Rate counters and revoked tokens in a real Redis (contract 8.1, 5.2). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createClient } from "redis";
import { memoryRateLimiter } from "../../../platform/memory_rate_limiter.ts";
import { openRedis, type Redis, redisRateLimiter } from "../../../platform/redis/open_redis.ts";
import { systemClock } from "../../../platform/system.ts";
import type { LogEntry, Revocation } from "../../../shared/runtime/ports.ts";
import { PATIENT, redisMissing, withRedis } from "../../support/redis_server.ts";

const COUNTED_IN_MEMORY = "Rate limits are counted in memory";
const fallback = memoryRateLimiter({ clock: { now: () => 0 } });

interface Running {
  readonly redis: Redis;
  readonly second: Redis;
  readonly url: string;
  readonly log: readonly LogEntry[];
  stop(): Promise<void>;
}

function redisTest(name: string, body: (running: Running) => Promise<void>): void {
  Deno.test({
    name,
    ignore: redisMissing() !== null,
    fn: () =>
      withRedis(async ({ url, kill }) => {
        const log: LogEntry[] = [];
        const logger = { log: (entry: LogEntry) => void log.push(entry) };
        const options = { url, name: "test", clock: systemClock, logger, fallback, ...PATIENT };
        const [redis, second] = [await openRedis(options), await openRedis(options)];
        try {
          await body({ redis, second, url, log, stop: kill });
        } finally {
          await Promise.all([redis.close(), second.close()]);
        }
      }),
  });
}

redisTest(
  "instances share one count, and no burst passes more than the limit",
  async ({ redis, second }) => {
    const takes = Array.from(
      { length: 40 },
      (_, at) => (at % 2 === 0 ? redis : second).limiter.take("a:read:user_1", 10, 60),
    );
    assertEquals((await Promise.all(takes)).filter(Boolean).length, 10);
    assert(await redis.limiter.take("a:read:user_2", 10, 60));
    assert(await redis.limiter.take("a:read:user_1", 10, 10));
  },
);

redisTest(
  "a hit that is lent is counted for all instances, and given back to its own window only",
  async ({ redis, second, url }) => {
    const lend = ({ limiter }: Redis) => limiter.lend("password:anna", 3, 60);
    const lent = await Promise.all(
      Array.from({ length: 20 }, (_, at) => lend(at % 2 === 0 ? redis : second)),
    );
    const [first, ...others] = lent.filter((hit) => hit !== null);
    assertEquals(others.length, 2);
    await first?.giveBack();
    assert(await lend(second));
    assertEquals(await lend(redis), null);
    await emptied(url);
    assertEquals((await Promise.all([redis, second, redis].map(lend))).includes(null), false);
    await others[0]?.giveBack();
    assertEquals(await lend(redis), null);
  },
);

redisTest(
  "what one instance has taken back the others are told, and nothing that is no revocation",
  async ({ redis, second, url }) => {
    const told = Promise.withResolvers<Revocation>();
    const one = { tokenId: "one", expiresAt: 1 };
    second.revocations.listen((revocation) => told.resolve(revocation));
    const publisher = await createClient({ url }).connect();
    const channel = "quickback:revoked:test";
    while ((await publisher.pubSubNumSub(channel))[channel] !== 1) await passed(5);
    for (const text of ["", "null", "{}", '{"tokenId":1,"expiresAt":1}']) {
      await publisher.publish(channel, text);
    }
    await redis.revocations.tell(one);
    assertEquals(await told.promise, one);
    await publisher.close();
  },
);

redisTest(
  "without Redis limits are counted in memory, and telling of a revocation fails no caller",
  async ({ redis, log, stop }) => {
    await stop();
    const takes = [];
    for (let at = 0; at < 3; at += 1) takes.push(await redis.limiter.take("gone", 2, 60));
    assertEquals(takes, [true, true, false]);
    const lent = [];
    for (let at = 0; at < 3; at += 1) lent.push(await redis.limiter.lend("gone", 2, 10));
    assertEquals(lent.map((hit) => hit !== null), [true, true, false]);
    await lent[0]?.giveBack();
    assert(await redis.limiter.lend("gone", 2, 10));
    await redis.revocations.tell({ tokenId: "one", expiresAt: 1 });
    assertEquals(log.filter(({ message }) => message === COUNTED_IN_MEMORY).length, 1);
  },
);

Deno.test("a Redis that is named and not there keeps the API from starting", async () => {
  const logger = { log: () => {} };
  await assertRejects(() =>
    openRedis({
      url: "redis://127.0.0.1:1",
      name: "test",
      clock: systemClock,
      logger,
      fallback,
    })
  );
});

Deno.test("an outage of Redis is one line of the log, and the next one another", async () => {
  const log: string[] = [];
  let isAway = true;
  const limiter = redisRateLimiter({
    redis: { eval: () => isAway ? Promise.reject(new Error("away")) : Promise.resolve(1) },
    fallback,
    logger: { log: ({ message }) => void log.push(message) },
  });
  for (const away of [true, true, false, false, true]) {
    isAway = away;
    await limiter.take("outage", 10, 60);
  }
  assertEquals(log, [COUNTED_IN_MEMORY, COUNTED_IN_MEMORY]);
});

Deno.test("a count that is no number refuses", async () => {
  const limiter = redisRateLimiter({
    redis: { eval: () => Promise.resolve("?") },
    fallback,
    logger: { log: () => {} },
  });
  assertEquals(await limiter.take("key", 5, 60), false);
});

async function emptied(url: string): Promise<void> {
  const client = await createClient({ url }).connect();
  await client.flushAll();
  await client.close();
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
