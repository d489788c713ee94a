/** The database of another project is refused before anything of it changes (definitions 8). */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { applyMigrations, applyOwnMigrations } from "../../../shared/runtime/mod.ts";
import type { Database } from "../../../shared/runtime/ports.ts";
import { DRIVERS } from "../../support/databases.ts";

const FIRST = { tag: "0000_first", when: 1000, sql: "CREATE TABLE notes (id text)" };
const SECOND = { tag: "0001_second", when: 2000, sql: "ALTER TABLE notes ADD text text" };
const OTHER = { tag: "0000_other", when: 3000, sql: "CREATE TABLE tasks (id text)" };

const OURS = { name: "ours" };
const THEIRS = { name: "theirs" };

async function tables(database: Database): Promise<readonly unknown[]> {
  const { rows } = await database.run({
    sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('notes', 'tasks')",
    args: [],
  });
  return rows.map(([name]) => name);
}

for (const driver of DRIVERS) {
  const test = (name: string, body: (database: Database) => Promise<void>) =>
    Deno.test(`${name}, ${driver.name}`, () => driver.with((database) => body(database)));
  const migrated = (database: Database, of: { name: string }, migrations = [FIRST]) =>
    applyOwnMigrations(database, of, { migrations, home: null });

  test("a project finds its own database again, and another one is told whose it is", async (database) => {
    assertEquals(await migrated(database, OURS), ["0000_first"]);
    assertEquals(await migrated(database, OURS, [FIRST, SECOND]), ["0001_second"]);
    assertEquals(await migrated(database, OURS, [FIRST, SECOND]), []);
    const error = await assertRejects(() => migrated(database, THEIRS, [OTHER]), Error);
    assertStringIncludes(error.message, "belongs to project 'ours', and this is 'theirs'");
    await assertRejects(() => migrated(database, THEIRS, [FIRST, SECOND]), Error, "--renamed");
    assertEquals(await tables(database), ["notes"]);
  });

  test("a project that was renamed takes its database over, once", async (database) => {
    await migrated(database, OURS);
    const options = { migrations: [FIRST], home: null, isTakenOver: true };
    assertEquals(await applyOwnMigrations(database, THEIRS, options), []);
    assertEquals(await migrated(database, THEIRS), []);
    await assertRejects(() => migrated(database, OURS), Error, "'theirs'");
  });

  test("a database with other migrations and the same name is refused", async (database) => {
    await migrated(database, OURS);
    await assertRejects(() => migrated(database, OURS, [OTHER]), Error, "another project's");
    assertEquals(await tables(database), ["notes"]);
  });

  test("a database that an earlier version migrated is the project's that comes first", async (database) => {
    await applyMigrations(database, [FIRST]);
    await Promise.all([migrated(database, OURS), migrated(database, OURS)]);
    await assertRejects(() => migrated(database, THEIRS), Error, "'ours'");
  });
}
