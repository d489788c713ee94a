/** Migrations: in order, once, whole or not at all. */
import { assertEquals, assertRejects } from "@std/assert";
import { openDatabase, readMigrations } from "../../../library/platform/mod.ts";
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

suite("another migration in the place of an applied one is refused", async (database) => {
  await applyMigrations(database, MIGRATIONS);
  const other = { tag: "0001_other", when: 2, sql: "CREATE TABLE c (id text)" };
  await assertRejects(
    () => applyMigrations(database, [...MIGRATIONS.slice(0, 1), other]),
    Error,
    "Migration '0001_other' is not the one that this database has in its place",
  );
  await assertRejects(() => database.run({ sql: "SELECT * FROM c", args: [] }));
  const withBreaks = MIGRATIONS.map((migration) => ({
    ...migration,
    sql: migration.sql.replaceAll("\n", "\r\n"),
  }));
  assertEquals(await applyMigrations(database, withBreaks), []);
});

const OVER_ROWS: readonly (readonly [rule: string, sql: string, message: string])[] = [
  [
    "unique",
    "CREATE UNIQUE INDEX n_title ON n (title)",
    "rows that exist repeat values in n.title, which are unique from now on; change or remove the repeated ones, then migrate again",
  ],
  [
    "required",
    "CREATE TABLE __new_n (id text PRIMARY KEY, title text, size integer NOT NULL);\n--> statement-breakpoint\n" +
    "INSERT INTO __new_n SELECT id, title, size FROM n",
    "rows that exist have no value in n.size, which is required from now on; fill them, then migrate again",
  ],
  [
    "a reference",
    "CREATE TABLE m (n_id text REFERENCES n(id));\n--> statement-breakpoint\nINSERT INTO m SELECT title FROM n",
    "refer to rows that are not there; change or remove them, then migrate again",
  ],
];

for (const [rule, sql, message] of OVER_ROWS) {
  suite(
    `a migration that rows do not keep to says where and what to do: ${rule}`,
    async (database) => {
      const first = {
        tag: "0000_first",
        when: 1,
        sql:
          "CREATE TABLE n (id text PRIMARY KEY, title text, size integer);\n--> statement-breakpoint\n" +
          "INSERT INTO n VALUES ('a', 'x', NULL), ('b', 'x', 1)",
      };
      await applyMigrations(database, [first]);
      const error = await assertRejects(
        () => applyMigrations(database, [first, { tag: "0001_rule", when: 2, sql }]),
        Error,
        message,
      );
      assertEquals(
        error.message.startsWith("Migration '0001_rule' failed and changed nothing: "),
        true,
      );
      assertEquals(error.message.endsWith("compile again"), true);
    },
  );
}

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

Deno.test("readMigrations() names a file of the journal that is missing, and a journal that is no JSON", () =>
  withTempFolder(async (folder) => {
    await Deno.mkdir(`${folder}/meta`);
    const entries = [{ idx: 0, when: 1, tag: "0000_gone" }];
    await Deno.writeTextFile(`${folder}/meta/_journal.json`, JSON.stringify({ entries }));
    await assertRejects(
      () => readMigrations(folder),
      Error,
      "0000_gone.sql' of the journal is missing",
    );
    await Deno.writeTextFile(`${folder}/meta/_journal.json`, "<<<<<<< HEAD");
    await assertRejects(() => readMigrations(folder), Error, "Cannot read the migration journal");
  }));
