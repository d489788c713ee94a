/** Several instances of one API, on one database and one Redis (definitions 8 `REDIS_URL`); one is killed in the middle. */
import { assert, assertEquals } from "@std/assert";
import { openDatabase } from "../../../library/platform/mod.ts";
import { JOBS } from "../../../shared/model/mod.ts";
import { type Instance, type InstancesUnderTest, withInstances } from "../../support/instances.ts";
import { emit, enqueue, killedProject, registerReceiver } from "../../support/kill_runs.ts";
import { EVENTS as FRAMES, type Listener, listenerOf } from "../../support/realtime.ts";
import { redisMissing } from "../../support/redis_server.ts";
import { until } from "../../support/until.ts";
import { ADMIN, webhooksProject } from "../../support/webhooks.ts";

const project = {
  ...webhooksProject,
  realtime: { ...webhooksProject.realtime, enabled: true },
  resources: webhooksProject.resources.map((resource) => ({
    ...resource,
    rateLimits: { ...resource.rateLimits, read: { limit: 20, period: 60 as const } },
    realtime: { onInsert: true, onUpdate: true, onDelete: true, roles: null, fields: [] },
  })),
};

const DATABASES = ["file", "server"] as const;
const EVENTS = 90;

for (const database of DATABASES) {
  instancesTest(
    `three instances on a ${database} deliver each event once, though one of them is killed`,
    { project, database, redis: true, prepare: registerReceiver },
    async (underTest) => {
      const [first, second, third] = [
        await underTest.start(),
        await underTest.start(),
        await underTest.start(),
      ];
      const emitted: string[] = [];
      let isKilled = false;
      const emitSome = async (instance: Instance, prefix: string, count: number) => {
        for (let at = 0, done = 0; done < count; at += 1) {
          if (await emit(instance, `${prefix}-${at}`)) {
            emitted.push(`${prefix}-${at}`);
            done += 1;
          } else if (instance === third && isKilled) return;
        }
      };
      await Promise.all([
        emitSome(first, "first", EVENTS / 3),
        emitSome(second, "second", EVENTS / 3),
        emitSome(third, "third", EVENTS / 3),
        (async () => {
          while (underTest.received.length < EVENTS / 4) await passed(5);
          isKilled = true;
          await third.kill();
        })(),
      ]);
      await untilArrived(underTest, emitted);
      const ids = new Map<unknown, Set<string>>();
      for (const { id, data } of underTest.received) {
        ids.set(data, (ids.get(data) ?? new Set()).add(id));
      }
      assertEquals([...ids.values()].filter(({ size }) => size > 1), []);
    },
  );
}

instancesTest(
  "what any of three instances commits reaches the subscribers of the others, though one is killed",
  { project, database: "file", redis: true },
  async (underTest) => {
    const [first, second, third] = [
      await underTest.start(),
      await underTest.start(),
      await underTest.start(),
    ];
    const listeners = [await listen(first), await listen(second)];
    const expected: string[] = [];
    const create = async (instance: Instance) => {
      const id = await createdProject(instance);
      if (id !== null) expected.push(`record.created projects ${id}`);
      return id;
    };
    for (const instance of [first, second, third]) assert(await create(instance));
    const heard = await Promise.all(listeners.map((listener) => listener.brief(3)));
    // Instances publish beside their answers, so that theirs may pass each other; all hear one order.
    assertEquals(heard[0], heard[1]);
    assertEquals(heard[0]?.toSorted(), expected.toSorted());
    const acknowledged: string[] = [];
    const untilKilled = async () => {
      for (;;) {
        const id = await createdProject(third);
        if (id === null) return;
        acknowledged.push(`record.created projects ${id}`);
      }
    };
    const writing = untilKilled();
    while (acknowledged.length < 5) await passed(5);
    await third.kill();
    await writing;
    for (const instance of [first, second]) assert(await create(instance));
    const last = expected.at(-1);
    const [here, there] = await Promise.all(listeners.map((one) => heardUntil(one, last)));
    assertEquals(here, there);
    const known = [...acknowledged, ...expected.slice(3)];
    assertEquals(here?.filter((frame) => known.includes(frame)), known);
    // What was committed while its process was killed may have a frame; nothing has two.
    assertEquals(new Set(here).size, here?.length);
    await Promise.all(listeners.map((listener) => listener.leave()));
  },
);

instancesTest(
  "limits are counted for all instances together, and go on when one is killed",
  { project, database: "file", redis: true },
  async (underTest) => {
    const all = [await underTest.start(), await underTest.start(), await underTest.start()];
    const statuses: number[] = [];
    for (let at = 0; at < 24; at += 1) {
      if (at === 12) await all.pop()?.kill();
      const instance = all[at % all.length];
      assert(instance);
      const response = await instance.fetch("/api/v1/projects", { as: ADMIN });
      await response.body?.cancel();
      statuses.push(response.status);
    }
    assertEquals(statuses.filter((status) => status === 200).length, 20);
    assertEquals(statuses.slice(20), [429, 429, 429, 429]);
  },
);

instancesTest(
  "one instance works off what another took in, and none delivers what another has delivered",
  { project, database: "file", redis: true, prepare: registerReceiver },
  async (underTest) => {
    const api = await underTest.start({ WORKER: "off" });
    const emitted = Array.from({ length: 40 }, (_, at) => `event-${at}`);
    for (const payload of emitted) assert(await emit(api, payload));
    assertEquals(underTest.received.length, 0);
    // No lease ends because the machine is busy.
    const patient = { LEASE: "300000" };
    await Promise.all([underTest.start(patient), underTest.start(patient)]);
    await untilArrived(underTest, emitted);
    await untilQueueIsEmpty(underTest);
    assertEquals(underTest.received.length, emitted.length);
  },
);

instancesTest(
  "a Redis that ends and comes back with nothing loses nothing",
  { project, database: "file", redis: true, prepare: registerReceiver },
  async (underTest) => {
    const { redis } = underTest;
    assert(redis);
    const instance = await underTest.start();
    underTest.answers(() => 503);
    const emitted = ["before-1", "before-2"];
    for (const payload of emitted) assert(await emit(instance, payload));
    while (underTest.received.length < 2) await passed(5);
    await redis.kill();
    for (const payload of ["while-1", "while-2"]) {
      assert(await emit(instance, payload));
      emitted.push(payload);
    }
    underTest.answers(() => 200);
    underTest.clear();
    await redis.restart();
    await untilArrived(underTest, emitted);
  },
);

for (const database of DATABASES) {
  instancesTest(
    `jobs of two instances on a ${database} run once each and at once, with Redis, without it and with an emptied one`,
    { project: killedProject, database, redis: true, prepare: registerReceiver },
    async (underTest) => {
      const { redis } = underTest;
      assert(redis);
      await redis.kill();
      const one = await underTest.start();
      const queued: string[] = [];
      const queue = async (instance: Instance, prefix: string) => {
        const payloads = Array.from({ length: 10 }, (_, at) => `${prefix}-${at}`);
        for (const payload of payloads) assert(await enqueue(instance, payload));
        queued.push(...payloads);
        const since = Date.now();
        await untilArrived(underTest, queued);
        // The bound of an outage, with room for a busy machine; a look at overdue rows comes after 60 s.
        assert(Date.now() - since < 20_000, prefix);
      };
      await queue(one, "away-at-start");
      await redis.restart();
      const other = await underTest.start();
      for (const instance of [one, other]) await queue(instance, `there-${instance.url}`);
      await redis.restart();
      await queue(one, "emptied");
      await redis.kill();
      for (const instance of [one, other]) await queue(instance, `away-${instance.url}`);
      await redis.restart();
      await queue(other, "back");
      await untilQueueIsEmpty(underTest);
      // Each run emits its event anew, under an id of its own.
      const ids = underTest.received.map(({ id, data }) => `${data} ${id}`);
      assertEquals(new Set(ids).size, queued.length);
    },
  );
}

const jwt = {
  algorithm: "HS256" as const,
  expiresIn: 900,
  issuer: null,
  audience: null,
  ...project.auth.jwt,
  revocationCheck: true,
};

instancesTest(
  "a Redis that is away or has lost all revives no token, and refuses none that is good",
  { project: { ...project, auth: { ...project.auth, jwt } }, database: "file", redis: true },
  async ({ start, redis }) => {
    assert(redis);
    const [one, other] = [await start(), await start()];
    const ask = async (instance: Instance, jti: string, init: RequestInit = {}) => {
      const path = init.method === "POST" ? "/api/v1/token/revoke" : "/api/v1/projects";
      const response = await instance.fetch(path, { ...init, as: { ...ADMIN, jti } });
      await response.body?.cancel();
      return response.status;
    };
    const revoke = (jti: string) => ask(one, jti, { method: "POST" });
    for (const jti of ["a", "b", "c"]) assertEquals(await ask(other, jti), 200);
    assertEquals(await revoke("a"), 200);
    await redis.kill();
    assertEquals(await revoke("b"), 200);
    while (await ask(other, "b") !== 401) await passed(50);
    await redis.restart();
    for (const instance of [one, other, await start()]) {
      assertEquals(
        [await ask(instance, "a"), await ask(instance, "b"), await ask(instance, "c")],
        [401, 401, 200],
      );
    }
  },
);

function instancesTest(
  name: string,
  options: Parameters<typeof withInstances>[0],
  body: (underTest: InstancesUnderTest) => Promise<void>,
): void {
  Deno.test({ name, ignore: redisMissing() !== null, fn: () => withInstances(options, body) });
}

async function listen(instance: Instance): Promise<Listener> {
  return await listenerOf(await instance.fetch(FRAMES, { as: ADMIN }));
}

/** Its id; null: the connection broke, and nobody knows. */
async function createdProject(instance: Instance): Promise<string | null> {
  try {
    const response = await instance.fetch("/api/v1/projects", {
      as: ADMIN,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: crypto.randomUUID() }),
    });
    return String((await response.json()).id);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Every frame up to this one. */
async function heardUntil(
  listener: Listener,
  last: string | undefined,
): Promise<readonly string[]> {
  const heard: string[] = [];
  while (heard.at(-1) !== last) heard.push(...await listener.brief(1));
  return heard;
}

async function untilArrived(
  { received }: InstancesUnderTest,
  emitted: readonly string[],
): Promise<void> {
  const missing = () => {
    const arrived = new Set(received.map(({ data }) => data));
    return emitted.filter((payload) => !arrived.has(payload));
  };
  await until("every event has arrived", () => missing().length === 0, {
    context: () => missing().join(),
  });
}

/** A second delivery would be one of a job that is still there. */
async function untilQueueIsEmpty({ databaseUrl }: InstancesUnderTest): Promise<void> {
  const database = await openDatabase({ url: databaseUrl });
  const left = { sql: `SELECT count(*) FROM ${JOBS.name}`, args: [] };
  await until("no delivery is in the queue", async () => {
    const { rows: [row] } = await database.run(left);
    return row?.[0] === 0;
  }, {});
  await database.close();
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
