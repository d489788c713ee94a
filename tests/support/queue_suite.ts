/** What every queue adapter keeps to (`shared/runtime/webhook_ports.ts`): one suite, run against each. */
import { assertEquals } from "@std/assert";
import type { Lease, NewJob, Queue } from "../../shared/runtime/ports.ts";

export interface QueueUnderTest {
  /** Two handles on one queue, as two processes have them. */
  readonly queue: Queue;
  readonly other: Queue;
  now(): number;
  /** Lets time go by for the queue. */
  pass(milliseconds: number): Promise<void>;
}

export interface QueueAdapter {
  readonly name: string;
  /** Null: it can be tested here; otherwise why not. */
  readonly missing: string | null;
  with(body: (underTest: QueueUnderTest) => Promise<void>): Promise<void>;
}

const NAME = "webhook-deliveries";
/** No lease of these ends during a test, however busy the machine is on which time is real. */
const ALL = { limit: 10, lease: 300_000, longestWait: 5000 };
/** A lease whose end is waited for. */
const ENDING = { ...ALL, lease: 1200 };

export function testQueue(adapter: QueueAdapter): void {
  const test = (what: string, body: (underTest: QueueUnderTest) => Promise<void>) =>
    Deno.test({
      name: `${adapter.name} queue: ${what}`,
      ignore: adapter.missing !== null,
      fn: () => adapter.with(body),
    });
  if (adapter.missing !== null) console.log(`${adapter.name} queue: skipped, ${adapter.missing}`);

  test("hands out what is due, once", async ({ queue, other, now, pass }) => {
    await queue.add(NAME, [job("a", now()), job("b", now()), job("later", now() + 6000)]);
    const [one, two] = await Promise.all([queue.claim(NAME, ALL), other.claim(NAME, ALL)]);
    assertEquals(idsOf([...one, ...two]), ["a", "b"]);
    assertEquals([...one, ...two].map(({ payload }) => payload).sort(), ["of a", "of b"]);
    await completeAll(queue, [...one, ...two]);
    assertEquals(await queue.claim(NAME, ALL), []);
    await pass(6100);
    assertEquals(idsOf(await other.claim(NAME, ALL)), ["later"]);
  });

  test("hands out no more than asked for, the longest due first", async ({ queue, now }) => {
    await queue.add(NAME, [
      job("third", now()),
      job("first", now() - 20),
      job("second", now() - 10),
    ]);
    assertEquals(idsOf(await queue.claim(NAME, { ...ALL, limit: 2 })), ["first", "second"]);
    assertEquals(idsOf(await queue.claim(NAME, ALL)), ["third"]);
  });

  test("hands out what the claimer has room for, whatever it does with the rest", async (underTest) => {
    const { queue, now } = underTest;
    await queue.add(NAME, [job("busy", now() - 10), job("free", now())]);
    const claimed = await queue.claim(NAME, { ...ALL, except: ["of busy"] });
    assertEquals(claimed.some(({ id }) => id === "free"), true);
  });

  test("keeps queues apart", async ({ queue, now }) => {
    await queue.add("webhook-events", [job("event", now())]);
    assertEquals(await queue.claim(NAME, ALL), []);
    assertEquals(idsOf(await queue.claim("webhook-events", ALL)), ["event"]);
  });

  test("knows a job by its id", async ({ queue, other, now }) => {
    await queue.add(NAME, [job("a", now())]);
    await other.add(NAME, [{ ...job("a", now()), payload: "again" }]);
    const claimed = await queue.claim(NAME, ALL);
    assertEquals(claimed.map(({ id, payload }) => [id, payload]), [["a", "of a"]]);
    await other.add(NAME, [job("a", now())]);
    assertEquals(await other.claim(NAME, ALL), []);
  });

  test("adds nothing without jobs", async ({ queue }) => {
    await queue.add(NAME, []);
    assertEquals(await queue.claim(NAME, ALL), []);
  });

  test("hands a job out again when its lease ends, and counts", async (underTest) => {
    const { queue, other, now, pass } = underTest;
    await queue.add(NAME, [job("a", now())]);
    const [first] = await queue.claim(NAME, ENDING);
    assertEquals(first?.attempts, 1);
    await pass(ENDING.lease + 100);
    const second = await claimedSoon(other, underTest);
    assertEquals(second.attempts, 2);
    // The first holder is late: whatever it says now changes nothing.
    if (!first) throw new Error("Nothing was handed out");
    assertEquals(await queue.complete(first), false);
    assertEquals(await queue.retry(first, now()), false);
    assertEquals(await queue.bury(first, "late"), false);
    assertEquals(await queue.renew(first, 1000), false);
    assertEquals(await other.complete(second), true);
    assertEquals(await queue.dead(NAME, 10), []);
  });

  test("leaves a renewed lease alone", async (underTest) => {
    const { queue, other, now, pass } = underTest;
    await queue.add(NAME, [job("a", now())]);
    const lease = 5000;
    const [held] = await queue.claim(NAME, { ...ALL, lease });
    if (!held) throw new Error("Nothing was handed out");
    for (let round = 0; round < 2; round += 1) {
      await pass(2700);
      assertEquals(await queue.renew(held, lease), true);
      assertEquals(await other.claim(NAME, ALL), []);
    }
    assertEquals(await queue.complete(held), true);
  });

  test("hands a job out again when asked to, not before", async (underTest) => {
    const { queue, other, now, pass } = underTest;
    await queue.add(NAME, [job("a", now())]);
    const [held] = await queue.claim(NAME, ALL);
    if (!held) throw new Error("Nothing was handed out");
    assertEquals(await queue.retry(held, now() + 4000), true);
    assertEquals(await other.claim(NAME, ALL), []);
    await pass(4100);
    assertEquals((await claimedSoon(other, underTest)).attempts, 2);
  });

  test("keeps dead letters, and hands them out no more", async ({ queue, other, now, pass }) => {
    await queue.add(NAME, [job("a", now())]);
    const [held] = await queue.claim(NAME, ENDING);
    if (!held) throw new Error("Nothing was handed out");
    assertEquals(await queue.bury(held, "Three attempts failed"), true);
    await pass(ENDING.lease + 100);
    assertEquals(await other.claim(NAME, ALL), []);
    assertEquals(await other.dead(NAME, 10), [
      { id: "a", payload: "of a", attempts: 1, reason: "Three attempts failed" },
    ]);
    assertEquals(await other.dead("webhook-events", 10), []);
  });

  test("forgets dead letters by their age", async ({ queue, now, pass }) => {
    await queue.add(NAME, [job("old", now())]);
    await buryAll(queue);
    await pass(300);
    const between = now();
    await pass(2000);
    await queue.add(NAME, [job("new", now())]);
    await buryAll(queue);
    await queue.forget("webhook-events", now());
    await queue.forget(NAME, between);
    assertEquals(idsOf(await queue.dead(NAME, 10)), ["new"]);
  });

  test("never gives one job to two of many claimers", async ({ queue, other, now }) => {
    const jobs = Array.from({ length: 60 }, (_, at) => job(`job-${at}`, now()));
    await queue.add(NAME, jobs);
    const claims = await Promise.all(
      Array.from(
        { length: 12 },
        (_, at) => (at % 2 === 0 ? queue : other).claim(NAME, { ...ALL, limit: 5 }),
      ),
    );
    assertEquals(idsOf(claims.flat()), idsOf(jobs));
  });
}

async function buryAll(queue: Queue): Promise<void> {
  for (const lease of await queue.claim(NAME, ALL)) await queue.bury(lease, "For a test");
}

function job(id: string, dueAt: number): NewJob {
  return { id, payload: `of ${id}`, dueAt };
}

function idsOf(jobs: readonly { readonly id: string }[]): readonly string[] {
  return jobs.map(({ id }) => id).sort();
}

async function completeAll(queue: Queue, leases: readonly Lease[]): Promise<void> {
  for (const lease of leases) assertEquals(await queue.complete(lease), true);
}

/** The one due job; an adapter may take a moment to see that a lease is over. */
async function claimedSoon(queue: Queue, { pass }: QueueUnderTest): Promise<Lease> {
  for (let tries = 0; tries < 3000; tries += 1) {
    const [lease] = await queue.claim(NAME, ALL);
    if (lease) return lease;
    await pass(100);
  }
  throw new Error("The job was not handed out");
}
