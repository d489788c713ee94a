/** Whose work is taken (contract 8): a receiver has its share while others wait, and all that is free while none does. */
import { assertEquals } from "@std/assert";
import { systemRandomness as random } from "../../../library/platform/system.ts";
import { changeSql } from "../../../shared/compiler/migrations/schema_change.ts";
import { JOBS } from "../../../shared/model/webhooks.ts";
import { databaseQueue } from "../../../shared/runtime/data/database_queue.ts";
import type { Queue } from "../../../shared/runtime/ports.ts";
import { type Consumer, createConsumer } from "../../../shared/runtime/background/consumer.ts";
import { withDatabase } from "../../support/databases.ts";

interface Shares {
  readonly slots: number;
  readonly yields?: boolean;
  /** The queue hands out what came first, whoever's it is, as one outside of the database does. */
  readonly isElsewhere?: boolean;
}

interface ConsumerUnderTest {
  readonly consumer: Consumer;
  /** Work of these receivers, a letter each, which is due in this order. */
  add(receivers: string): Promise<void>;
  /** The receivers whose work is under way, in the order in which it began. */
  underWay(): string;
  /** Ends what began first of the receiver's. */
  end(receiver: string): Promise<void>;
}

function withConsumer(
  { slots, yields = true, isElsewhere = false }: Shares,
  body: (consumer: ConsumerUnderTest) => Promise<void>,
): Promise<void> {
  return withDatabase(async (database) => {
    const sql = changeSql({ kind: "createTable", table: JOBS });
    await database.migrate(sql.map((sql) => ({ sql, args: [] })));
    const clock = { now: () => Date.UTC(2026, 0, 2) };
    const inDatabase = databaseQueue({ database, clock, random });
    const { isInDatabase: _, ...elsewhere } = inDatabase;
    const queue: Queue = isElsewhere
      ? {
        ...elsewhere,
        claim: (name, claim) => inDatabase.claim(name, { ...claim, except: [] }),
      }
      : inDatabase;
    const held: { readonly receiver: string; readonly end: () => void }[] = [];
    let freed = () => {};
    const consumer = createConsumer({
      queue,
      name: "jobs",
      clock,
      logger: { log: () => {} },
      slots,
      slotsPerReceiver: Math.ceil(slots / 2),
      yields,
      lease: 10_000,
      longestWait: 60_000,
      onFree: () => freed(),
      async process({ payload }) {
        const ended = Promise.withResolvers<void>();
        held.push({ receiver: payload, end: ended.resolve });
        await ended.promise;
        return { kind: "done" };
      },
    });
    let added = 0;
    const end = async (receiver: string) => {
      const at = held.findIndex((one) => one.receiver === receiver);
      const free = new Promise<void>((resolve) => void (freed = resolve));
      for (const one of held.splice(at, 1)) one.end();
      await free;
    };
    await body({
      consumer,
      async add(receivers) {
        const jobs = [...receivers].map((payload) => {
          added += 1;
          return { id: `${added}`.padStart(3, "0"), payload, dueAt: clock.now() - 1000 + added };
        });
        await queue.add("jobs", jobs);
      },
      underWay: () => held.map(({ receiver }) => receiver).join(""),
      end,
    });
    for (const { receiver } of [...held]) await end(receiver);
    await consumer.settled();
  });
}

Deno.test("a receiver has every slot while no other waits", () =>
  withConsumer({ slots: 4 }, async ({ consumer, add, underWay, end }) => {
    await add("aaaaaaaa");
    await consumer.tick();
    assertEquals(underWay(), "aaaa");
    await end("a");
    await consumer.tick();
    assertEquals(underWay(), "aaaa");
  }));

Deno.test("a receiver has half of the slots, rounded up, while another waits, however late it came", async () => {
  for (const [slots, expected] of [[4, "aabb"], [5, "aaabb"], [2, "ab"]] as const) {
    await withConsumer({ slots }, async ({ consumer, add, underWay }) => {
      await add("aaaaaaaabbbbb");
      await consumer.tick();
      assertEquals(underWay(), expected);
    });
  }
});

Deno.test("what another leaves of the slots is not left empty", () =>
  withConsumer({ slots: 4 }, async ({ consumer, add, underWay }) => {
    await add("aaaaaab");
    await consumer.tick();
    assertEquals([...underWay()].toSorted().join(""), "aaab");
  }));

Deno.test("a slot that becomes free is another's that came meanwhile", () =>
  withConsumer({ slots: 4 }, async ({ consumer, add, underWay, end }) => {
    await add("aaaaaaaa");
    await consumer.tick();
    await add("bb");
    await end("a");
    await consumer.tick();
    await end("a");
    await consumer.tick();
    assertEquals(underWay(), "aabb");
  }));

Deno.test("with one slot receivers take turns", () =>
  withConsumer({ slots: 1 }, async ({ consumer, add, underWay, end }) => {
    await add("aaabb");
    let seen = "";
    for (let turn = 0; turn < 5; turn += 1) {
      await consumer.tick();
      seen += underWay();
      await end(underWay());
    }
    assertEquals(seen, "ababa");
  }));

Deno.test("a receiver whose share binds it always leaves slots empty", () =>
  withConsumer({ slots: 4, yields: false }, async ({ consumer, add, underWay }) => {
    await add("aaaaaaaa");
    await consumer.tick();
    assertEquals(underWay(), "aa");
  }));

Deno.test("another's work comes through what a receiver has waiting in a queue that leaves nobody out", () =>
  withConsumer({ slots: 4, isElsewhere: true }, async ({ consumer, add, underWay }) => {
    await add("aaaaaaaaaabb");
    while (await consumer.tick() > 0);
    assertEquals(underWay(), "aabb");
  }));
