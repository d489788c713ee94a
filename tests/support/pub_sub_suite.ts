/** What every log of events must do (contract 6.3): one suite, whatever keeps it. */
import { assertEquals } from "@std/assert";
import { compareEventIds } from "../../shared/lib/ids.ts";
import type { PublishedEvent, PubSub } from "../../shared/runtime/ports.ts";

export interface PubSubUnderTest {
  readonly name: string;
  /** Several instances over one log, which keeps this many events or a few more. */
  readonly with: (
    kept: number,
    body: (one: PubSub, other: PubSub) => Promise<void>,
  ) => Promise<void>;
  readonly ignore?: boolean;
}

interface Heard {
  readonly events: readonly PublishedEvent[];
  /** Resolves when so many events have come. */
  until(count: number): Promise<readonly string[]>;
  readonly stop: () => void;
}

async function listening(pubSub: PubSub): Promise<Heard> {
  const events: PublishedEvent[] = [];
  let wake = () => {};
  const stop = await pubSub.listen({
    event(event) {
      events.push(event);
      wake();
    },
    gap: () => {},
  });
  return {
    events,
    stop,
    async until(count) {
      while (events.length < count) await new Promise<void>((resolve) => (wake = resolve));
      return events.map(({ text }) => text);
    },
  };
}

const texts = (events: readonly PublishedEvent[] | null) => events?.map(({ text }) => text) ?? null;

export function testPubSub({ name, ignore = false, with: withLog }: PubSubUnderTest): void {
  const test = (what: string, kept: number, body: (one: PubSub, other: PubSub) => Promise<void>) =>
    Deno.test({ name: `${name}: ${what}`, ignore, fn: () => withLog(kept, body) });

  test("events reach the listeners of all instances, in order", 100, async (one, other) => {
    const heard = await Promise.all([listening(one), listening(other)]);
    for (let at = 0; at < 20; at += 1) await (at % 2 === 0 ? one : other).publish([`${at}`]);
    const expected = Array.from({ length: 20 }, (_, at) => `${at}`);
    for (const { until } of heard) assertEquals(await until(20), expected);
    const [ids = [], others = []] = heard.map(({ events }) => events.map(({ id }) => id));
    assertEquals(ids, others);
    assertEquals(ids, [...new Set(ids)].sort(compareEventIds));
    for (const { stop } of heard) stop();
  });

  test(
    "a listener hears nothing of before, and nothing after it stopped",
    100,
    async (one, other) => {
      await one.publish(["before"]);
      const heard = await listening(other);
      await one.publish(["now"]);
      assertEquals(await heard.until(1), ["now"]);
      heard.stop();
      const still = await listening(one);
      await one.publish(["after"]);
      await still.until(1);
      assertEquals(texts(heard.events), ["now"]);
      still.stop();
    },
  );

  test("what came after a place is read at any instance, page by page", 100, async (one, other) => {
    const from = await one.position();
    await one.publish(["a", "b"]);
    await one.publish(["c"]);
    const page = await other.after(from, 2);
    assertEquals(texts(page), ["a", "b"]);
    assertEquals(texts(await one.after(page?.[1]?.id ?? "", 2)), ["c"]);
    assertEquals(texts(await one.after(await other.position(), 2)), []);
  });

  test("a place in a quiet log is known", 100, async (one, other) => {
    const from = await one.position();
    assertEquals(texts(await other.after(from, 5)), []);
    await other.publish(["first"]);
    assertEquals(texts(await one.after(from, 5)), ["first"]);
  });

  test(
    "a place whose successors are gone is told from one that is known",
    3,
    async (one, other) => {
      const from = await one.position();
      for (let at = 0; at < 400; at += 1) await one.publish([`${at}`]);
      assertEquals(await other.after(from, 5), null);
      const recent = await one.position();
      await one.publish(["last"]);
      assertEquals(texts(await other.after(recent, 5)), ["last"]);
    },
  );

  test("a place of another log is unknown", 100, async (one) => {
    await one.publish(["first"]);
    assertEquals(await one.after("1-0", 5), null);
    assertEquals(await one.after("999999999999999-0", 5), null);
  });
}
