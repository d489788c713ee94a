/** One bad endpoint never delays the others, however much is piled up for it (contract 3.4; docs/decisions/webhooks.md). */
import { assert, assertEquals } from "@std/assert";
import { createBackgroundWorker, emitEvent } from "../../../shared/runtime/mod.ts";
import type { DialOutcome, DialRequest, Lease, Queue } from "../../../shared/runtime/ports.ts";
import { STRANGER, type WebhooksUnderTest, withWebhooks } from "../../support/webhooks.ts";

const BACKLOG = 1000;
const BAD = "https://bad.example.com/";
const GOOD = "https://good.example.com/";
/** What a turn of the worker takes, and what an attempt may take. */
const TURN_MS = 20;
const TIMEOUT_MS = 15_000;
const SECONDS = 18;
/** Turns until a delivery is made: one hands it over, the next ones take ten jobs each of the few that may be before it. */
const TURNS_MAX = 16;

/** Rounds of the event loop, of a millisecond or more, that a turn may take. */
const ROUNDS_MAX = 20_000;

const QUEUES: readonly (readonly [what: string, of: (queue: Queue) => Queue])[] = [
  ["a queue that passes over what nobody has room for", (queue) => queue],
  ["a queue that hands out what came first", (queue) => ({
    ...queue,
    claim: (name, options) => queue.claim(name, { ...options, except: [] }),
  })],
];

for (const [what, of] of QUEUES) {
  Deno.test(`an endpoint that hangs delays nobody, with ${what}`, async () => {
    await withWebhooks(async (api) => {
      const bad = endpointThatHangs(api);
      await api.register({ url: BAD });
      await api.register({ url: GOOD, as: STRANGER });
      await pileUp(api, BACKLOG);
      const turn = turnsOf(api, of, bad);
      const waits: number[] = [];
      for (let second = 0; second < SECONDS; second += 1) {
        const before = calls(api, GOOD);
        await emit(api, "org_b");
        let turns = 0;
        for (; calls(api, GOOD) === before && turns < BACKLOG; turns += 1) await turn();
        waits.push(turns);
        for (; turns < 1000 / TURN_MS; turns += 1) await turn();
      }
      assertEquals(waits.filter((turns) => turns > TURNS_MAX), []);
      // It is called all the while: more than its first attempts came to an end.
      assert(calls(api, BAD) > 32, String(calls(api, BAD)));
      bad.end();
      await api.worker.settled();
    });
  });
}

Deno.test("what is piled up is delivered, the oldest first, when its endpoint answers again", async () => {
  await withWebhooks(async (api) => {
    await api.register({ url: BAD });
    await pileUp(api, BACKLOG);
    while (await api.worker.tick() > 0) {
      await api.worker.settled();
      api.pass(1);
    }
    const ids = api.dialled.map(({ headers }) => headers["webhook-id"]);
    assertEquals([ids.length, new Set(ids).size], [BACKLOG, BACKLOG]);
    const places = api.dialled.map(({ body }, at) => Math.abs(Number(dataIn(body)) - at));
    // Of those that are in the queue together, any may be first.
    assertEquals(places.filter((distance) => distance > 128), []);
  });
});

interface HangingEndpoint {
  /** Attempts that neither failed nor will before their time is over. */
  count(): number;
  timeOut(): void;
  end(): void;
}

/** Attempts at it end when their time is over. */
function endpointThatHangs(api: WebhooksUnderTest): HangingEndpoint {
  const hanging = new Set<{ readonly until: number; readonly fail: () => void }>();
  const failed: DialOutcome = { kind: "failed", reason: "The endpoint took too long" };
  const over = (isOver: (until: number) => boolean) => {
    for (const one of hanging) {
      if (!isOver(one.until)) continue;
      hanging.delete(one);
      one.fail();
    }
  };
  api.answers(BAD, () => {
    const { promise, resolve } = Promise.withResolvers<DialOutcome>();
    hanging.add({ until: api.ports.clock.now() + TIMEOUT_MS, fail: () => resolve(failed) });
    return promise;
  });
  return {
    count: () => hanging.size,
    timeOut: () => over((until) => until <= api.ports.clock.now()),
    end: () => over(() => true),
  };
}

/** A turn ends when nothing is left to do but to wait for the endpoint that hangs, however fast the machine is. */
function turnsOf(
  api: WebhooksUnderTest,
  of: (queue: Queue) => Queue,
  bad: HangingEndpoint,
): () => Promise<void> {
  const { webhooks } = api.ports;
  assert(webhooks);
  const leases = new Set<string>();
  const worker = createBackgroundWorker(api.project, {
    ...api.ports,
    webhooks: { ...webhooks, queue: noting(of(webhooks.queue), leases) },
  });
  return async () => {
    await worker.tick();
    api.pass(TURN_MS);
    bad.timeOut();
    for (let round = 0; leases.size > bad.count(); round += 1) {
      assert(round < ROUNDS_MAX, "A job neither ends nor waits for its endpoint");
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  };
}

/** Keeps the leases that are held, each by its job and its token. */
function noting(queue: Queue, leases: Set<string>): Queue {
  const key = ({ id, token }: Lease) => `${id} ${token}`;
  const ended = async (lease: Lease, end: Promise<boolean>) => {
    const was = await end;
    leases.delete(key(lease));
    return was;
  };
  return {
    ...queue,
    async claim(name, options) {
      const claimed = await queue.claim(name, options);
      for (const lease of claimed) leases.add(key(lease));
      return claimed;
    },
    complete: (lease) => ended(lease, queue.complete(lease)),
    retry: (lease, dueAt) => ended(lease, queue.retry(lease, dueAt)),
    bury: (lease, reason) => ended(lease, queue.bury(lease, reason)),
  };
}

async function pileUp(api: WebhooksUnderTest, count: number): Promise<void> {
  for (let at = 0; at < count; at += 500) {
    await api.database.write(async (transaction) => {
      for (let one = at; one < Math.min(at + 500, count); one += 1) {
        const event = { type: "user.created", payload: one, organizationId: "org_a" };
        await emitEvent(transaction, event, api.ports);
      }
    });
    api.pass(1000);
  }
}

function emit(api: WebhooksUnderTest, organizationId: string): Promise<number> {
  const event = { type: "user.created", payload: {}, organizationId };
  return api.database.write((transaction) => emitEvent(transaction, event, api.ports));
}

function dataIn(body: DialRequest["body"]): unknown {
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)).data;
}

function calls({ dialled }: WebhooksUnderTest, to: string): number {
  return dialled.filter(({ url }) => url === to).length;
}
