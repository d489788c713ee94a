/** Two processes on one database without Redis: the operator is told what degrades. */
import { assertEquals } from "@std/assert";
import { openDatabase, openSharedState } from "../../../library/platform/mod.ts";
import type { Database, LogEntry } from "../../../shared/runtime/ports.ts";
import { sqld, withSqld } from "../../support/sqld.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const program = await sqld();
const ROW = { sql: "INSERT INTO t DEFAULT VALUES", args: [] };
const write = (database: Database) => database.write((transaction) => transaction.run(ROW));
const concluded = (database: Database) =>
  database.write(async (transaction) => {
    transaction.line?.conclude();
    await transaction.run(ROW);
  });
const read = (database: Database) => database.run({ sql: "SELECT count(*) FROM t", args: [] });

/** A process's database and what it logs. */
async function started(url: string) {
  const database = await openDatabase({ url });
  const log: LogEntry[] = [];
  const state = await openSharedState({
    redisUrl: null,
    name: "a",
    settings: { authSecret: new Uint8Array(32) },
    clock: { now: () => 0 },
    logger: { log: (entry) => void log.push(entry) },
    database,
  });
  const close = async () => {
    await state.close();
    await database.close();
  };
  return { database, log, close };
}

async function assertTold(url: string): Promise<void> {
  const a = await started(url);
  await a.database.migrate([{ sql: "CREATE TABLE t (id integer PRIMARY KEY)", args: [] }]);
  for (let round = 0; round < 3; round += 1) {
    // What one process does alone, at once and in turn, is nobody else's.
    await Promise.all([
      ...[write, write, concluded, read, read].map((act) => act(a.database)),
      ...[read, concluded, write, read].map((act) => act(a.database)),
    ]);
    await read(a.database);
  }
  const b = await started(url);
  await read(b.database);
  await read(a.database);
  assertEquals([a.log, b.log], [[], []]);
  await write(b.database);
  for (let round = 0; round < 3; round += 1) {
    await read(a.database);
    await write(a.database);
  }
  const told = a.log.map(({ level, message }) => [level, message.split(",")[0]]);
  assertEquals(told, [["warn", "Another process writes to this database"]]);
  await a.close();
  await b.close();
}

Deno.test("a process says once that another one writes to its file", () =>
  withTempFolder((folder) => assertTold(`file:${folder}/app.db`)));

Deno.test({
  name: "a process says once that another one writes to its server",
  ignore: program === null,
  fn: () => withSqld(program ?? "", ({ url }) => assertTold(url)),
});
