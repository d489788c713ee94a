/** Writes to libSQL's own server: few round trips, and nothing twice, whatever the line does (contract 4.1 rule 8, definitions 7). */
import { assert, assertEquals } from "@std/assert";
import { openDatabase } from "../../library/platform/mod.ts";
import type { Database } from "../../shared/runtime/mod.ts";
import { DatabaseUnavailableError } from "../../shared/runtime/ports.ts";
import { type ApiUnderTest, type Ask, withDefinitions } from "../support/api.ts";
import { ORDER_FILES, ORDERS_CLERK as as } from "../support/orders_project.ts";
import { type SlowLine, slowLine } from "../support/slow_line.ts";
import { sqld, withSqld } from "../support/sqld.ts";
import { until } from "../support/until.ts";

const PROGRAM = await sqld();

/** A database of a server behind a line of the test's own. */
async function withLine(body: (database: Database, line: SlowLine) => Promise<void>) {
  if (PROGRAM === null) return;
  await withSqld(PROGRAM, async (server) => {
    const line = slowLine(server.url);
    const database = await openDatabase({ url: line.url });
    try {
      await body(database, line);
    } finally {
      line.cutEvery = null;
      await database.close();
      line.close();
    }
  });
}

function withOrders(body: (api: ApiUnderTest, line: SlowLine) => Promise<void>): Promise<void> {
  return withLine((database, line) =>
    withDefinitions(ORDER_FILES, (api) => body(api, line), {
      driver: { name: "server", with: (given) => given(database, null) },
    })
  );
}

/** Numbers of all orders, in order. */
async function numbersOf({ database }: ApiUnderTest): Promise<readonly unknown[]> {
  return (await database.run({ sql: "SELECT number FROM orders ORDER BY number", args: [] })).rows
    .flat();
}

Deno.test("each kind of write has its round trips to the server, and no more", () =>
  withOrders(async (api, line) => {
    const tripsOf = async (path: string, ask: Ask, status: number) => {
      const before = line.requests();
      const answer = await api.ask(path, { as, ...ask });
      assertEquals(answer.status, status, answer.text);
      return { trips: line.requests() - before, ...answer };
    };
    const key = { "idempotency-key": "one" };
    // Whether the token was taken back is asked once.
    await tripsOf("orders", {}, 200);
    const created = await tripsOf("orders", { body: { number: 1 } }, 201);
    const path = `orders/${created.body["id"]}`;
    const update = { method: "PATCH", body: { number: 2 } };
    const operation = { op: "create", resource: "orders", data: { number: 3 } };
    const operations = Array.from({ length: 4 }, () => operation);
    assertEquals({
      create: created.trips,
      keyed: (await tripsOf("orders", { body: { number: 1 }, headers: key }, 201)).trips,
      repeated: (await tripsOf("orders", { body: { number: 1 }, headers: key }, 201)).trips,
      update: (await tripsOf(path, update, 200)).trips,
      onCondition: (await tripsOf(path, { ...update, headers: { "if-match": '"2"' } }, 200)).trips,
      changeset: (await tripsOf("changeset", { body: { operations } }, 200)).trips,
      remove: (await tripsOf(path, { method: "DELETE" }, 200)).trips,
    }, { create: 1, keyed: 2, repeated: 2, update: 2, onCondition: 3, changeset: 5, remove: 3 });
  }));

/** Writes begin when so many have come, however long it takes the machine to bring them there. */
function together(database: Database, count: number): Database {
  const all = Promise.withResolvers<void>();
  let come = 0;
  return {
    ...database,
    async write(body) {
      if ((come += 1) === count) all.resolve();
      await all.promise;
      return await database.write(body);
    },
  };
}

Deno.test("a hundred creates at once are a few requests to the server", () =>
  withLine((database, line) => {
    const use = async (api: ApiUnderTest) => {
      await api.ask("orders", { as });
      line.delay = 5;
      const before = line.requests();
      const numbers = Array.from({ length: 100 }, (_, at) => at);
      const answers = await Promise.all(
        numbers.map((number) => api.ask("orders", { as, body: { number } })),
      );
      assertEquals(new Set(answers.map(({ status }) => status)), new Set([201]));
      assert(line.requests() - before <= 12, `${line.requests() - before} requests`);
      assertEquals(await numbersOf(api), numbers);
    };
    return withDefinitions(ORDER_FILES, use, {
      driver: { name: "server", with: (given) => given(together(database, 100), null) },
    });
  }));

Deno.test("a line that cuts answers has no statement run twice", () =>
  withLine(async (database, line) => {
    await database.migrate([{ sql: "CREATE TABLE marks (mark integer)", args: [] }]);
    line.cutEvery = 3;
    const outcomes = new Map<number, "kept" | "unknown">();
    for (let mark = 0; mark < 90; mark++) {
      try {
        await database.write(async (transaction) => {
          transaction.line?.conclude();
          await transaction.run({ sql: "INSERT INTO marks VALUES (?)", args: [mark] });
        });
        outcomes.set(mark, "kept");
      } catch (error) {
        assert(error instanceof DatabaseUnavailableError);
        outcomes.set(mark, "unknown");
      }
    }
    line.cutEvery = null;
    assert(line.cuts() >= 20, "Hardly anything was cut");
    const { rows } = await database.run({
      sql: "SELECT mark, count(*) FROM marks GROUP BY mark",
      args: [],
    });
    const times = new Map(rows.map(([mark, count]) => [Number(mark), Number(count)]));
    for (const [mark, outcome] of outcomes) {
      const count = times.get(mark) ?? 0;
      assert(count === 1 || (count === 0 && outcome === "unknown"), `${mark}: ${count} times`);
    }
    const unknown = [...outcomes.values()].filter((one) => one === "unknown");
    assertEquals(unknown.length, line.cuts());
  }));

Deno.test("a server that is killed and paused under load has each write that it answered, once", async () => {
  if (PROGRAM === null) return;
  await withSqld(PROGRAM, async (server) => {
    const database = await openDatabase({ url: server.url });
    await database.migrate([{ sql: "CREATE TABLE marks (mark text)", args: [] }]);
    const answered: string[] = [];
    const asked = new Set<string>();
    let isOver = false;
    let failures = 0;
    const writing = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const mark = crypto.randomUUID();
        asked.add(mark);
        try {
          await database.write(async (transaction) => {
            // Half of them hold the lock for several requests.
            if (asked.size % 2 === 0) await transaction.run({ sql: "SELECT 1", args: [] });
            transaction.line?.conclude();
            await transaction.run({ sql: "INSERT INTO marks VALUES (?)", args: [mark] });
          });
          answered.push(mark);
        } catch (error) {
          assert(error instanceof DatabaseUnavailableError);
          failures += 1;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    });
    const moreAnswers = () => {
      const enough = answered.length + 15;
      return until("more writes are answered", () => answered.length >= enough);
    };
    for (let round = 0; round < 2; round++) {
      await moreAnswers();
      await server.kill();
      const before = failures;
      await until("writes fail", () => failures > before);
      await server.restart();
      await moreAnswers();
      await server.pause();
      await new Promise((resolve) => setTimeout(resolve, 300));
      server.resume();
    }
    await moreAnswers();
    isOver = true;
    await Promise.all(writing);
    const { rows } = await database.run({ sql: "SELECT mark FROM marks", args: [] });
    const kept = rows.map(([mark]) => String(mark));
    const found = new Set(kept);
    assert(failures > 0 && answered.length > 50, `${failures} failed, ${answered.length} answered`);
    assertEquals(found.size, kept.length, "a write was done twice");
    assertEquals(answered.filter((mark) => !found.has(mark)), []);
    assertEquals(kept.filter((mark) => !asked.has(mark)), []);
    await database.close();
  });
});

/** A transaction that a cut leaves open keeps others waiting until the server takes the lock away, after five seconds. */
const CUTS_MAX = 2;

Deno.test("behind a line that cuts answers, what is repeated under its key happens once", () =>
  withOrders(async (api, line) => {
    const numbers = Array.from({ length: 12 }, (_, at) => at);
    line.cutEvery = 5;
    await Promise.all(numbers.map(async (number) => {
      const headers = { "idempotency-key": `order-${number}` };
      for (let tries = 1;; tries++) {
        const answer = await api.ask("orders", { as, headers, body: { number } });
        if (answer.status === 201) return;
        assertEquals([answer.status, answer.body["layer"]], [503, "database"], answer.text);
        assert(tries < 1500, "It never gets through");
        if (line.cuts() >= CUTS_MAX) line.cutEvery = null;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }));
    assert(line.cuts() > 0, "Nothing was cut");
    line.cutEvery = null;
    assertEquals(await numbersOf(api), numbers);
  }));

Deno.test("an outage says of a write whether it may have taken effect", () =>
  withOrders(async (api, line) => {
    await api.ask("orders", { as });
    line.cutEvery = 1;
    const cut = await api.ask("orders", { as, body: { number: 7 } });
    const read = await api.ask("orders", { as });
    line.cutEvery = null;
    assertEquals([cut.status, read.status], [503, 503]);
    assert(/^It may have taken effect/.test(String(cut.body["hint"])), cut.text);
    assert(/^Try again/.test(String(read.body["hint"])), read.text);
    assertEquals(await numbersOf(api), [7]);
  }));
