/** A server that holds still is told from one that works for long, and what was asked of it from what was not. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { openDatabase } from "../../../library/platform/open_database.ts";
import { watchServer } from "../../../library/platform/libsql/server_watch.ts";
import type { Database } from "../../../shared/runtime/ports.ts";
import { DatabaseUnavailableError } from "../../../shared/runtime/ports.ts";
import { sqld, withSqld } from "../../support/sqld.ts";
import { until } from "../../support/until.ts";

const program = await sqld();
const TURN_MS = 50;

/** A server whose answers wait for the gates of a test. */
async function withGates(
  body: (
    gates: {
      readonly url: string;
      health: Promise<void>;
      readonly work: PromiseWithResolvers<void>;
      /** Times that it was asked how it is. */
      looks: number;
    },
  ) => Promise<void>,
): Promise<void> {
  const work = Promise.withResolvers<void>();
  const gates = { url: "", health: Promise.resolve(), work, looks: 0 };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const isLook = request.url.endsWith("/health");
    if (isLook) gates.looks += 1;
    await (isLook ? gates.health : gates.work.promise);
    return new Response("done");
  });
  gates.url = `http://127.0.0.1:${server.addr.port}`;
  try {
    await body(gates);
  } finally {
    work.resolve();
    await server.shutdown();
  }
}

async function outageOf(run: () => Promise<unknown>): Promise<DatabaseUnavailableError> {
  const error = await assertRejects(run);
  assert(error instanceof DatabaseUnavailableError);
  return error;
}

const passed = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

Deno.test("a server that says that it is there is waited for", () =>
  withGates(async (gates) => {
    const { url, work } = gates;
    const watch = watchServer(new URL(`${url}/health`));
    const answer = watch.during(async (signal) => (await fetch(`${url}/work`, { signal })).text());
    // Of a silent one three looks are waited for.
    await until("it was looked at four times", () => gates.looks >= 4);
    work.resolve();
    assertEquals(await answer, "done");
  }));

Deno.test("a server that is silent is given up, not asked again, and believed when it is back", () =>
  withGates(async (gates) => {
    const silence = Promise.withResolvers<void>();
    gates.health = silence.promise;
    const watch = watchServer(new URL(`${gates.url}/health`), TURN_MS);
    const ask = () =>
      watch.during(async (signal) => (await fetch(`${gates.url}/work`, { signal })).text());
    const error = await assertRejects(ask, Error);
    assertEquals(error.message, "The server holds still");
    let isSent = false;
    const sent = () =>
      watch.during(() => {
        isSent = true;
        return Promise.resolve("sent");
      });
    const refusal = await outageOf(sent);
    assertEquals([isSent, refusal.outcome], [false, "undone"]);
    silence.resolve();
    gates.work.resolve();
    for (;;) {
      const answer = await sent().catch((error: unknown) => error);
      if (answer === "sent") break;
      assert(answer instanceof DatabaseUnavailableError);
      await passed(20);
    }
    await until("it answers", async () => await ask().catch(() => "") === "done");
    watch.close();
  }));

const insert = (database: Database, mark: number) =>
  database.write(async (transaction) => {
    transaction.line?.conclude();
    await transaction.run({ sql: "INSERT INTO marks VALUES (?)", args: [mark] });
  });

Deno.test({
  name: "a write that was sent to a paused server may be done, the next was not sent",
  ignore: program === null,
  fn: () =>
    withSqld(program ?? "", async (server) => {
      const database = await openDatabase({ url: server.url });
      await database.migrate([{ sql: "CREATE TABLE marks (mark integer)", args: [] }]);
      await server.pause();
      const first = await outageOf(() => insert(database, 1));
      assertEquals(first.outcome, "unknown");
      assert(first.cause instanceof Error && first.cause.message === "The server holds still");
      const second = await outageOf(() => insert(database, 2));
      assertEquals(second.outcome, "undone");
      server.resume();
      for (;;) {
        try {
          await insert(database, 3);
          break;
        } catch (error) {
          assert(error instanceof DatabaseUnavailableError);
          await passed(20);
        }
      }
      const { rows } = await database.run({ sql: "SELECT mark FROM marks", args: [] });
      const marks = rows.flat().map(Number);
      assert(marks.includes(3) && !marks.includes(2), marks.join());
      assert(marks.filter((mark) => mark === 1).length <= 1, "The first was done twice");
      await database.close();
    }),
});
