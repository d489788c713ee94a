/** Realtime of two instances over one database and one Redis (contract 6.3, definitions 8 `REDIS_URL`). */
import { assert, assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { memoryRateLimiter } from "../../library/platform/memory_rate_limiter.ts";
import { openRedis } from "../../library/platform/redis/open_redis.ts";
import { systemClock as clock } from "../../library/platform/system.ts";
import { type App, createApp } from "../../shared/runtime/mod.ts";
import { AUTH_SECRET, BASE_URL, type Claims, tokenFor, withApi } from "../support/api.ts";
import { board } from "../support/board_project.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { EVENTS, type Listener, listenerOf, manualTimer } from "../support/realtime.ts";
import { redisMissing, type RedisUnderTest, withRedis } from "../support/redis_server.ts";

const test = ofOneDatabase("it makes more APIs by itself, over one database");

const ADMIN: Claims = { sub: "user_a", orgId: "org_a", roles: ["admin"] };
const STRANGER: Claims = { sub: "user_s", orgId: "org_b", roles: ["admin"] };

interface Instances {
  readonly redis: RedisUnderTest;
  made(app: App): Promise<string>;
  listen(app: App, as: Claims, lastEventId?: string): Promise<Listener>;
}

function withInstances(
  body: (one: App, other: App, instances: Instances) => Promise<void>,
): Promise<void> {
  const logger = { log: () => {} };
  return withRedis((redis) =>
    withCompiled(board(), async ({ model, code }) => {
      const fallback = memoryRateLimiter({ clock });
      const open = () => openRedis({ url: redis.url, name: "board", logger, clock, fallback });
      const [first, second] = [await open(), await open()];
      const request = async (path: string, as: Claims, init: RequestInit = {}) => {
        const headers = new Headers(init.headers);
        headers.set("host", new URL(BASE_URL).host);
        headers.set("authorization", `Bearer ${await tokenFor(as)}`);
        return new Request(BASE_URL + path, { ...init, headers });
      };
      await withApi(model, async (api) => {
        const settings = {
          baseUrl: BASE_URL,
          authSecret: AUTH_SECRET,
          production: false,
          exposeErrorStack: false,
          allowedHosts: null,
        };
        const realtime = { pubSub: second.pubSub, timer: manualTimer(api.ports.clock) };
        const other = createApp(model, { ...api.ports, realtime }, settings, {
          openapi: null,
          ...code,
        });
        await body(api, other, {
          redis,
          async made(app) {
            const answer = await app.fetch(
              await request("/api/v1/cards", ADMIN, {
                method: "POST",
                body: JSON.stringify({ title: "Paint" }),
                headers: { "content-type": "application/json" },
              }),
              { clientIp: null },
            );
            assertEquals(answer.status, 201);
            return String((await answer.json()).id);
          },
          async listen(app, as, lastEventId) {
            const search = lastEventId === undefined ? "" : `?lastEventId=${lastEventId}`;
            const answer = await app.fetch(await request(EVENTS + search, as), { clientIp: null });
            return await listenerOf(answer);
          },
        });
        for (const app of [api, other]) app.end();
      }, {
        actions: code,
        realtime: (ports) => ({ pubSub: first.pubSub, timer: manualTimer(ports.clock) }),
      });
      await Promise.all([first.close(), second.close()]);
    })
  );
}

const ignore = redisMissing() !== null;

test({
  name: "what one instance commits reaches the subscribers of all, each with their own sight",
  ignore,
  fn: () =>
    withInstances(async (one, other, { made, listen }) => {
      const here = await listen(one, ADMIN);
      const there = await listen(other, ADMIN);
      const stranger = await listen(other, STRANGER);
      const ids = [await made(one), await made(other), await made(one)];
      const expected = ids.map((id) => `record.created cards ${id}`).sort();
      const told = [await here.brief(3), await there.brief(3)];
      assertEquals(told.map((list) => list.toSorted()), [expected, expected]);
      // Both heard them in one order.
      assertEquals(told[0], told[1]);
      other.end();
      assertEquals((await stranger.next()).data["reason"], "shutdown");
    }),
});

test({
  name: "a subscriber comes back at another instance, and after a Redis that forgot is told so",
  ignore,
  fn: () =>
    withInstances(async (one, other, { made, listen, redis }) => {
      const here = await listen(one, ADMIN);
      const first = await made(one);
      const { id } = await here.next();
      assert(id);
      await here.leave();
      const second = await made(other);
      const there = await listen(other, ADMIN, id);
      assertEquals(await there.brief(1), [`record.created cards ${second}`]);
      const begun = await listen(other, ADMIN, here.from);
      assertEquals(
        await begun.brief(2),
        [first, second].map((one) => `record.created cards ${one}`),
      );
      await redis.restart();
      // Whoever was on is told, as soon as Redis is back; so is whoever comes back now.
      assertEquals((await there.next()).event, "resync");
      const late = await listen(other, ADMIN, id);
      assertEquals((await late.next()).event, "resync");
    }),
});
