/** Data steps run once, between the migrations that they follow, in the transaction of theirs (definitions 1, `migrations/`). */
import { join } from "node:path";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readMigrations } from "../../../library/platform/mod.ts";
import { applyMigrations } from "../../../shared/runtime/mod.ts";
import type { Database, Migration } from "../../../shared/runtime/ports.ts";
import { Output, people, STEPS } from "../../support/data_step_project.ts";
import { DRIVERS } from "../../support/databases.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const OLD = "first: q.text(), last: q.text()";
const BOTH = `${OLD}, full: q.text()`;
const NEW = "full: q.text()";

const SQL = {
  [`${STEPS}0001_fill-full.sql`]: `-- The name as one; "first" goes with the next migration.
UPDATE people SET full = first || ' ' || last; -- of everybody
UPDATE people SET full = upper(full) WHERE last = 'b;c';
`,
};
const CODE = {
  [`${STEPS}0001_fill-full.ts`]: `import { eq, sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";

const people = sqliteTable("people", { id: text("id"), first: text("first"), last: text("last"), full: text("full") });

export default async ({ db }) => {
  for (const { id, first, last } of await db.select().from(people)) {
    const full = last === "b;c" ? (first + " " + last).toUpperCase() : first + " " + last;
    await db.update(people).set({ full }).where(eq(people.id, id));
  }
  const one = await db.get(sql\`SELECT count(*) FROM people WHERE full IS NULL\`);
  if (one[0] !== 0) throw new Error("Somebody has no name");
};
`,
};

const APART = ', providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) }';

const insert = (id: string, first: string, last: string | null) => ({
  sql:
    "INSERT INTO people (id, organization_id, first, last, created_at, modified_at) VALUES (?, 'o', ?, ?, 't', 't')",
  args: [id, first, last],
});
const NAMES = { sql: "SELECT full FROM people ORDER BY id", args: [] };

/** Tests with the migrations of a compile, on every driver. */
function suite(
  sentence: string,
  body: (
    database: Database,
    migrations: (output: Output) => Promise<readonly Migration[]>,
  ) => Promise<void>,
): void {
  for (const driver of DRIVERS) {
    Deno.test(`${driver.name}: ${sentence}`, () =>
      withTempFolder((root) =>
        driver.with((database) => {
          let folders = 0;
          return body(database, async (output) =>
            await readMigrations(await output.write(join(root, String(folders++)))));
        })
      ));
  }
}

const tagsOf = (tags: readonly string[]) => tags.map((tag) => tag.replace(/_[0-9a-f]{8}$/, ""));

for (const [kind, step] of [["SQL", SQL], ["TypeScript", CODE]] as const) {
  suite(`a step in ${kind} changes rows between two migrations, once`, async (database, read) => {
    const output = new Output().made(people(OLD));
    await applyMigrations(database, await read(output));
    await database.write((transaction) =>
      transaction.runAll([insert("1", "Ada", "Lovelace"), insert("2", "a", "b;c")])
    );
    output.made(people(BOTH, step)).made(people(NEW, step));
    const migrations = await read(output);
    assertEquals(tagsOf(await applyMigrations(database, migrations)), [
      "0001",
      "0001_fill-full",
      "0002",
    ]);
    assertEquals((await database.run(NAMES)).rows, [["Ada Lovelace"], ["A B;C"]]);
    assertEquals(await applyMigrations(database, migrations), []);
  });
}

suite("a step that fails takes its migration back with it", async (database, read) => {
  const output = new Output().made(people(OLD));
  await applyMigrations(database, await read(output));
  await database.write((transaction) => transaction.runAll([insert("1", "Ada", null)]));
  const broken = "UPDATE people SET full = first;\nUPDATE people SET organization_id = NULL;";
  output.made(people(BOTH, { [`${STEPS}0001_fill-full.sql`]: broken }));
  const migrations = await read(output);
  const { message } = await assertRejects(() => applyMigrations(database, migrations), Error);
  assertStringIncludes(
    message,
    `Migration '${migrations[1]?.tag}', data step '0001_fill-full' failed`,
  );
  await assertRejects(() => database.run(NAMES));
});

suite("a step that throws takes its migration back with it", async (database, read) => {
  const output = new Output().made(people(OLD));
  await applyMigrations(database, await read(output));
  const code = `import { sql } from "drizzle-orm";
export default async ({ db }) => {
  await db.run(sql\`INSERT INTO days (id, day, created_at, modified_at) VALUES ('1', 'Monday', 't', 't')\`);
  throw new Error("No");
};
`;
  output.made(people(BOTH, { [`${STEPS}0001_throws.ts`]: code }));
  const migrations = await read(output);
  await assertRejects(
    () => applyMigrations(database, migrations),
    Error,
    "failed and changed nothing",
  );
  await assertRejects(() => database.run(NAMES));
  const { rows } = await database.run({ sql: "SELECT count(*) FROM days", args: [] });
  assertEquals(rows, [[0]]);
});

suite("a step that comes after its migration was applied runs alone", async (database, read) => {
  const output = new Output().made(people(OLD)).made(people(BOTH));
  await applyMigrations(database, await read(output));
  await database.write((transaction) => transaction.runAll([insert("1", "Ada", "Lovelace")]));
  output.made(people(BOTH, SQL));
  assertEquals(await applyMigrations(database, await read(output)), ["0001_fill-full"]);
  assertEquals((await database.run(NAMES)).rows, [["Ada Lovelace"]]);
});

suite("an applied step that is edited, gone or late ends the start", async (database, read) => {
  const output = new Output().made(people(OLD)).made(people(BOTH, SQL));
  const migrations = await read(output);
  await applyMigrations(database, migrations);
  const edited = migrations.map((one) => one.step ? { ...one, sql: `${one.sql} ` } : one);
  await assertRejects(
    () => applyMigrations(database, edited),
    Error,
    "is not the one that this database has",
  );
  const gone = migrations.filter(({ step }) => !step);
  await assertRejects(() => applyMigrations(database, gone), Error, "bring its file back");
  output.made(people(NEW, SQL));
  const later = await read(output);
  await applyMigrations(database, later);
  const late = later.flatMap((one) =>
    one.step ? [one, { ...one, tag: "0001_late", when: one.when + 1 }] : [one]
  );
  await assertRejects(
    () => applyMigrations(database, late),
    Error,
    "Data step '0001_late' runs before",
  );
});

suite("a step runs in the databases whose tables it names", async (database, read) => {
  const days =
    "INSERT INTO days (id, day, created_at, modified_at) VALUES ('1', 'Monday', 't', 't');";
  const output = new Output().made(people(OLD)).made(
    people(BOTH, { ...SQL, [`${STEPS}0001_days.sql`]: days }, APART),
  );
  const migrations = await read(output);
  assertEquals(migrations.flatMap(({ tag, step }) => step ? [[tag, step.home]] : []), [
    ["0001_days", "directory"],
    ["0001_fill-full", "tenant"],
  ]);
  assertEquals((await applyMigrations(database, migrations, "tenant")).length, 4);
  const { rows } = await database.run({ sql: "SELECT count(*) FROM days", args: [] });
  assertEquals(rows, [[0]]);
});

const REQUIRED = "first: q.text(), last: q.text().required()";
const FILL = "UPDATE people SET last = first WHERE last IS NULL;";
const LASTS = { sql: "SELECT last FROM people ORDER BY id", args: [] };

for (const number of ["0000", "0001"]) {
  suite(
    `a step ${number} fills a column before migration 0001 requires it`,
    async (database, read) => {
      const output = new Output().made(people(OLD));
      await applyMigrations(database, await read(output));
      await database.write((transaction) =>
        transaction.runAll([insert("1", "Ada", null), insert("2", "Grace", "Hopper")])
      );
      output.made(people(REQUIRED, { [`${STEPS}${number}_fill.sql`]: FILL }));
      await applyMigrations(database, await read(output));
      assertEquals((await database.run(LASTS)).rows, [["Ada"], ["Hopper"]]);
    },
  );
}

suite(
  "a step that fills a required column may come when its migration has failed",
  async (database, read) => {
    const output = new Output().made(people(OLD));
    await applyMigrations(database, await read(output));
    await database.write((transaction) => transaction.runAll([insert("1", "Ada", null)]));
    output.made(people(REQUIRED));
    const { message } = await assertRejects(
      async () => await applyMigrations(database, await read(output)),
      Error,
    );
    assertStringIncludes(
      message,
      "1 row holds in people.last no value, which is required from now on: 1",
    );
    output.made(people(REQUIRED, { [`${STEPS}0001_fill.sql`]: FILL }));
    const migrations = await read(output);
    await applyMigrations(database, migrations);
    assertEquals((await database.run(LASTS)).rows, [["Ada"]]);
    // A database that had no such rows has the migration already, and runs the step after it.
    assertEquals(await applyMigrations(database, migrations), []);
  },
);

suite(
  "a step runs before the migration that takes an enum's value away, and after one that converts",
  async (database, read) => {
    const enums = (values: string) => `first: q.enum([${values}]), last: q.text()`;
    const output = new Output().made(people(enums('"new", "open"')));
    await applyMigrations(database, await read(output));
    await database.write((transaction) => transaction.runAll([insert("1", "new", "7")]));
    const steps = {
      [`${STEPS}0001_open.sql`]: "UPDATE people SET first = 'open' WHERE first = 'new';",
      [`${STEPS}0001_more.sql`]: "UPDATE people SET last = last + 1;",
    };
    output.made(people('first: q.enum(["open"]), last: q.int()', steps));
    await applyMigrations(database, await read(output));
    const { rows } = await database.run({ sql: "SELECT first, last FROM people", args: [] });
    assertEquals(rows, [["open", 8]]);
  },
);
