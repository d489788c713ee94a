/** What an operator does with the databases of organizations (definitions 8): nothing of anybody is lost, doubled or mixed. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { organizationEnding } from "../../shared/accounts/mod.ts";
import {
  exportFiles,
  openDatabase,
  readTenantCommand,
  TenantUsageError,
} from "../../library/platform/mod.ts";
import {
  buryTenant,
  insertTenant,
  tenantName,
} from "../../shared/runtime/data/tenants/tenant_rows.ts";
import { createCollection } from "../../shared/runtime/background/collection.ts";
import { validate } from "../../shared/compiler/mod.ts";
import {
  applyMigrations,
  DatabaseUnavailableError,
  openTenantDatabases,
  runTenantCommand,
} from "../../shared/runtime/mod.ts";
import type { FileStore, Migration } from "../../shared/runtime/ports.ts";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";
import { ANNA, BERT, FILES, ROLES, run, texts, write } from "../support/apart_project.ts";
import { TENANT_DRIVERS } from "../support/databases.ts";
import { migrationOf } from "../support/divided_database.ts";
import { schemaOf } from "../support/model_database.ts";
import { withTempFolder } from "../support/temp_folder.ts";

const PAPERS = {
  ...FILES,
  "quickback/features/papers/papers.ts": `import { feature, q } from "quickback";
export default feature("papers", {
  columns: { organizationId: q.scope("organization"), title: q.text(), scan: q.file() },
  guards: { createable: ["title"], updatable: ["title", "scan"] },
  ${ROLES}, update: { access: { roles: ["AUTHENTICATED"] } },
  delete: { access: { roles: ["AUTHENTICATED"] }, mode: "soft" },
});
`,
};

/** Path of a new paper with a scan that holds the text. */
async function paper(api: ApiUnderTest, as: Claims, text: string): Promise<string> {
  const made = await api.ask("papers", { as, body: { title: text } });
  assertEquals(made.status, 201, made.text);
  const path = `papers/${made.body["id"]}`;
  await scan(api, as, path, text);
  return path;
}

async function scan(api: ApiUnderTest, as: Claims, path: string, text: string): Promise<void> {
  const sent = await api.ask(`${path}/scan`, {
    as,
    method: "PUT",
    body: new TextEncoder().encode(text),
    headers: { "content-type": "text/plain" },
  });
  assertEquals(sent.status, 200, sent.text);
}

/** Removes what nothing refers to, however young. */
async function collect(api: ApiUnderTest): Promise<void> {
  const { files } = api.ports;
  assert(files, "The API has no files");
  const step = createCollection(api.project, { ...api.ports, files: { ...files, graceMs: 0 } });
  while (await step());
}

async function rewrite(path: string, sql: string): Promise<void> {
  const file = await openDatabase({ url: `file:${path}` });
  await file.migrate([{ sql, args: [] }]);
  await file.run({ sql: "PRAGMA wal_checkpoint(TRUNCATE)", args: [] });
  await file.close();
}

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

  const withPapers = (body: (api: ApiUnderTest) => Promise<void>) =>
    withDefinitions(PAPERS, body, { driver });

  test("files go along into an export, and come back with it here and elsewhere", async () => {
    await withTempFolder(async (folder) => {
      let path = "";
      await withPapers(async (api) => {
        path = await paper(api, ANNA, "first words");
        const other = await paper(api, BERT, "of b");
        const exported = await run(api, {
          kind: "export",
          organizationId: "org_a",
          to: `${folder}/a.db`,
        });
        assertMatch(exported.lines[0] ?? "", /^Exported org_a .*, 1 files of 11 bytes$/);
        await run(api, { kind: "export", organizationId: null, to: folder });
        await scan(api, ANNA, path, "later words");
        await collect(api);
        await run(api, { kind: "restore", organizationId: "org_a", from: folder, at: null });
        await collect(api);
        assertEquals((await api.ask(`${path}/scan`, { as: ANNA })).text, "first words");
        assertEquals((await api.ask(`${other}/scan`, { as: BERT })).text, "of b");
      });
      await withPapers(async (api) => {
        await run(api, { kind: "import", from: `${folder}/a.db` });
        await collect(api);
        assertEquals((await api.ask(`${path}/scan`, { as: ANNA })).text, "first words");
        assertEquals((await api.ask(`${path}/scan`, { as: BERT })).status, 403);
      });
    });
  });

  test("files that take hours to come are not collected before their rows are there", async () => {
    await withTempFolder(async (folder) => {
      const paths: string[] = [];
      await withPapers(async (api) => {
        for (const text of ["one", "two", "three"]) paths.push(await paper(api, ANNA, text));
        await run(api, { kind: "export", organizationId: "org_a", to: `${folder}/a.db` });
      });
      await withPapers(async (api) => {
        const store = api.ports.files?.store;
        assert(store, "The API has no files");
        const slow: FileStore = {
          ...store,
          async put(key, body) {
            const kept = await store.put(key, body);
            api.pass(50 * 60_000);
            await collect(api);
            return kept;
          },
        };
        await run(api, { kind: "import", from: `${folder}/a.db` }, { objects: slow });
        await collect(api);
        const texts = paths.map(async (path) => (await api.ask(`${path}/scan`, { as: ANNA })).text);
        assertEquals(await Promise.all(texts), ["one", "two", "three"]);
      });
    });
  });

  test("files of an organization stay, however many were deleted that stand before it", async () => {
    await withPapers(async (api) => {
      const path = await paper(api, ANNA, "words");
      await api.ports.database.write(async (transaction) => {
        for (let index = 0; index < 1000; index++) {
          const organizationId = `org_${String(index).padStart(4, "0")}`;
          const createdAt = new Date(api.ports.clock.now()).toISOString();
          await buryTenant(transaction, { organizationId, name: `t_${index}`, createdAt });
        }
      });
      await collect(api);
      assertEquals((await api.ask(`${path}/scan`, { as: ANNA })).text, "words");
    });
  });

  test("an export or import that lacks a file, or has another in its place, is none", async () => {
    await withTempFolder(async (folder) => {
      const of = async (api: ApiUnderTest, prefix: string) => {
        const store = api.ports.files?.store;
        assert(store, "The API has no files");
        const keys: string[] = [];
        for await (const { key } of store.list(prefix)) keys.push(key);
        return { store, keys };
      };
      let key = "";
      await withPapers(async (api) => {
        await paper(api, ANNA, "words");
        const exported = (name: string) =>
          run(api, { kind: "export", organizationId: "org_a", to: `${folder}/${name}.db` });
        await exported("whole");
        const { store, keys } = await of(api, "org_a/");
        key = keys[0] ?? "";
        await store.remove(key);
        await assertRejects(() => exported("none"), Error, `'${key}'`);
        await store.put(key, ReadableStream.from([new TextEncoder().encode("w0rds")]));
        await assertRejects(() => exported("other"), Error, "is not what was sent");
      });
      const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
      assertEquals(names.toSorted(), ["whole.db", "whole.files"]);
      await withPapers(async (api) => {
        await Deno.writeTextFile(`${folder}/whole.files/${key}`, "w0rds");
        const load = () => run(api, { kind: "import", from: `${folder}/whole.db` });
        await assertRejects(load, Error, "is not what was sent");
        await Deno.remove(`${folder}/whole.files`, { recursive: true });
        await assertRejects(load, Error, "is in no store");
        const { body: { data } } = await api.ask("papers", { as: ANNA });
        assertEquals([data, (await of(api, "")).keys], [[], []]);
      });
    });
  });

  test("an export with somebody else's row or file imports nothing", async () => {
    await withTempFolder(async (folder) => {
      const path = `${folder}/a.db`;
      await withPapers(async (api) => {
        await paper(api, ANNA, "of a");
        await run(api, { kind: "export", organizationId: "org_a", to: path });
      });
      const refused: readonly (readonly [change: string, undo: string, message: string])[] = [
        [
          "UPDATE papers SET organization_id = 'org_b'",
          "UPDATE papers SET organization_id = 'org_a'",
          'of table "papers" is not of organization',
        ],
        [
          "INSERT INTO tenant_databases (organization_id, name, status, migrated, created_at) VALUES ('org_0', 'other', 'ready', 0, '')",
          "DELETE FROM tenant_databases WHERE organization_id = 'org_0'",
          "is no export of an organization",
        ],
        [
          "UPDATE papers SET scan = replace(scan, 'file_', '../../org_b/papers/file_')",
          "UPDATE papers SET scan = replace(scan, '../../org_b/papers/file_', 'file_')",
          "is not of organization 'org_a'",
        ],
      ];
      await withPapers(async (api) => {
        const other = await paper(api, BERT, "of b");
        for (const [change, undo, message] of refused) {
          await rewrite(path, change);
          await assertRejects(() => run(api, { kind: "import", from: path }), Error, message);
          const { lines } = await run(api, { kind: "list" });
          assertEquals(lines.filter((line) => line.includes("org_a")), [], change);
          assertEquals((await api.ask(`${other}/scan`, { as: BERT })).text, "of b");
          await rewrite(path, undo);
        }
        await run(api, { kind: "import", from: path });
        assertEquals((await api.ask("papers", { as: ANNA })).body["data"] instanceof Array, true);
      });
    });
  });

  test("a deletion takes the files of its organization along, and no other's", async () => {
    await withPapers(async (api) => {
      await paper(api, ANNA, "of a");
      const other = await paper(api, BERT, "of b");
      await run(api, { kind: "delete", organizationId: "org_a" });
      const keys: string[] = [];
      for await (const { key } of api.ports.files?.store.list("") ?? []) keys.push(key);
      assertEquals(keys.map((key) => key.split("/")[0]), ["org_b"]);
      assertEquals((await api.ask(`${other}/scan`, { as: BERT })).text, "of b");
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

  test("an organization whose database is still to be made has none to export, and is deleted as empty", async () => {
    await withTempFolder(async (folder) => {
      await apart(async (api) => {
        const { database: directory } = api.ports;
        await directory.write(async (transaction) => {
          const named = { organizationId: "org_a", name: await tenantName("org_a") };
          await insertTenant(transaction, { ...named, createdAt: "2026" });
          await transaction.run({
            sql:
              `INSERT INTO idempotency_keys VALUES ('key', 'f', 'p', NULL, 201, NULL, '[]', '', '2099')`,
            args: [],
          });
        });
        const to = `${folder}/a.db`;
        const exported = () => run(api, { kind: "export", organizationId: "org_a", to });
        await assertRejects(exported, Error, "nothing to export yet");
        const { lines } = await run(api, { kind: "delete", organizationId: "org_a" });
        assertMatch(lines.join("\n"), /^Deleted at \S+ org_a \(t_\w+\), 0 rows$/);
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
          endOrganization: organizationEnding(project),
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
  project: { tables: [] },
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
