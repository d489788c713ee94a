/** What `dev` does about migrations that were never released: one step beyond the releases, however often one saves. */
import { dirname, join } from "node:path";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { compileFolder } from "../../../cli/compile_folder.ts";
import { ApiStartError } from "../../../cli/dev/api_process.ts";
import { foldMigrations, keepSchemas, pruneMigrations } from "../../../cli/dev/fold_migrations.ts";
import { ifThere } from "../../../library/platform/if_there.ts";
import { openDatabase, readMigrations } from "../../../library/platform/mod.ts";
import type { RawFiles } from "../../../shared/compiler/mod.ts";
import { applyMigrations } from "../../../shared/runtime/mod.ts";
import type { Database, Statement } from "../../../shared/runtime/ports.ts";
import { STEPS } from "../../support/data_step_project.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const MIGRATIONS = "quickback/drizzle/features";

/** A table of this name with these columns beside its own. */
const table = (name: string, columns: string): RawFiles => ({
  [`quickback/features/${name}/${name}.ts`]: `import { feature, q } from "quickback";
export default feature("${name}", {
  columns: { organizationId: q.scope("organization"), ${columns} },
  guards: { createable: [] },
});
`,
});
const config = (rest = ""): RawFiles => ({
  "quickback/quickback.config.ts": `export default { name: "people"${rest} };\n`,
});
const people = (columns: string, files: RawFiles = {}): RawFiles => ({
  ...config(),
  ...table("people", columns),
  ...files,
});

const OLD = "first: q.text(), last: q.text()";

/** The project and what `dev` keeps of it. */
class Saves {
  readonly project: string;
  readonly folder: string;
  constructor(readonly root: string) {
    this.project = join(root, "project");
    this.folder = join(root, "dev");
  }

  /** A save, as `dev` follows it; the API applies what is pending. Returns what is told. */
  async save(files: RawFiles): Promise<readonly string[]> {
    await this.#write(files);
    await keepSchemas(this.folder);
    const result = await compileFolder({
      folder: this.project,
      out: this.folder,
      force: true,
      checksBundle: false,
      beginsEmpty: true,
      followsProject: true,
    });
    assert(result.kind === "compiled", JSON.stringify(result.findings.errors));
    await pruneMigrations(this.folder);
    const told = await foldMigrations(this.folder, result.output.model);
    const migrations = await readMigrations(join(this.folder, MIGRATIONS));
    await this.database((database) => applyMigrations(database, migrations));
    const fresh = await openDatabase({ url: `file:${join(this.root, "fresh.db")}` });
    try {
      await applyMigrations(fresh, migrations);
      assertEquals(await this.database(schemaOf), await schemaOf(fresh));
    } finally {
      await fresh.close();
      for (const end of ["", "-wal", "-shm"]) {
        await ifThere(Deno.remove(join(this.root, `fresh.db${end}`)));
      }
    }
    return told;
  }

  /** A compile for a release, whose history the project then keeps. */
  async release(files: RawFiles): Promise<void> {
    await this.#write(files);
    const out = join(this.root, "out");
    const { kind } = await compileFolder({
      folder: this.project,
      out,
      force: true,
      checksBundle: false,
    });
    assertEquals(kind, "compiled");
    const [from, to] = [out, this.project].map((folder) => join(folder, MIGRATIONS));
    assert(from && to);
    await Deno.mkdir(join(to, "meta"), { recursive: true });
    for (const part of ["", "meta"]) {
      for await (const { name, isFile } of Deno.readDir(join(from, part))) {
        if (isFile) await Deno.copyFile(join(from, part, name), join(to, part, name));
      }
    }
  }

  async database<T>(body: (database: Database) => Promise<T>): Promise<T> {
    const database = await openDatabase({ url: `file:${join(this.folder, "app.db")}` });
    try {
      return await body(database);
    } finally {
      await database.close();
    }
  }

  /** Tags of the output's history, without their hashes. */
  async history(): Promise<readonly string[]> {
    const migrations = await readMigrations(join(this.folder, MIGRATIONS));
    return migrations.map(({ tag, step }) => step ? tag : tag.slice(0, 4));
  }

  insert(values: Readonly<Record<string, string | null>>): Promise<unknown> {
    const all = { organization_id: "o", created_at: "t", modified_at: "t", ...values };
    const sql = `INSERT INTO people (${Object.keys(all)}) VALUES (${
      Object.keys(all).map(() => "?")
    })`;
    return this.write({ sql, args: Object.values(all) });
  }

  write(statement: Statement): Promise<unknown> {
    return this.database((database) => database.write((transaction) => transaction.run(statement)));
  }

  async rows(sql: string): Promise<unknown> {
    return (await this.database((database) => database.run({ sql, args: [] }))).rows;
  }

  async #write(files: RawFiles): Promise<void> {
    for (const part of ["features", "migrations"]) {
      await ifThere(Deno.remove(join(this.project, "quickback", part), { recursive: true }));
    }
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(this.project, path)), { recursive: true });
      await Deno.writeTextFile(join(this.project, path), text);
    }
  }
}

/** Every table with its columns and indexes. */
async function schemaOf(database: Database): Promise<unknown> {
  const columns = await database.run({
    sql:
      `SELECT m.name, c.name, c.type, c."notnull", c.dflt_value FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
      WHERE m.type = 'table' ORDER BY 1, 2`,
    args: [],
  });
  const indexes = await database.run({
    sql: "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' ORDER BY 1",
    args: [],
  });
  return [columns.rows, indexes.rows];
}

const withSaves = (body: (saves: Saves) => Promise<void>) => () =>
  withTempFolder((root) => body(new Saves(root)));

Deno.test(
  "any number of saves is one migration beyond the releases, and rows stay",
  withSaves(async (saves) => {
    await saves.save(people(OLD));
    await saves.insert({ id: "1", first: "Ada", last: "Lovelace" });
    const changes = [
      `${OLD}, born: q.date()`,
      `${OLD}, born: q.timestamp()`,
      `${OLD}, kind: q.enum(["a", "b"]).required().default("a")`,
      `${OLD}, kind: q.enum(["a"]).required().default("a")`,
      `${OLD}, rank: q.decimal({ precision: 8, scale: 2 }).unique()`,
      "first: q.text({ maxLength: 20 }).required(), last: q.text()",
      OLD,
    ];
    for (const [at, columns] of changes.entries()) {
      await saves.save(people(columns, at % 2 === 0 ? table("days", "day: q.text()") : {}));
      assertEquals(await saves.history(), ["0000"]);
    }
    assertEquals(await saves.rows("SELECT id, first, last FROM people"), [[
      "1",
      "Ada",
      "Lovelace",
    ]]);
    await saves.release(people(OLD));
    for (const columns of [...changes.slice(0, 3), OLD, `${OLD}, more: q.text()`]) {
      await saves.save(people(columns));
      assertEquals(await saves.history(), columns === OLD ? ["0000"] : ["0000", "0001"]);
    }
    await saves.release(people(`${OLD}, more: q.text()`));
    await saves.save(people(`${OLD}, more: q.text()`));
    assertEquals(await saves.history(), ["0000", "0001"]);
    assertEquals(await saves.rows("SELECT id, first FROM people"), [["1", "Ada"]]);
  }),
);

Deno.test(
  "what was never released is lost without a word of the author, and told",
  withSaves(async (saves) => {
    await saves.save(people(OLD));
    await saves.insert({ id: "1", first: "Ada" });
    assertEquals(await saves.save(people("first: q.text()")), [
      'The development database lost what was never released: the column "people"."last" and its values are gone',
    ]);
  }),
);

Deno.test(
  "rows that cannot follow stop one save, and no other",
  withSaves(async (saves) => {
    await saves.save(people(OLD));
    for (const id of ["1", "2"]) await saves.insert({ id, first: "Ada", last: null });
    const refused: readonly (readonly [string, RegExp])[] = [
      [`${OLD}, born: q.date().required()`, /born.*--fresh/],
      ["first: q.text().unique(), last: q.text()", /repeat values in people.*--fresh/],
      ["first: q.text(), last: q.text().required()", /last.*no value.*--fresh/],
    ];
    for (const [columns, reason] of refused) {
      for (let save = 0; save < 2; save += 1) {
        const error = await assertRejects(() => saves.save(people(columns)), ApiStartError);
        assert(reason.test(error.message), error.message);
      }
      await saves.save(people(OLD));
    }
    for (const [columns] of refused) {
      await assertRejects(() => saves.save(people(columns)), ApiStartError);
    }
    await saves.save(people(`${OLD}, born: q.date()`));
    assertEquals(await saves.rows("SELECT id FROM people ORDER BY id"), [["1"], ["2"]]);
  }),
);

Deno.test(
  "data steps take the number of the next release, and run once",
  withSaves(async (saves) => {
    await saves.release(people(OLD));
    await saves.save(people(OLD));
    await saves.insert({ id: "1", first: "Ada", last: null });
    const BOTH = `${OLD}, full: q.text()`;
    const fill = (text: string) => ({ [`${STEPS}0001_fill.sql`]: text });
    await saves.save(people(BOTH));
    const full = () => saves.rows("SELECT full FROM people");
    await saves.save(people(BOTH, fill("UPDATE people SET full = first || '!';")));
    assertEquals([await saves.history(), await full()], [["0000", "0001", "0001_fill"], [[
      "Ada!",
    ]]]);
    assertEquals(await saves.save(people(BOTH, fill("UPDATE people SET full = first || '?';"))), [
      "Data step 0001_fill ran before it was edited, and does not again",
    ]);
    assertEquals(await full(), [["Ada!"]]);
    await saves.save(people(`${BOTH}, more: q.text()`, fill("UPDATE people SET full = 'x';")));
    assertEquals(await full(), [["Ada!"]]);
    await saves.save(people(BOTH));
    assertEquals(await saves.history(), ["0000", "0001"]);
    // It makes rows fit what is saved with it, whichever of the two numbers it has.
    const REQUIRED = "first: q.text(), last: q.text().required(), full: q.text()";
    for (const number of ["0000", "0001"]) {
      await saves.write({ sql: "UPDATE people SET last = NULL", args: [] });
      const step = {
        [`${STEPS}${number}_last.sql`]:
          `UPDATE people SET last = '-' WHERE last IS NULL AND '${number}' <> '';`,
      };
      await saves.save(people(REQUIRED, step));
      assertEquals(await saves.rows("SELECT last FROM people"), [["-"]]);
      await saves.save(people(BOTH, number === "0000" ? step : {}));
    }
  }),
);

Deno.test(
  "a step that fails is mended by the next save",
  withSaves(async (saves) => {
    await saves.save(people(OLD));
    await saves.insert({ id: "1", first: "Ada", last: null });
    const step = (text: string) => ({ [`${STEPS}0000_x.sql`]: text });
    const broken = "UPDATE people SET organization_id = NULL;";
    await assertRejects(() => saves.save(people(OLD, step(broken))), Error, "failed");
    await assertRejects(() => saves.save(people(OLD, step(`${broken} -- again`))), Error, "failed");
    await saves.save(people(OLD, step("UPDATE people SET last = 'x';")));
    assertEquals(await saves.rows("SELECT last FROM people"), [["x"]]);
  }),
);

Deno.test(
  "a rename is made once, before and behind a release",
  withSaves(async (saves) => {
    const renamed = (name: string) => ({
      ...people(`first: q.text(), ${name}: q.text()`),
      ...config(
        ', compiler: { migrations: { renames: { columns: { "people.last": "family" } } } }',
      ),
    });
    await saves.save(people(OLD));
    await saves.insert({ id: "1", first: "Ada", last: "Lovelace" });
    await saves.save(renamed("family"));
    await saves.save({ ...renamed("family"), ...table("days", "day: q.text()") });
    assertEquals(await saves.rows("SELECT family FROM people"), [["Lovelace"]]);
    await saves.release(renamed("family"));
    await saves.save(renamed("family"));
    assertEquals(await saves.rows("SELECT family FROM people"), [["Lovelace"]]);
  }),
);

Deno.test(
  "the databases of organizations follow, too, with the steps of theirs",
  withSaves(async (saves) => {
    const apart = (columns: string, files: RawFiles = {}) => ({
      ...people(columns, files),
      "quickback/quickback.config.ts": `import { defineDatabase } from "quickback";
export default { name: "people", providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) } };\n`,
    });
    await saves.release(apart(OLD));
    await saves.save(apart(`${OLD}, more: q.text()`));
    const tenant = async <T>(body: (database: Database) => Promise<T>) => {
      await Deno.mkdir(join(saves.folder, "tenants"), { recursive: true });
      const database = await openDatabase({ url: `file:${join(saves.folder, "tenants/o.db")}` });
      try {
        return await body(database);
      } finally {
        await database.close();
      }
    };
    const migrated = async (database: Database) =>
      await applyMigrations(
        database,
        await readMigrations(join(saves.folder, MIGRATIONS)),
        "tenant",
      );
    await tenant(migrated);
    await tenant((database) =>
      database.write((transaction) =>
        transaction.run({
          sql:
            "INSERT INTO people (id, organization_id, first, created_at, modified_at) VALUES ('1', 'o', 'Ada', 't', 't')",
          args: [],
        })
      )
    );
    const step = { [`${STEPS}0001_fill.sql`]: "UPDATE people SET last = 'x' WHERE last IS NULL;" };
    await saves.save(apart("first: q.text(), last: q.text().required()", step));
    assertEquals(await tenant(migrated), []);
    const { rows } = await tenant((database) =>
      database.run({ sql: "SELECT first, last FROM people", args: [] })
    );
    assertEquals(rows, [["Ada", "x"]]);
  }),
);
