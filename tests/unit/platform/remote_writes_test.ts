/** Round trips of writes to a server, and that sharing them changes nothing of what they do. */
import { assertEquals, assertRejects } from "@std/assert";
import { openDatabase } from "../../../library/platform/open_database.ts";
import { ConstraintError, type Database, type Transaction } from "../../../shared/runtime/ports.ts";
import { type HranaServer, startHranaServer } from "../../support/hrana_server.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { until } from "../../support/until.ts";

interface UnderTest {
  readonly database: Database;
  readonly server: HranaServer;
  /** Round trips since it was asked last. */
  trips(): number;
}

function withRemote(body: (underTest: UnderTest) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    const server = startHranaServer({ path: `${folder}/test.db` });
    const database = await openDatabase({ url: server.url });
    let before = 0;
    const trips = () => {
      const now = server.roundTrips();
      const made = now - before;
      before = now;
      return made;
    };
    try {
      await database.migrate([
        { sql: "CREATE TABLE t (id integer PRIMARY KEY, n integer NOT NULL)", args: [] },
        { sql: "INSERT INTO t VALUES (0, 0)", args: [] },
      ]);
      trips();
      await body({ database, server, trips });
    } finally {
      await database.close();
      await server.close();
    }
  });
}

const insert = (id: number) => ({ sql: "INSERT INTO t VALUES (?, 1)", args: [id] });
const selectCount = { sql: "SELECT count(*) FROM t", args: [] };

async function idsOf(database: Database): Promise<readonly unknown[]> {
  return (await database.run({ sql: "SELECT id FROM t ORDER BY id", args: [] })).rows.flat();
}

async function concluded(transaction: Transaction, id: number): Promise<unknown> {
  transaction.line?.conclude();
  const [, counted] = await Promise.all([
    transaction.run(insert(id)),
    transaction.run(selectCount),
  ]);
  return counted.rows[0]?.[0];
}

Deno.test("a write that says what its last statements are is one round trip with its commit", () =>
  withRemote(async ({ database, trips }) => {
    assertEquals(await database.write((transaction) => concluded(transaction, 1)), 2);
    assertEquals(trips(), 1);
    assertEquals(await idsOf(database), [0, 1]);
  }));

Deno.test("a refused write of one round trip leaves nothing and no transaction open", () =>
  withRemote(async ({ database, trips }) => {
    await assertRejects(() => database.write((one) => concluded(one, 0)), ConstraintError);
    assertEquals(trips(), 1);
    await database.write((transaction) => concluded(transaction, 1));
    assertEquals(await idsOf(database), [0, 1]);
  }));

Deno.test("writes that wait share round trips, and one that is refused takes no other along", () =>
  withRemote(async ({ database, trips }) => {
    const ids = Array.from({ length: 40 }, (_, at) => at);
    const all = await Promise.allSettled(
      ids.map((id) => database.write((transaction) => concluded(transaction, id))),
    );
    assertEquals(trips() <= 3, true);
    assertEquals(all.map(({ status }) => status), [
      "rejected",
      ...ids.slice(1).map(() => "fulfilled"),
    ]);
    // Each saw what those before it had done, and nothing of the one that was refused.
    assertEquals(
      all.flatMap((one) => one.status === "fulfilled" ? [one.value] : []),
      ids.slice(1).map((id) => id + 1),
    );
    assertEquals(await idsOf(database), ids);
  }));

Deno.test("a write whose last statements miss a row that they require is not kept", () =>
  withRemote(async ({ database, trips }) => {
    const requiring = (id: number, required: number) =>
      database.write(async (transaction) => {
        transaction.line?.conclude();
        const one = { sql: "SELECT id FROM t WHERE id = ?", args: [required], rowsRequired: 1 };
        const [found] = await Promise.allSettled([
          transaction.run(one),
          transaction.run(insert(id)),
        ]);
        if (found.status === "fulfilled" && found.value.rows.length === 0) {
          throw new RangeError("There is no such row");
        }
      });
    const refused = assertRejects(() => requiring(1, 7), RangeError);
    await Promise.all([refused, requiring(2, 0)]);
    assertEquals(trips() <= 2, true);
    assertEquals(await idsOf(database), [0, 2]);
    await assertRejects(() => requiring(3, 7), RangeError);
    assertEquals(await idsOf(database), [0, 2]);
  }));

Deno.test("a write that goes on although its last statements were refused fails", () =>
  withRemote(async ({ database }) => {
    await assertRejects(
      () =>
        database.write(async (transaction) => {
          transaction.line?.conclude();
          await Promise.allSettled([transaction.run(insert(0))]);
        }),
      Error,
      "refused",
    );
    assertEquals(await idsOf(database), [0]);
  }));

Deno.test("a part that is undone travels with what follows, and the rest stands", () =>
  withRemote(async ({ database, trips }) => {
    await database.write(async (transaction) => {
      const { line } = transaction;
      if (!line) throw new Error("A write to a server has a line");
      const mark = line.mark();
      await transaction.run(insert(1));
      line.rewind(mark);
      line.conclude();
      await transaction.run(insert(2));
    });
    assertEquals(trips(), 2);
    assertEquals(await idsOf(database), [0, 2]);
    await database.write(async (transaction) => {
      const mark = transaction.line?.mark() ?? 0;
      await transaction.run(insert(3));
      transaction.line?.rewind(mark);
    });
    assertEquals(await idsOf(database), [0, 2]);
  }));

Deno.test("writes whose last statements touch nobody else's share two round trips", () =>
  withRemote(async ({ database, trips }) => {
    const keyed = (id: number) =>
      database.write(async (transaction) => {
        const mark = transaction.line?.mark() ?? 0;
        await transaction.run(insert(id));
        if (id % 3 === 0) transaction.line?.rewind(mark);
        transaction.line?.conclude("apart");
        await transaction.run(insert(100 + id));
      });
    await Promise.all([1, 2, 4, 5].map(keyed));
    assertEquals(trips(), 2);
    await Promise.all([6, 7, 8, 9].map(keyed));
    const kept = [1, 2, 4, 5, 7, 8];
    assertEquals(await idsOf(database), [
      0,
      ...kept,
      ...[1, 2, 4, 5, 6, 7, 8, 9].map((id) => 100 + id),
    ]);
  }));

/** Reads, counts up in JavaScript, writes: an overlap with another one would lose a count. */
async function countUp(transaction: Transaction, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const { rows } = await transaction.run({ sql: "SELECT n FROM t WHERE id = 0", args: [] });
    await transaction.run({
      sql: "UPDATE t SET n = ? WHERE id = 0",
      args: [Number(rows[0]?.[0]) + 1],
    });
  }
}

Deno.test("writes of several steps take effect one after the other, whatever becomes of each", () =>
  withRemote(async ({ database }) => {
    let expected = 0;
    let seed = 7;
    const draw = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 30; round++) {
      const writes = Array.from({ length: 1 + draw(9) }, async (_, at) => {
        const kind = draw(5);
        const steps = 1 + draw(3);
        const run = database.write(async (transaction) => {
          if (kind === 0) {
            // Counts in SQL, in one round trip.
            transaction.line?.conclude();
            await transaction.run({ sql: "UPDATE t SET n = n + 1 WHERE id = 0", args: [] });
            return 1;
          }
          await countUp(transaction, steps);
          if (kind === 1) throw new RangeError("Not kept");
          if (kind === 2) {
            const mark = transaction.line?.mark() ?? 0;
            await countUp(transaction, 1);
            transaction.line?.rewind(mark);
          }
          if (kind === 3) {
            transaction.line?.conclude("apart");
            await transaction.run(insert(1 + round * 100 + at));
          }
          return steps;
        });
        if (kind === 1) await assertRejects(() => run, RangeError);
        else {
          const counted = await run;
          expected += counted;
        }
      });
      await Promise.all(writes);
      const { rows } = await database.run({ sql: "SELECT n FROM t WHERE id = 0", args: [] });
      assertEquals(rows[0]?.[0], expected);
    }
  }));

Deno.test("a group that takes long commits, and what has not begun goes on in another one", () =>
  withRemote(async ({ database }) => {
    const ended: number[] = [];
    const writes = [1, 2, 3].map(async (id) => {
      await database.write(async (transaction) => {
        await transaction.run(selectCount);
        await new Promise((resolve) => setTimeout(resolve, 600));
        await transaction.run(insert(id));
      });
      ended.push(id);
      // Whoever else had come with it, it is there by then.
      assertEquals((await idsOf(database)).includes(id), true);
    });
    await Promise.all(writes);
    assertEquals(ended, [1, 2, 3]);
  }));

Deno.test("closing a database waits for its writes", () =>
  withRemote(async ({ database, server }) => {
    const writes = [1, 2, 3].map((id) =>
      database.write(async (transaction) => {
        await transaction.run(selectCount);
        await transaction.run(insert(id));
      })
    );
    const before = server.roundTrips();
    await until("they have asked", () => server.roundTrips() > before);
    await database.close();
    await Promise.all(writes);
    await assertRejects(() => database.write((one) => one.run(selectCount)), Error, "closed");
    const again = await openDatabase({ url: server.url });
    assertEquals(await idsOf(again), [0, 1, 2, 3]);
    await again.close();
  }));
