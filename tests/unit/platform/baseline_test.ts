/** `--baseline`: a database that has the tables of the first migration is taken as having it; any other is refused, with the differences. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { dirname, join } from "node:path";
import {
  readBaseline,
  readMigrateArguments,
  readMigrations,
} from "../../../library/platform/mod.ts";
import {
  MIGRATIONS_FOLDER,
  planMigration,
} from "../../../shared/compiler/migrations/plan_migration.ts";
import { type SqlTable, textColumn } from "../../../shared/model/sql_table.ts";
import { applyMigrations } from "../../../shared/runtime/data/migrations.ts";
import { recordBaseline } from "../../../shared/runtime/data/baseline.ts";
import type { Database } from "../../../shared/runtime/ports.ts";
import { DRIVERS, withDatabase } from "../../support/databases.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const ID = { ...textColumn("id"), notNull: true, primaryKey: true };
const PROJECTS: SqlTable = { name: "projects", columns: [ID], indexes: [] };
const TASKS: SqlTable = {
  name: "tasks",
  columns: [
    ID,
    {
      ...textColumn("project_id"),
      references: { table: "projects", column: "id", onDelete: "cascade" },
    },
    { ...textColumn("title"), notNull: true },
  ],
  indexes: [{ name: "tasks_title", columns: ["title", "id"], unique: true, where: null }],
};
const LATER: SqlTable = { name: "later", columns: [ID], indexes: [] };

/** Made by another tool: other quotes, other case, a length, an order of its own, and tables of its own. */
const SAME = `CREATE TABLE projects (\`id\` TEXT(36) PRIMARY KEY NOT NULL);
CREATE TABLE tasks (title TEXT NOT NULL, id text PRIMARY KEY NOT NULL, project_id text,
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE);
CREATE UNIQUE INDEX tasks_title ON tasks (title, id);
CREATE INDEX tasks_more ON tasks (project_id);
CREATE TABLE d1_migrations (id integer PRIMARY KEY, name text);
INSERT INTO projects VALUES ('p1');
INSERT INTO tasks (title, id, project_id) VALUES ('Old', 't1', 'p1')`;

const HINTS = {
  tables: new Map(),
  columns: new Map(),
  backfills: new Map(),
  allowDestructive: false,
};

/** The folder of a project whose second migration adds a table. */
async function inMigrations(body: (folder: string) => Promise<void>): Promise<void> {
  await withTempFolder(async (folder) => {
    let state: ReadonlyMap<string, string> = new Map();
    for (const tables of [[PROJECTS, TASKS], [PROJECTS, TASKS, LATER]]) {
      const plan = planMigration({ tables, hints: HINTS, state });
      assert(plan.kind === "planned");
      state = new Map(plan.files.map(({ path, content }) => [path, content]));
      for (const [path, content] of state) {
        await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
        await Deno.writeTextFile(join(folder, path), content);
      }
    }
    await body(join(folder, MIGRATIONS_FOLDER));
  });
}

async function made(database: Database, sql: string): Promise<void> {
  await database.migrate(sql.split(";\n").map((statement) => ({ sql: statement, args: [] })));
}

for (const driver of DRIVERS) {
  Deno.test(`${driver.name}: a database that has the tables keeps its rows and gets what is new`, () =>
    inMigrations((folder) =>
      driver.with(async (database) => {
        await made(database, SAME);
        assertEquals(await recordBaseline(database, await readBaseline(folder)), true);
        const applied = await applyMigrations(database, await readMigrations(folder));
        assertEquals(applied.length, 1);
        assertEquals(applied[0]?.startsWith("0001_"), true);
        const { rows } = await database.run({ sql: "SELECT title FROM tasks, later", args: [] });
        assertEquals(rows, []);
        assertEquals(
          (await database.run({ sql: "SELECT title FROM tasks", args: [] })).rows,
          [["Old"]],
        );
        // Again, by a second instance or a second person.
        assertEquals(await recordBaseline(database, await readBaseline(folder)), false);
        assertEquals(await applyMigrations(database, await readMigrations(folder)), []);
      })
    ));
}

const changed = (from: string, to: string) => SAME.replace(from, to);

const OTHERS: readonly (readonly [what: string, sql: string, told: string])[] = [
  ["a missing table", "CREATE TABLE other (id text)", 'table "projects" is missing'],
  [
    "a missing column",
    "CREATE TABLE projects (id text PRIMARY KEY NOT NULL); CREATE TABLE tasks (id text)",
    'column "project_id" of table "tasks" is missing: text, optional',
  ],
  [
    "a column that later migrations would leave behind",
    changed("project_id text,", "project_id text, note text,"),
    'column "note" of table "tasks" is not expected',
  ],
  [
    "a column of another type",
    changed("title TEXT NOT NULL", "title blob NOT NULL"),
    'column "title" of table "tasks" is blob, required, and should be text, required',
  ],
  [
    "an optional column",
    changed("title TEXT NOT NULL", "title TEXT"),
    'column "title" of table "tasks" is text, optional, and should be text, required',
  ],
  [
    "an index of another kind",
    changed("CREATE UNIQUE INDEX tasks_title", "CREATE INDEX tasks_title"),
    'index "tasks_title" of table "tasks" is on title, id, and should be unique on title, id',
  ],
  [
    "a foreign key that does otherwise",
    changed("ON DELETE CASCADE", "ON DELETE SET NULL"),
    'foreign key of "project_id" of table "tasks" is to projects, on delete set null, and should be to projects, on delete cascade',
  ],
  [
    "a trigger that a rebuilt table would lose",
    `${SAME};\nCREATE TRIGGER kept AFTER DELETE ON tasks BEGIN SELECT 1; END`,
    'trigger "kept" of table "tasks" is not expected',
  ],
  [
    "a table in the way of a later one",
    changed("CREATE TABLE d1_migrations", "CREATE TABLE later"),
    'table "later" is in the way: a later migration makes it',
  ],
];

for (const [what, sql, told] of OTHERS) {
  Deno.test(`a database with ${what} is refused and unchanged`, () =>
    inMigrations((folder) =>
      withDatabase(async (database) => {
        assert(sql !== SAME);
        await made(database, sql);
        const error = await assertRejects(
          async () => recordBaseline(database, await readBaseline(folder)),
          Error,
          "Cannot take this database as migrated",
        );
        assert(error.message.split("\n").includes(`  - ${told}`), error.message);
        await assertRejects(() =>
          database.run({ sql: "SELECT * FROM __drizzle_migrations", args: [] })
        );
      })
    ));
}

Deno.test("a migration that was edited after it was recorded is told apart", () =>
  inMigrations((folder) =>
    withDatabase(async (database) => {
      await made(database, SAME);
      const baseline = await readBaseline(folder);
      await recordBaseline(database, baseline);
      const migration = { ...baseline.migration, sql: "CREATE TABLE x (id text)" };
      await assertRejects(
        () => recordBaseline(database, { ...baseline, migration }),
        Error,
        "is not the one that this database has in its place",
      );
    })
  ));

Deno.test("a folder without a migration or without its snapshots has no baseline", () =>
  inMigrations(async (folder) => {
    await Deno.remove(join(folder, "meta/0000_snapshot.json"));
    await assertRejects(() => readBaseline(folder), Error, "0000_snapshot.json");
    await Deno.writeTextFile(
      join(folder, "meta/_journal.json"),
      '{"version":"7","dialect":"sqlite","entries":[]}',
    );
    await assertRejects(() => readBaseline(folder), Error, "it has no migration");
  }));

Deno.test("migrate takes one flag that it knows and nothing else", () => {
  const none = { isBaseline: false, isTakenOver: false, isAll: false };
  assertEquals([[], ["--baseline"], ["--renamed"], ["--all"]].map(readMigrateArguments), [
    none,
    { ...none, isBaseline: true },
    { ...none, isTakenOver: true },
    { ...none, isAll: true },
  ]);
  for (const args of [["--base"], ["--baseline", "x"], ["0000"]]) {
    let told = "";
    try {
      readMigrateArguments(args);
    } catch (error) {
      told = String(error);
    }
    assert(told.includes("deno task migrate [--baseline]"), told);
  }
});
