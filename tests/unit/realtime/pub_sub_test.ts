/** The log of events in memory and in a real Redis (contract 6.3, definitions 8 `REDIS_URL`). */
import { assert, assertEquals } from "@std/assert";
import { redisPubSub } from "../../../library/platform/redis/redis_pub_sub.ts";
import { memoryPubSub } from "../../../shared/runtime/mod.ts";
import { createClient } from "redis";
import type { LogEntry } from "../../../shared/runtime/ports.ts";
import { testPubSub } from "../../support/pub_sub_suite.ts";
import { redisMissing, withRedis } from "../../support/redis_server.ts";
import { until } from "../../support/until.ts";

testPubSub({
  name: "memory",
  async with(kept, body) {
    const pubSub = memoryPubSub({ now: Date.now }, kept);
    await body(pubSub, pubSub);
  },
});

const ignore = redisMissing() !== null;

async function openLog(url: string, name: string, eventsMax: number) {
  const log: LogEntry[] = [];
  const client = createClient({ url, disableOfflineQueue: true });
  client.on("error", () => {});
  await client.connect();
  const openWaiting = async () => {
    const connection = client.duplicate();
    connection.on("error", () => {});
    await connection.connect();
    return connection;
  };
  const logger = { log: (entry: LogEntry) => void log.push(entry) };
  let failures = 0;
  const counted = {
    eval: async (...given: Parameters<typeof client.eval>) => {
      try {
        return await client.eval(...given);
      } catch (error) {
        failures += 1;
        throw error;
      }
    },
  };
  const pubSub = redisPubSub({ client: counted, openWaiting, name, logger, eventsMax });
  return { pubSub, log, failures: () => failures, close: () => client.destroy() };
}

testPubSub({
  name: "redis",
  ignore,
  with: (kept, body) =>
    withRedis(async ({ url }) => {
      const [one, other] = [await openLog(url, "a", kept), await openLog(url, "a", kept)];
      try {
        await body(one.pubSub, other.pubSub);
      } finally {
        one.close();
        other.close();
      }
    }),
});

Deno.test({
  name: "two APIs in one Redis do not hear each other",
  ignore,
  fn: () =>
    withRedis(async ({ url }) => {
      const [one, other] = [await openLog(url, "a", 10), await openLog(url, "b", 10)];
      const from = await other.pubSub.position();
      await one.pubSub.publish(["mine"]);
      assertEquals(await other.pubSub.after(from, 10), []);
      one.close();
      other.close();
    }),
});

Deno.test({
  name: "a Redis that goes away is an error for whoever publishes, and told in the log",
  ignore,
  fn: () =>
    withRedis(async ({ url, kill }) => {
      const { pubSub, log, close } = await openLog(url, "a", 10);
      const stop = await pubSub.listen({ event: () => {}, gap: () => {} });
      await kill();
      const outcome = await pubSub.publish(["lost"]).then(() => "published", () => "refused");
      assertEquals(outcome, "refused");
      while (log.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      stop();
      close();
      assert(log.every(({ message }) => message === "Events do not come from Redis"));
    }),
});

Deno.test({
  name: "a Redis that forgot is one gap and one line in the log, however often it is tried again",
  ignore,
  fn: () =>
    withRedis(async ({ url, kill, restart }) => {
      const { pubSub, log, failures, close } = await openLog(url, "a", 10);
      let gaps = 0;
      let events = 0;
      const stop = await pubSub.listen({
        event: () => void (events += 1),
        gap: () => void (gaps += 1),
      });
      await kill();
      await until("two more attempts have failed", () => failures() >= 2);
      assertEquals(log.length, 1);
      await restart();
      while (gaps === 0) await passed(20);
      const client = await createClient({ url }).connect();
      const publish = () =>
        client.sendCommand(["XADD", "quickback:events:a", "*", "event", "text"]);
      await publish();
      while (events < 1) await passed(20);
      assertEquals(log.length, 1);
      await client.sendCommand(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
      while (log.length < 2) await passed(20);
      await publish();
      while (events < 2) await passed(20);
      assertEquals([gaps, log.length], [1, 2]);
      stop();
      close();
      await client.close();
    }),
});

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
