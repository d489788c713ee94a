/** Migrations: in order, once, whole or not at all. */
import { assertEquals, assertRejects } from "@std/assert";
import { openDatabase, readMigrations } from "../../../platform/mod.ts";
import { applyMigrations, type Migration } from "../../../shared/runtime/data/migrations.ts";
import type { Database } from "../../../shared/runtime/ports.ts";
import { DRIVERS } from "../../support/databases.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const MIGRATIONS: readonly Migration[] = [
  {
    tag: "0000_first",
    when: 1,
    sql: "CREATE TABLE a (id text PRIMARY KEY NOT NULL);\n--> statement-breakpoint\n" +
      "CREATE TABLE b (a_id text REFERENCES a(id) ON DELETE CASCADE);\n",
  },
  { tag: "0001_second", when: 2, sql: "INSERT INTO a VALUES ('1')" },
];

const ROWS = { sql: "SELECT count(*) FROM a", args: [] };
const JOURNAL = {
  sql: "SELECT length(hash), created_at FROM __drizzle_migrations ORDER BY id",
  args: [],
};

function suite(sentence: string, body: (database: Database) => Promise<void>): void {
  for (const driver of DRIVERS) {
    Deno.test(`${driver.name}: ${sentence}`, () => driver.with(body));
  }
}

suite("migrations apply in order and once, recorded as drizzle does", async (database) => {
  assertEquals(await applyMigrations(database, MIGRATIONS.slice(0, 1)), ["0000_first"]);
  assertEquals(await applyMigrations(database, MIGRATIONS), ["0001_second"]);
  assertEquals(await applyMigrations(database, MIGRATIONS), []);
  assertEquals((await database.run(ROWS)).rows, [[1]]);
  assertEquals((await database.run(JOURNAL)).rows, [[64, 1], [64, 2]]);
});

suite("several starts at once apply each migration once", async (database) => {
  const starts = await Promise.all(
    Array.from({ length: 4 }, () => applyMigrations(database, MIGRATIONS)),
  );
  assertEquals(starts.flat().toSorted(), ["0000_first", "0001_second"]);
  assertEquals((await database.run(ROWS)).rows, [[1]]);
});

suite("a migration that fails changes nothing and says which it was", async (database) => {
  const broken = {
    tag: "0002_broken",
    when: 3,
    sql: "CREATE TABLE c (id text);\n--> statement-breakpoint\nNONSENSE",
  };
  await assertRejects(
    () => applyMigrations(database, [...MIGRATIONS, broken]),
    Error,
    "Migration '0002_broken' failed and changed nothing",
  );
  assertEquals((await database.run(JOURNAL)).rows.length, 2);
  await assertRejects(() => database.run({ sql: "SELECT * FROM c", args: [] }));
  const mended = { ...broken, sql: "CREATE TABLE c (id text)" };
  assertEquals(await applyMigrations(database, [...MIGRATIONS, mended]), ["0002_broken"]);
});

suite("a journal that does not count up is refused", async (database) => {
  await assertRejects(
    () => applyMigrations(database, MIGRATIONS.toReversed()),
    Error,
    "must count up",
  );
});

Deno.test("two processes that migrate one file at once apply each migration once", () =>
  withTempFolder(async (folder) => {
    const open = () => openDatabase({ url: `file:${folder}/test.db` });
    const databases = await Promise.all([open(), open()]);
    const applied = await Promise.all(
      databases.map((database) => applyMigrations(database, MIGRATIONS)),
    );
    assertEquals(applied.flat().toSorted(), ["0000_first", "0001_second"]);
    for (const database of databases) await database.close();
  }));

Deno.test("readMigrations() reads a folder in journal order", () =>
  withTempFolder(async (folder) => {
    await Deno.mkdir(`${folder}/meta`);
    const entries = MIGRATIONS.map(({ tag, when }, idx) => ({ idx, when, tag, breakpoints: true }));
    const journal = { version: "7", dialect: "sqlite", entries: entries.toReversed() };
    await Deno.writeTextFile(`${folder}/meta/_journal.json`, JSON.stringify(journal));
    for (const { tag, sql } of MIGRATIONS) await Deno.writeTextFile(`${folder}/${tag}.sql`, sql);
    assertEquals(await readMigrations(folder), MIGRATIONS);
  }));

Deno.test("readMigrations() refuses a journal that leads out of its folder", () =>
  withTempFolder(async (folder) => {
    await Deno.mkdir(`${folder}/meta`);
    const journal = { entries: [{ idx: 0, when: 1, tag: "../../secret" }] };
    await Deno.writeTextFile(`${folder}/meta/_journal.json`, JSON.stringify(journal));
    await assertRejects(() => readMigrations(folder), Error, "Cannot read the migration journal");
  }));
