/** What an operator does with the databases of organizations (definitions 8): nothing of anybody is lost, doubled or mixed. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  exportFiles,
  openDatabase,
  readTenantCommand,
  TenantUsageError,
} from "../../platform/mod.ts";
import { validate } from "../../shared/compiler/mod.ts";
import {
  applyMigrations,
  DatabaseUnavailableError,
  openTenantDatabases,
  runTenantCommand,
} from "../../shared/runtime/mod.ts";
import type {
  Database,
  ExportFiles,
  Migration,
  TenantCommand,
} from "../../shared/runtime/ports.ts";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";
import { TENANT_DRIVERS } from "../support/databases.ts";
import { migrationOf } from "../support/divided_database.ts";
import { schemaOf } from "../support/model_database.ts";
import { withTempFolder } from "../support/temp_folder.ts";

const ROLES =
  `read: { access: { roles: ["AUTHENTICATED"] } }, create: { access: { roles: ["AUTHENTICATED"] } }`;

const FILES = {
  "quickback/quickback.config.ts": `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "apart",
  providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) },
});
`,
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { organizationId: q.scope("organization"), text: q.text().required() },
  guards: { createable: ["text"] },
  ${ROLES},
});
`,
  "quickback/features/plans/plans.ts": `import { feature, q } from "quickback";
export default feature("plans", {
  columns: { name: q.text().required() },
  firewall: { exception: true },
  guards: { createable: ["name"] },
  ${ROLES},
});
`,
};

const ANNA: Claims = { sub: "anna", orgId: "org_a", roles: ["admin"] };
const BERT: Claims = { sub: "bert", orgId: "org_b", roles: ["admin"] };

async function write(api: ApiUnderTest, as: Claims, text: string): Promise<void> {
  const answer = await api.ask("notes", { as, body: { text } });
  assertEquals(answer.status, 201, answer.text);
}

async function texts(api: ApiUnderTest, as: Claims): Promise<readonly unknown[]> {
  const { body: { data } } = await api.ask("notes?sort=text", { as });
  return Array.isArray(data) ? data.map(({ text }) => text) : [];
}

function run(api: ApiUnderTest, command: TenantCommand, files = exportFiles(null)) {
  const { ports: { database, tenants, clock, random }, project } = api;
  assert(tenants, "The API has one database");
  return runTenantCommand(command, {
    project,
    directory: database,
    tenants,
    migrations: [migrationOf(schemaOf(project))],
    clock,
    random,
    files,
    progress: () => {},
  });
}

const SHARED = {
  ...FILES,
  "quickback/quickback.config.ts": `import { defineConfig } from "quickback";
export default defineConfig({ name: "apart" });
`,
};

for (const driver of TENANT_DRIVERS) {
  const apart = (body: (api: ApiUnderTest) => Promise<void>) =>
    withDefinitions(FILES, body, { driver });
  const test = (name: string, body: () => Promise<void>) =>
    Deno.test(`${driver.name}: ${name}`, body);

  test("an export opens anywhere, and makes the organization elsewhere", async () => {
    await withTempFolder(async (folder) => {
      const path = `${folder}/a.db`;
      await apart(async (api) => {
        await write(api, ANNA, "one");
        await write(api, ANNA, "two");
        await write(api, BERT, "of b");
        const { lines } = await run(api, { kind: "export", organizationId: "org_a", to: path });
        assert(lines[0]?.startsWith("Exported org_a (t_"), lines[0]);
      });
      const file = await openDatabase({ url: `file:${path}` });
      const { rows } = await file.run({ sql: "SELECT text FROM notes ORDER BY text", args: [] });
      await file.close();
      assertEquals(rows, [["one"], ["two"]]);
      await apart(async (api) => {
        await run(api, { kind: "import", from: path });
        assertEquals(await texts(api, ANNA), ["one", "two"]);
        assertEquals(await texts(api, BERT), []);
        await assertRejects(() => run(api, { kind: "import", from: path }), Error, "restore");
      });
    });
  });

  test("a restore brings one organization back to a time, and touches no other", async () => {
    await withTempFolder(async (folder) => {
      await apart(async (api) => {
        const restore = (at: string | null) =>
          run(api, { kind: "restore", organizationId: "org_a", from: folder, at });
        const backUp = () => run(api, { kind: "export", organizationId: null, to: folder });
        await write(api, ANNA, "one");
        await write(api, BERT, "of b");
        await backUp();
        api.pass(3_600_000);
        await write(api, ANNA, "two");
        const between = new Date(api.ports.clock.now() - 60_000).toISOString();
        await backUp();
        await write(api, ANNA, "three");
        await write(api, BERT, "also of b");
        await restore(null);
        assertEquals(await texts(api, ANNA), ["one", "two"]);
        await restore(between);
        assertEquals(await texts(api, ANNA), ["one"]);
        assertEquals(await texts(api, BERT), ["also of b", "of b"]);
        await assertRejects(() => restore("2020-01-01T00:00:00Z"), Error, "has no export");
        await write(api, ANNA, "after");
        assertEquals(await texts(api, ANNA), ["after", "one"]);
      });
    });
  });

  test("a deletion says what was there, and leaves a tombstone alone", async () => {
    await apart(async (api) => {
      await write(api, ANNA, "one");
      await write(api, BERT, "of b");
      const { json, lines } = await run(api, { kind: "delete", organizationId: "org_a" });
      assert(lines.some((line) => /^ {2}notes +1 +[0-9a-f]{64}$/.test(line)), lines.join("\n"));
      assert(JSON.stringify(json).includes('"deleted"'));
      const asked = await api.ask("notes", { as: ANNA });
      assertEquals([asked.status, asked.body["code"]], [403, "FIREWALL_ORG_ISOLATION"]);
      assertEquals(await texts(api, BERT), ["of b"]);
      const list = await run(api, { kind: "list" });
      assertEquals(list.lines.filter((line) => /deleted/.test(line)).length, 1);
      await assertRejects(
        () => run(api, { kind: "delete", organizationId: "org_a" }),
        Error,
        "was deleted",
      );
    });
  });

  test("a shared database is split whole, again after it was broken off, and into no other's", async () => {
    await withDefinitions(SHARED, async (shared) => {
      for (const [as, text] of [[ANNA, "one"], [ANNA, "two"], [BERT, "of b"]] as const) {
        await write(shared, as, text);
      }
      assertEquals((await shared.ask("plans", { as: ANNA, body: { name: "Large" } })).status, 201);
      const source: Database = { ...shared.database, close: () => Promise.resolve() };
      const files: ExportFiles = { ...exportFiles(null), source: () => Promise.resolve(source) };
      await apart(async (api) => {
        const split = () => run(api, { kind: "split", from: "file:x" }, files);
        const first = await split();
        assertEquals(first.lines, ["2 done, 0 were already, 0 failed"]);
        assertEquals((await split()).lines, ["0 done, 2 were already, 0 failed"]);
        assertEquals(await texts(api, ANNA), ["one", "two"]);
        assertEquals(await texts(api, BERT), ["of b"]);
        const plans = await api.ask("plans", { as: BERT });
        assert(JSON.stringify(plans.body).includes("Large"), plans.text);
        await write(api, ANNA, "three");
        assertEquals(await texts(api, ANNA), ["one", "three", "two"]);
      });
    });
  });

  test("one database that cannot be migrated stops no other, and says why until it is", async () => {
    await driver.with(async (directory, _, store) => {
      assert(store, "This driver has no place for organizations");
      const validation = validate(FILES);
      assert(validation.ok);
      const project = validation.model;
      const schema = migrationOf(schemaOf(project));
      const unique = {
        tag: "0001_unique",
        when: 2,
        sql: "CREATE UNIQUE INDEX notes_text ON notes (text)",
      };
      await applyMigrations(directory, [schema, unique]);
      const open = (migrations: readonly Migration[]) =>
        openTenantDatabases({ ...HOST, directory, store, migrations, poolSize: 2 });
      const before = open([schema]);
      const note = (id: string, text: string) => ({
        sql: `INSERT INTO notes (id, organization_id, text, created_at, modified_at)
          VALUES (?, 'org', ?, '2026', '2026')`,
        args: [id, text],
      });
      for (const id of ["org_a", "org_b", "org_c"]) await before.found(id);
      await before.of("org_b", "never").write((transaction) =>
        transaction.runAll([note("note_1", "same"), note("note_2", "same")])
      );
      await before.close();
      const migrations = [schema, unique];
      const after = open(migrations);
      const command = (kind: "migrate" | "list") =>
        runTenantCommand({ kind }, {
          ...HOST,
          project,
          directory,
          tenants: after,
          migrations,
          files: exportFiles(null),
          progress: () => {},
        });
      const failed = await command("migrate");
      assertEquals(failed.hasFailed, true);
      assertEquals(failed.lines.at(-1), "2 done, 0 were already, 1 failed");
      assert(failed.lines[0]?.includes("0001_unique"), failed.lines[0]);
      assert((await command("list")).lines.some((line) => line.includes("0001_unique' failed")));
      const asked = after.of("org_b", "never").run(note("note_3", "other"));
      await assertRejects(() => asked, DatabaseUnavailableError);
      const repairing = open([schema]);
      await repairing.atWork("org_b").write((transaction) =>
        transaction.run({ sql: "DELETE FROM notes WHERE id = 'note_2'", args: [] })
      );
      await repairing.close();
      assertEquals((await command("migrate")).lines, ["1 done, 2 were already, 0 failed"]);
      await after.close();
    });
  });
}

const HOST = {
  clock: { now: () => Date.UTC(2026, 0, 2) },
  random: { bytes: (length: number) => new Uint8Array(length) },
  logger: { log: () => {} },
};

Deno.test("a command line that is none is refused with the words for one", () => {
  const WRONG = [
    [],
    ["lst"],
    ["export", "org_a"],
    ["export", "--to", "x"],
    ["delete", "org_a"],
    ["restore", "org_a", "--from", "x", "--at", "soon"],
    ["list", "--fast"],
    ["move", "org_a"],
    ["move", "org_a", "--to", "/data"],
  ];
  for (const args of WRONG) {
    try {
      readTenantCommand(args);
    } catch (error) {
      assert(error instanceof TenantUsageError, String(error));
      assert(error.message.includes("deno task tenant list"), error.message);
      continue;
    }
    throw new Error(`"${args.join(" ")}" was taken`);
  }
  assertEquals(readTenantCommand(["delete", "org_a", "--yes", "--json"]), {
    command: { kind: "delete", organizationId: "org_a" },
    isJson: true,
  });
});
