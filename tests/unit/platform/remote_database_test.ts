/** What only a remote database can show: round trips, tokens, and another client's lock. */
import { assertEquals, assertRejects } from "@std/assert";
import NativeDatabase from "libsql";
import { DatabaseBusyError } from "../../../library/platform/mod.ts";
import { openDatabase } from "../../../library/platform/open_database.ts";
import { DatabaseUnavailableError } from "../../../shared/runtime/ports.ts";
import { type HranaServer, startHranaServer } from "../../support/hrana_server.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

function withServer(body: (server: HranaServer, path: string) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    const path = `${folder}/test.db`;
    const server = startHranaServer({ path, authToken: "right" });
    try {
      await body(server, path);
    } finally {
      await server.close();
    }
  });
}

const SELECT = { sql: "SELECT 1", args: [] };

Deno.test("a remote database answers the reads of one call in one round trip", () =>
  withServer(async (server) => {
    const database = await openDatabase({ url: server.url, authToken: "right" });
    await database.runAll([SELECT, SELECT, SELECT]);
    assertEquals(server.roundTrips(), 1);
    await database.run(SELECT);
    assertEquals(server.roundTrips(), 2);
    await database.close();
  }));

Deno.test("a remote write of one statement takes two round trips: BEGIN with it, then COMMIT", () =>
  withServer(async (server) => {
    const database = await openDatabase({ url: server.url, authToken: "right" });
    await database.write((transaction) =>
      transaction.run({ sql: "CREATE TABLE t (id text)", args: [] })
    );
    assertEquals(server.roundTrips(), 2);
    await database.close();
  }));

Deno.test("a remote database refuses a wrong token", () =>
  withServer(async (server) => {
    const database = await openDatabase({ url: server.url, authToken: "wrong" });
    await assertRejects(() => database.run(SELECT));
    await database.close();
  }));

Deno.test("a server that is away, or answers nothing of the protocol, is a database out of use", async () => {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response("Bad gateway", { status: 502 }),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  const database = await openDatabase({ url, busyTimeout: 0 });
  const requireOut = async () => {
    for (
      const use of [
        () => database.run(SELECT),
        () => database.runAll([SELECT, SELECT]),
        () => database.write((transaction) => transaction.run(SELECT)),
        () => database.migrate([SELECT]),
      ]
    ) await assertRejects(use, DatabaseUnavailableError, "cannot be reached");
  };
  await requireOut();
  await server.shutdown();
  await requireOut();
  await database.close();
});

Deno.test("a remote write that meets another client's lock is refused cleanly and works afterwards", () =>
  withServer(async (server, path) => {
    const other = new NativeDatabase(path);
    other.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (id text); BEGIN IMMEDIATE");
    const database = await openDatabase({ url: server.url, authToken: "right", busyTimeout: 0 });
    const insert = () =>
      database.write((transaction) =>
        transaction.run({ sql: "INSERT INTO t VALUES ('a')", args: [] })
      );
    await assertRejects(insert, DatabaseBusyError);
    other.exec("COMMIT");
    await insert();
    assertEquals((await database.run({ sql: "SELECT count(*) FROM t", args: [] })).rows, [[1]]);
    await database.close();
    other.close();
  }));

Deno.test("a write that meets another client's lock fails none of the reads beside it", () =>
  withServer(async (server, path) => {
    const other = new NativeDatabase(path);
    other.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (id text); BEGIN IMMEDIATE");
    const database = await openDatabase({ url: server.url, authToken: "right", busyTimeout: 200 });
    let isWaiting = true;
    const write = database.write((transaction) =>
      transaction.run({ sql: "INSERT INTO t VALUES ('a')", args: [] })
    ).catch((error: unknown) => error).finally(() => isWaiting = false);
    const read = async () => {
      while (isWaiting) await database.run(SELECT);
    };
    await Promise.all(Array.from({ length: 8 }, read));
    assertEquals(await write instanceof DatabaseBusyError, true);
    other.exec("COMMIT");
    await database.close();
    other.close();
  }));
