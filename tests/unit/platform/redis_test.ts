/** Rate counters and revoked tokens in a real Redis (contract 8.1, 5.2). */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createClient } from "redis";
import { memoryRateLimiter } from "../../../library/platform/memory_rate_limiter.ts";
import {
  openRedis,
  type Redis,
  redisRateLimiter,
} from "../../../library/platform/redis/open_redis.ts";
import type { LogEntry, Revocation } from "../../../shared/runtime/ports.ts";
import { PATIENT, redisMissing, withRedis } from "../../support/redis_server.ts";

const COUNTED_IN_MEMORY = "Rate limits are counted in memory";
const CHANNEL = "quickback:revoked:test";
const clock = { now: () => 0 };
const fallback = memoryRateLimiter({ clock });

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
        const options = { url, name: "test", logger, clock, fallback, ...PATIENT };
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
    while ((await publisher.pubSubNumSub(CHANNEL))[CHANNEL] !== 1) await passed(5);
    for (const text of ["", "null", "{}", '{"tokenId":1,"expiresAt":1}']) {
      await publisher.publish(CHANNEL, text);
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

Deno.test({
  name:
    "a Redis that is away at the start is taken up when it comes, with one line for each change",
  ignore: redisMissing() !== null,
  fn: () =>
    withRedis(async (server) => {
      await server.kill();
      const log: string[] = [];
      const logger = { log: ({ message }: LogEntry) => void log.push(message) };
      const redis = await openRedis({
        url: server.url,
        name: "test",
        logger,
        clock,
        fallback,
        ...PATIENT,
      });
      try {
        assert(await redis.limiter.take("early", 10, 60));
        await assertRejects(() => redis.pubSub.listen({ event() {}, gap() {} }));
        const heard = Promise.withResolvers<Revocation>();
        redis.revocations.listen(heard.resolve);
        await server.restart();
        const one = { tokenId: "one", expiresAt: 1 };
        const { url } = server;
        const client = await createClient({ url }).connect();
        while (log.at(-1) !== "Redis is back") await passed(5);
        while ((await client.pubSubNumSub(CHANNEL))[CHANNEL] !== 1) await passed(5);
        await redis.revocations.tell(one);
        assertEquals(await heard.promise, one);
        assert(await redis.limiter.take("late", 10, 60));
        assertEquals(await client.get("quickback:rate:60:late"), "1");
        await client.close();
        const [away, inMemory, back] = log;
        assertEquals(log.length, 3);
        assertMatch(`${away}\n${inMemory}\n${back}`, /^Redis is away: .*\nRate.*\nRedis is back$/);
      } finally {
        await redis.close();
      }
    }),
});

Deno.test({
  name: "a Redis that hangs holds up no start, no request for longer than a command, and no end",
  ignore: redisMissing() !== null,
  fn: () =>
    withRedis(async ({ url, pause, resume }) => {
      const log: string[] = [];
      const logger = { log: ({ message }: LogEntry) => void log.push(message) };
      const open = () =>
        openRedis({ url, name: "test", logger, clock, fallback, commandTimeout: 100 });
      const answering = await open();
      await pause();
      const takes = [1, 2, 3].map(() => answering.limiter.take("hung", 2, 60));
      assertEquals(await Promise.all(takes), [true, true, false]);
      await answering.revocations.tell({ tokenId: "one", expiresAt: 1 });
      await assertRejects(() => answering.pubSub.publish(["event"]));
      await answering.close();
      assertEquals(log, [COUNTED_IN_MEMORY, "Revocations go by the database alone"]);
      const late = await open();
      assertMatch(log.at(-1) ?? "", /^Redis is away: /);
      assert(await late.limiter.take("late", 1, 60));
      resume();
      while (log.at(-1) !== "Redis is back") await passed(5);
      await late.close();
    }),
});

Deno.test({
  name: "a Redis that refuses the API's password keeps it from starting, and is not quoted with it",
  ignore: redisMissing() !== null,
  fn: () =>
    withRedis(async ({ url }) => {
      const client = await createClient({ url }).connect();
      await client.configSet("requirepass", "right");
      const logger = { log: () => {} };
      for (const password of ["", "wrong"]) {
        const named = URL.parse(url);
        assert(named);
        named.password = password;
        const error = await assertRejects(() =>
          openRedis({ url: named.href, name: "test", logger, clock, fallback })
        );
        assert(error instanceof Error);
        assertMatch(
          error.message,
          /^Cannot start: REDIS_URL 'redis:\/\/127[^@']*' refuses this API: /,
        );
        assert(!error.message.includes("wrong@"));
      }
      await client.close();
    }),
});

Deno.test("an outage of Redis is one line of the log, and the next one another", async () => {
  const log: string[] = [];
  let isAway = true;
  let now = 0;
  const limiter = redisRateLimiter({
    redis: { eval: () => isAway ? Promise.reject(new Error("away")) : Promise.resolve(1) },
    fallback,
    logger: { log: ({ message }) => void log.push(message) },
    clock: { now: () => now },
  });
  for (const away of [true, true, false, false, true]) {
    isAway = away;
    await limiter.take("outage", 10, 60);
    now += 5000;
  }
  assertEquals(log, [COUNTED_IN_MEMORY, COUNTED_IN_MEMORY]);
});

/** A Redis that takes commands and answers them when it is told to. */
function hangingRedis() {
  const asked: PromiseWithResolvers<unknown>[] = [];
  const answered = () => {
    const command = Promise.withResolvers<unknown>();
    asked.push(command);
    return command.promise;
  };
  return { asked, eval: answered };
}

Deno.test("one request in five seconds waits for a Redis that hangs, and the others are counted in memory", async () => {
  let now = 0;
  const log: string[] = [];
  const redis = hangingRedis();
  const limiter = redisRateLimiter({
    redis,
    fallback: memoryRateLimiter({ clock: { now: () => now } }),
    logger: { log: ({ message }) => void log.push(message) },
    clock: { now: () => now },
  });
  const take = () => limiter.take("hung", 4, 60);
  const timedOut = async (one: unknown) => {
    redis.asked.at(-1)?.reject(new Error("timed out"));
    return await one;
  };
  assertEquals(await timedOut(take()), true);
  // None of these is asked of Redis: each would wait for ever.
  assertEquals([await take(), await limiter.lend("hung", 4, 60)].map(Boolean), [true, true]);
  now = 4999;
  assertEquals([await take(), redis.asked.length], [true, 1]);
  now = 5000;
  const trial = take();
  assertEquals([await take(), await take(), redis.asked.length], [false, false, 2]);
  assertEquals(await timedOut(trial), false);
  now = 9999;
  assertEquals([await take(), redis.asked.length], [false, 2]);
  now = 10_000;
  const answered = take();
  redis.asked.at(-1)?.resolve(1);
  assertEquals(await answered, true);
  const next = take();
  redis.asked.at(-1)?.resolve(5);
  assertEquals([await next, redis.asked.length], [false, 4]);
  assertEquals(log, [COUNTED_IN_MEMORY]);
});

Deno.test("a clock that went back does not keep Redis from being asked", async () => {
  let now = 1_000_000;
  const redis = hangingRedis();
  const limiter = redisRateLimiter({
    redis,
    fallback,
    logger: { log: () => {} },
    clock: { now: () => now },
  });
  const failed = limiter.take("back", 1000, 60);
  redis.asked[0]?.reject(new Error("timed out"));
  await failed;
  now = 0;
  void limiter.take("back", 1000, 60);
  assertEquals(redis.asked.length, 2);
});

Deno.test("a count that is no number refuses", async () => {
  const limiter = redisRateLimiter({
    redis: { eval: () => Promise.resolve("?") },
    fallback,
    logger: { log: () => {} },
    clock,
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
