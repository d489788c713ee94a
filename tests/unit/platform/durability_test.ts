/** Nothing acknowledged is lost: another process's lock, then a kill, then a count (traps 22). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import NativeDatabase from "libsql";
import { DatabaseBusyError, openDatabase } from "../../../library/platform/mod.ts";
import { DatabaseUnavailableError } from "../../../shared/runtime/ports.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

function start(script: string, path: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "-A", `tests/support/${script}`, path],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

async function* linesOf(process: Deno.ChildProcess): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of process.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

function createEntries(path: string): void {
  const database = new NativeDatabase(path);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("CREATE TABLE entries (number integer PRIMARY KEY)");
  database.close();
}

const ACKNOWLEDGED_MIN = 300;

Deno.test("every acknowledged write survives another process's lock and a kill", () =>
  withTempFolder(async (folder) => {
    const path = `${folder}/test.db`;
    createEntries(path);
    const holder = start("lock_holder.ts", path);
    const locked = linesOf(holder);
    assertEquals((await locked.next()).value, "locked");
    const writer = start("tireless_writer.ts", path);
    const acknowledged = new Set<number>();
    let refusals = 0;
    let isHeld = true;
    for await (const line of linesOf(writer)) {
      if (line === "busy") refusals += 1;
      else acknowledged.add(Number(line));
      if (isHeld && refusals >= 3) {
        isHeld = false;
        assertEquals(acknowledged.size, 0);
        await holder.stdin.close();
      }
      if (acknowledged.size === ACKNOWLEDGED_MIN) writer.kill("SIGKILL");
    }
    await Promise.all([writer.status, writer.stdin.close().catch(() => undefined), holder.status]);
    await locked.return(undefined);
    const kept = new Set(storedNumbers(path));
    const lost = [...acknowledged].filter((number) => !kept.has(number));
    assertEquals(lost, []);
    assert(acknowledged.size >= ACKNOWLEDGED_MIN);
  }));

function storedNumbers(path: string): number[] {
  const database = new NativeDatabase(path);
  const rows = database.prepare("SELECT number FROM entries").raw(true).all();
  database.close();
  return rows.map((row) => Array.isArray(row) ? Number(row[0]) : NaN);
}

Deno.test("a write that meets a lock is refused cleanly, and the next one succeeds", () =>
  withTempFolder(async (folder) => {
    const path = `${folder}/test.db`;
    createEntries(path);
    const other = new NativeDatabase(path);
    const database = await openDatabase({ url: `file:${path}`, busyTimeout: 0 });
    const insert = (number: number) =>
      database.write((transaction) =>
        transaction.run({ sql: "INSERT INTO entries VALUES (?)", args: [number] })
      );
    await insert(1);
    other.exec("BEGIN IMMEDIATE");
    await assertRejects(() => insert(2), DatabaseBusyError);
    await assertRejects(
      () => database.migrate([{ sql: "CREATE TABLE more (id text)", args: [] }]),
      DatabaseBusyError,
    );
    assertEquals((await database.run({ sql: "SELECT count(*) FROM entries", args: [] })).rows, [[
      1,
    ]]);
    other.exec("ROLLBACK");
    await insert(3);
    other.close();
    await database.close();
    assertEquals(storedNumbers(path), [1, 3]);
  }));

Deno.test("a write waits for a lock that is let go in time", () =>
  withTempFolder(async (folder) => {
    const path = `${folder}/test.db`;
    createEntries(path);
    const other = new NativeDatabase(path);
    const database = await openDatabase({ url: `file:${path}` });
    other.exec("BEGIN IMMEDIATE");
    const waiting = database.write((transaction) =>
      transaction.run({ sql: "INSERT INTO entries VALUES (1)", args: [] })
    );
    // Reads and everything else of this process go on meanwhile.
    await database.run({ sql: "SELECT 1", args: [] });
    other.exec("COMMIT");
    await waiting;
    other.close();
    await database.close();
    assertEquals(storedNumbers(path), [1]);
  }));

Deno.test("no write starves beside a process that takes the lock again as soon as it has let it go", () =>
  withTempFolder(async (folder) => {
    const path = `${folder}/test.db`;
    createEntries(path);
    const database = await openDatabase({ url: `file:${path}`, busyTimeout: 120_000 });
    const locker = start("short_locks.ts", path);
    const said = linesOf(locker);
    assertEquals((await said.next()).value, "locking");
    const numbers = Array.from({ length: 200 }, (_, number) => number);
    for (const number of numbers) {
      await database.write((transaction) =>
        transaction.run({ sql: "INSERT INTO entries VALUES (?)", args: [number] })
      );
    }
    locker.kill("SIGKILL");
    await Promise.all([locker.status, locker.stdin.close().catch(() => undefined)]);
    await said.return(undefined);
    await database.close();
    assertEquals(storedNumbers(path), numbers);
  }));

Deno.test("a failure of the disk fails everyone who shares its transaction, and the next write is kept", () =>
  withTempFolder(async (folder) => {
    const path = `${folder}/test.db`;
    createEntries(path);
    const database = await openDatabase({ url: `file:${path}` });
    const insert = (number: number) =>
      database.write((transaction) =>
        transaction.run({ sql: "INSERT INTO entries VALUES (?)", args: [number] })
      );
    await database.write((transaction) =>
      transaction.run({ sql: "PRAGMA max_page_count = 2", args: [] })
    );
    const swallowing = database.write(async (transaction) => {
      const large = { sql: "CREATE TABLE large AS SELECT hex(zeroblob(9000))", args: [] };
      await transaction.run(large).catch(() => undefined);
    });
    const outcomes = await Promise.allSettled([insert(1), swallowing, insert(2)]);
    const failures = outcomes.map((one) => one.status === "rejected" ? one.reason.message : null);
    assertEquals(failures, Array(3).fill("The disk of the database is full"));
    await insert(3);
    await database.close();
    assertEquals(storedNumbers(path), [3]);
  }));

Deno.test("once a file is known to be elsewhere, nothing more is written to it", () =>
  withTempFolder(async (folder) => {
    const path = `${folder}/test.db`;
    createEntries(path);
    const database = await openDatabase({ url: `file:${path}` });
    const insert = (number: number) =>
      database.write((transaction) =>
        transaction.run({ sql: "INSERT INTO entries VALUES (?)", args: [number] })
      );
    await insert(1);
    await Deno.rename(path, `${path}.away`);
    for (const number of [2, 3, 4]) {
      await assertRejects(() => insert(number), DatabaseUnavailableError, "moved");
    }
    await Deno.rename(`${path}.away`, path);
    await insert(5);
    await database.close();
    // The first one was committed before anybody looked; it was acknowledged as little as the others.
    assertEquals(storedNumbers(path).filter((number) => number !== 2), [1, 5]);
  }));

Deno.test("an embedded database syncs every commit, enforces foreign keys and keeps a write-ahead log", () =>
  withTempFolder(async (folder) => {
    const database = await openDatabase({ url: `file:${folder}/new/deep/test.db` });
    const pragmas = await database.write((transaction) =>
      transaction.runAll(["synchronous", "foreign_keys", "journal_mode"].map((name) => ({
        sql: `PRAGMA ${name}`,
        args: [],
      })))
    );
    assertEquals(pragmas.map(({ rows }) => rows[0]?.[0]), [2, 1, "wal"]);
    await assertRejects(() => database.run({ sql: "CREATE TABLE outside (id text)", args: [] }));
    await database.close();
    await assertRejects(() => database.write(() => Promise.resolve()), Error, "closed");
  }));

Deno.test("a database address of another kind is refused with what it must look like", async () => {
  for (const url of ["postgres://host/db", "app.db", "file:", "file::memory:", ""]) {
    await assertRejects(() => openDatabase({ url }), Error, "DATABASE_URL must");
  }
});
