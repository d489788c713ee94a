/** A copy of a server's database: what it answers, and what becomes of it when something is wrong (definitions 8). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { dirname } from "node:path";
import { ifThere } from "../../../library/platform/if_there.ts";
import { openDatabaseCopy } from "../../../library/platform/mod.ts";
import { openDatabase } from "../../../library/platform/open_database.ts";
import type { Database, DatabaseCopy, LogEntry } from "../../../shared/runtime/ports.ts";
import { DatabaseUnavailableError } from "../../../shared/runtime/ports.ts";
import { sqld, type SqldUnderTest, withSqld } from "../../support/sqld.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { until } from "../../support/until.ts";

const program = await sqld();
const PATIENT = { pullMaxMs: 120_000, answerMaxMs: 120_000 };

interface Primary {
  readonly server: SqldUnderTest;
  readonly database: Database;
  /** Of the folder's copy. */
  readonly path: string;
  readonly log: LogEntry[];
  /** `pullMaxMs`: without it longer than any pull takes on a busy machine. */
  open(path?: string, pullMaxMs?: number): Promise<DatabaseCopy>;
}

function copyTest(name: string, body: (primary: Primary) => Promise<void>): void {
  Deno.test({
    name,
    ignore: program === null,
    fn: () =>
      withTempFolder((folder) =>
        withSqld(program ?? "", (server) => withTable(server, folder, body))
      ),
  });
}

async function withTable(
  server: SqldUnderTest,
  folder: string,
  body: (primary: Primary) => Promise<void>,
): Promise<void> {
  const database = await openDatabase({ url: server.url, busyTimeout: 60_000 });
  await database.migrate([{ sql: "CREATE TABLE t (id integer primary key)", args: [] }]);
  for (let id = 1; id <= 5; id += 1) await insert(database, id);
  const log: LogEntry[] = [];
  const path = `${folder}/copies/app.db`;
  const logger = { log: (entry: LogEntry) => void log.push(entry) };
  const open = async (at = path, pullMaxMs = PATIENT.pullMaxMs) => {
    const copy = await openDatabaseCopy({
      databaseReplica: at,
      databaseUrl: server.url,
      databaseAuthToken: null,
    }, { database, logger, ...PATIENT, pullMaxMs });
    assert(copy !== null);
    return copy;
  };
  await body({ server, database, path, log, open });
  await database.close();
}

const COUNT = { sql: "SELECT count(*) FROM t", args: [] };

function insert(database: Database, id: number): Promise<unknown> {
  return database.write((transaction) =>
    transaction.run({ sql: "INSERT INTO t (id) VALUES (?)", args: [id] })
  );
}

async function count(reader: Pick<Database, "run">): Promise<unknown> {
  return (await reader.run(COUNT)).rows[0]?.[0];
}

/** After an outage: the copy is there, and knows what is true now. */
function untilWhole(copy: DatabaseCopy): Promise<void> {
  return until("the copy is whole", async () => {
    await copy.fresh(0).catch(() => undefined);
    const { isMade, reachable } = copy.state();
    return isMade && reachable;
  });
}

const warnings = (log: readonly LogEntry[]) =>
  log.filter(({ level }) => level === "warn").map(({ message }) => message);

copyTest(
  "a copy has what the primary has, and what this process writes, at once",
  async (primary) => {
    const { database, open, path } = primary;
    const copy = await open();
    assertEquals(await count(copy), 5);
    for (let id = 6; id < 20; id += 1) {
      await insert(database, id);
      assertEquals(await count(copy), id);
    }
    assertEquals(copy.state().behindFrames, 0);
    assertEquals((await copy.runAll([COUNT, COUNT])).map(({ rows }) => rows[0]?.[0]), [19, 19]);
    assertEquals(((await Deno.stat(dirname(path))).mode ?? 0) & 0o777, 0o700);
    await copy.close();
  },
);

copyTest(
  "a copy has what another process writes when it is asked for what is true now",
  async ({ server, open }) => {
    const copy = await open();
    const other = await openDatabase({ url: server.url });
    await insert(other, 6);
    await copy.reach(other.positions?.last() ?? "");
    assertEquals(await count(copy), 6);
    await insert(other, 7);
    await copy.fresh(0);
    assertEquals(await count(copy), 7);
    // No place of this primary's.
    await copy.reach("999999");
    await copy.reach("nonsense");
    await other.close();
    await copy.close();
  },
);

copyTest("a whole copy is used again, without a word", async ({ database, open, log }) => {
  await (await open()).close();
  await insert(database, 6);
  const copy = await open();
  assertEquals(await count(copy), 6);
  await copy.close();
  assertEquals(warnings(log), []);
});

const DAMAGES: readonly (readonly [string, (path: string) => Promise<void>, RegExp])[] = [
  ["removed", (path) => Deno.remove(path), /app\.db' is gone/],
  ["removed with all of its parts", async (path) => {
    for (const part of ["", "-wal", "-shm", "-client_wal_index"]) {
      if (await isThere(path + part)) await Deno.remove(path + part);
    }
  }, /app\.db' is gone/],
  ["cut", (path) => Deno.truncate(path, 100), /app\.db' was cut/],
  ["without its log", (path) => Deno.remove(`${path}-wal`), /app\.db-wal' is gone/],
  ["with a cut log", (path) => Deno.truncate(`${path}-wal`, 5000), /app\.db-wal' was cut/],
  ["without its index", (path) => Deno.remove(`${path}-client_wal_index`), /index' is gone/],
  ["replaced", async (path) => {
    await Deno.remove(path);
    const other = await openDatabase({ url: `file:${path}` });
    await other.migrate([{ sql: "CREATE TABLE t (id integer)", args: [] }]);
    await other.close();
  }, /app\.db' is another file/],
];

for (const [damage, harm, said] of DAMAGES) {
  copyTest(
    `a copy that is ${damage} while nobody has it is made anew, which the log says`,
    async ({ open, log, path }) => {
      await (await open()).close();
      await harm(path);
      const copy = await open();
      assertEquals(await count(copy), 5);
      await copy.close();
      const [line = "", ...others] = warnings(log);
      assert(said.test(line), line);
      assertEquals(others, []);
    },
  );
}

copyTest(
  "a copy that is removed or cut while it is open mends itself",
  async ({ database, open, log, path }) => {
    const copy = await open();
    await Deno.remove(path);
    await copy.fresh(0);
    await insert(database, 6);
    assertEquals(await count(copy), 6);
    await Deno.truncate(`${path}-wal`, 0);
    await copy.fresh(0);
    assertEquals(await count(copy), 6);
    await insert(database, 7);
    assertEquals(await count(copy), 7);
    await copy.close();
    assertEquals(warnings(log).length, 2);
  },
);

copyTest(
  "a copy that loses its log while it is open answers with what this process wrote",
  async ({ database, open, path }) => {
    const copy = await open();
    for (let id = 6; id < 16; id += 1) {
      if (await isThere(`${path}-wal`)) await Deno.remove(`${path}-wal`);
      await insert(database, id);
      assertEquals(await count(copy), id);
    }
    await copy.close();
  },
);

copyTest(
  "a copy that loses its log while it is open answers with what others wrote",
  async ({ server, open, path }) => {
    const copy = await open();
    const other = await openDatabase({ url: server.url });
    for (let id = 6; id < 16; id += 1) {
      if (await isThere(`${path}-wal`)) await Deno.remove(`${path}-wal`);
      await insert(other, id);
      await copy.reach(other.positions?.last() ?? "");
      assertEquals(await count(copy), id);
    }
    await other.close();
    await copy.close();
  },
);

async function isThere(path: string): Promise<boolean> {
  return await ifThere(Deno.stat(path)) !== null;
}

copyTest("a copy of another server's database is made anew", async ({ open, log, path }) => {
  await (await open()).close();
  await withSqld(program ?? "", async (server) => {
    const database = await openDatabase({ url: server.url });
    await database.migrate([{ sql: "CREATE TABLE t (id integer primary key)", args: [] }]);
    const copy = await openDatabaseCopy({
      databaseReplica: path,
      databaseUrl: server.url,
      databaseAuthToken: null,
    }, { database, logger: { log: (entry) => void log.push(entry) }, ...PATIENT });
    assert(copy !== null);
    assertEquals(await count(copy), 0);
    await insert(database, 1);
    assertEquals(await count(copy), 1);
    await copy.close();
    await database.close();
  });
  assertEquals(warnings(log), [
    "The copy of the database is made anew: it is a copy of another database",
  ]);
});

copyTest(
  "a path is one process's, and no folder, and nobody's own database",
  async ({ open, path }) => {
    const copy = await open();
    await assertRejects(() => open(), Error, "belongs to another process");
    await copy.close();
    await (await open()).close();
    await assertRejects(() => open(dirname(path)), Error, "it is a folder");
    await assertRejects(() => open("/proc/copy.db"), Error, "cannot be written");
    const own = `${path}.own`;
    await Deno.writeTextFile(own, "somebody's");
    await assertRejects(() => open(own), Error, "is no copy of a database");
    assertEquals(await Deno.readTextFile(own), "somebody's");
  },
);

copyTest(
  "a copy goes on without its primary, and says how old it is",
  async ({ server, open, database }) => {
    const copy = await open();
    await server.kill();
    await assertRejects(() => copy.fresh(0), DatabaseUnavailableError);
    assertEquals(await count(copy), 5);
    await copy.fresh(60_000);
    assertEquals(copy.state().reachable, false);
    await server.restart();
    await untilWhole(copy);
    await insert(database, 6);
    assertEquals(await count(copy), 6);
    await copy.close();
  },
);

copyTest("a primary that holds still keeps nobody waiting long", async ({ server, open, path }) => {
  const copy = await open(path, 1500);
  await server.pause();
  // Before it goes on, which it does only after this.
  const { cause } = await assertRejects(() => copy.fresh(0), DatabaseUnavailableError);
  assert(cause instanceof Error);
  assertEquals(cause.message, "The server did not answer in time");
  assertEquals(await count(copy), 5);
  server.resume();
  await untilWhole(copy);
  await copy.close();
});

copyTest(
  "a copy that has much to take is passed by, and rights are not refused meanwhile",
  async ({ server, open, database, path }) => {
    const copy = await open(path, 100);
    const other = await openDatabase({ url: server.url });
    await other.migrate([{ sql: "CREATE TABLE much (text text)", args: [] }]);
    const text = `INSERT INTO much (text) SELECT hex(randomblob(2000))
      FROM (WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 8000) SELECT i FROM n)`;
    for (let turn = 0; turn < 3; turn += 1) {
      await other.write((transaction) => transaction.run({ sql: text, args: [] }));
    }
    await insert(other, 6);
    await copy.reach(other.positions?.last() ?? "");
    assertEquals(await count(copy), 6);
    assertEquals(copy.state().reachable, true);
    await insert(database, 7);
    assertEquals(await count(copy), 7);
    await other.close();
    await copy.close();
  },
);

copyTest(
  "after the end of a server that was killed, a copy knows what is written, at once",
  async ({ server, open, database }) => {
    const copy = await open();
    for (let id = 6; id < 30; id += 1) await insert(database, id);
    assertEquals(await count(copy), 29);
    await server.kill();
    await assertRejects(() => copy.fresh(0), DatabaseUnavailableError);
    await server.restart();
    await untilWhole(copy);
    await insert(database, 30);
    assertEquals(await count(copy), 30);
    await copy.fresh(0);
    await insert(database, 31);
    assertEquals(await count(copy), 31);
    assertEquals(copy.state().behindFrames, 0);
    await copy.close();
  },
);
