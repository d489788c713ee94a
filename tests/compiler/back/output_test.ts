/** A whole output: the same bytes for the same input, the same model when loaded, migrations that keep what is stored. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { withBuiltRuntime } from "../../../container/built_runtime.ts";
import { readCompileHost } from "../../../container/host.ts";
import { openDatabase } from "../../../library/platform/mod.ts";
import {
  compile,
  type CompileHost,
  type GeneratedFile,
  type RawFiles,
} from "../../../shared/compiler/mod.ts";
import { applyMigrations, type Database, type Migration } from "../../../shared/runtime/mod.ts";
import { BARE_HOST, projectFiles } from "../../support/sample_files.ts";
import { withSteadyFolder } from "../../support/temp_folder.ts";

const NOTES = await projectFiles(new URL("../samples/notes/input/", import.meta.url));
const CONFIG = "quickback/quickback.config.ts";
const TABLE = "quickback/features/notebooks/notes.ts";
const META = "quickback/drizzle/features/meta/";
const HOST = readCompileHost({ version: "0.0.0" });

Deno.test("compile() gives the same bytes whatever the order of the input map", () => {
  const first = compiled(NOTES, HOST);
  const shuffled = Object.fromEntries(Object.entries(NOTES).reverse());
  const host: CompileHost = {
    ...HOST,
    template: Object.fromEntries(Object.entries(HOST.template).reverse()),
    vendored: Object.fromEntries(Object.entries(HOST.vendored).reverse()),
    imports: Object.fromEntries(Object.entries(HOST.imports).reverse()),
  };
  const second = compiled(shuffled, host);
  assertEquals(second.map(({ path }) => path), first.map(({ path }) => path));
  for (const [at, { path, content }] of first.entries()) {
    assertEquals(second[at]?.content, content, path);
  }
});

Deno.test("compile() sorts files by path and ends each with a newline", () => {
  const files = compiled(NOTES, HOST);
  const paths = files.map(({ path }) => path);
  assertEquals(paths, [...paths].sort());
  assertEquals(files.filter(({ content }) => !content.endsWith("\n")).map(({ path }) => path), []);
});

Deno.test("compile() carries earlier migration state byte for byte and adds nothing to it", () => {
  const first = compiled(NOTES, BARE_HOST);
  const again = compiled({ ...NOTES, ...metaOf(first) }, BARE_HOST);
  assertEquals(metaOf(again), metaOf(first));
  assertEquals(again.filter(({ path }) => path.endsWith(".sql")), []);
});

Deno.test("migrations of one compile after another keep rows and end in the defined schema", async () => {
  const folder = await Deno.makeTempDir();
  const database = await openDatabase({ url: `file:${folder}/app.db` });
  try {
    const first = compiled(NOTES, BARE_HOST);
    const history = sqlOf(first);
    await migrate(database, first, history);
    await insertNote(database);
    const changed = {
      ...NOTES,
      ...metaOf(first),
      [TABLE]: (NOTES[TABLE] ?? "")
        .replace("rating: q.int()", "stars: q.int().required().default(3)")
        .replaceAll('"rating"', '"stars"')
        .replace("rating: { lessThan", "stars: { lessThan"),
      [CONFIG]: (NOTES[CONFIG] ?? "").replace(
        "auth:",
        'compiler: { migrations: { renames: { columns: { "notes.rating": "stars" } } } },\n  auth:',
      ),
    };
    const second = compiled(changed, BARE_HOST);
    await migrate(database, second, { ...history, ...sqlOf(second) });
    const { rows } = await database.run({ sql: "SELECT id, stars, body FROM notes", args: [] });
    assertEquals<unknown>(rows, [["n1", 3, 'It\'s "quoted", `ticked` and */ closed']]);
  } finally {
    await database.close();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("compile() asks before a change of definitions loses data", () => {
  const meta = metaOf(compiled(NOTES, BARE_HOST));
  const renamed = {
    ...NOTES,
    ...meta,
    [TABLE]: (NOTES[TABLE] ?? "").replace("meta: q.json()", "extra: q.json()")
      .replaceAll('"meta"', '"extra"'),
  };
  const result = compile(renamed, BARE_HOST);
  assert(!result.ok);
  const [error] = result.errors;
  assertEquals(result.errors.length, 1);
  assertEquals(error?.code, "MIGRATION_RENAME_OR_DROP");
  assertEquals(error?.place.file, TABLE);
  assertStringIncludes(error?.hint ?? "", '"notes.meta": "extra"');
  assertStringIncludes(error?.hint ?? "", "allowDestructive");
});

Deno.test("compile() refuses a table with the name of a service table", () => {
  const taken = {
    ...NOTES,
    "quickback/features/audit-events/audit-events.ts":
      (NOTES["quickback/features/notebooks/notebooks.ts"] ?? "")
        .replace('"notebooks"', '"auditEvents"'),
  };
  const result = compile(taken, BARE_HOST);
  assert(!result.ok);
  assertEquals(result.errors.map(({ code }) => code), ["TABLE_RESERVED"]);
});

for (const sample of ["notes", "awkward"]) {
  Deno.test(`the output of '${sample}' loads as the very model that it was made from`, async () => {
    const folder = new URL(`../samples/${sample}/input/`, import.meta.url);
    const result = compile(await projectFiles(folder), HOST);
    assert(result.ok, JSON.stringify(result));
    await withOutput(sample, result.files, async (output) => {
      const module: unknown = await import(`${output}/src/project.ts`);
      assert(typeof module === "object" && module !== null && "project" in module);
      assertEquals<unknown>(module.project, result.model);
    });
  });
}

for (
  const [name, project, host] of [
    ["helpdesk", "examples/helpdesk", await withBuiltRuntime(HOST)],
    ["awkward", "tests/compiler/samples/awkward/input", HOST],
  ] as const
) {
  Deno.test(`the output of ${project} is formatted, linted and type-checked as it is`, async () => {
    const folder = new URL(`../../../${project}/`, import.meta.url);
    await withOutput(name, compiled(await projectFiles(folder), host), async (output) => {
      await deno(output, ["fmt", "--check"]);
      await deno(output, ["lint", "src/project.ts", "src/resources", "src/schema", "src/main.ts"]);
      await deno(output, ["check", "src/main.ts", "src/migrate.ts", "src/schema/mod.ts"]);
    });
  });
}

Deno.test("a vendored file imports nothing that the output lacks", () => {
  const paths = new Set(Object.keys(HOST.vendored));
  assert(paths.size > 20);
  for (const [path, text] of Object.entries(HOST.vendored)) {
    for (const [, specifier] of text.matchAll(/\bfrom "(\.[^"]+)"/g)) {
      const target = new URL(specifier ?? "", `file:///${path}`).pathname.slice(1);
      assert(paths.has(target), `${path} → ${specifier}`);
    }
  }
  assertNotEquals(HOST.imports["hono"], undefined);
  assert(Object.values(HOST.imports).every((pin) => /^npm:.+@\d+\.\d+\.\d+/.test(pin)));
});

function compiled(files: RawFiles, host: CompileHost): readonly GeneratedFile[] {
  const result = compile(files, host);
  assert(result.ok, JSON.stringify(result));
  return result.files;
}

function metaOf(files: readonly GeneratedFile[]): RawFiles {
  return Object.fromEntries(
    files.filter(({ path }) => path.startsWith(META)).map(({ path, content }) => [path, content]),
  );
}

function sqlOf(files: readonly GeneratedFile[]): RawFiles {
  return Object.fromEntries(
    files.filter(({ path }) => path.endsWith(".sql")).map(({ path, content }) => [path, content]),
  );
}

async function migrate(database: Database, files: readonly GeneratedFile[], sql: RawFiles) {
  const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
    metaOf(files)[`${META}_journal.json`] ?? "",
  );
  const migrations = journal.entries.map(({ tag, when }): Migration => ({
    tag,
    when,
    sql: sql[`quickback/drizzle/features/${tag}.sql`] ?? "",
  }));
  await applyMigrations(database, migrations);
}

async function insertNote(database: Database): Promise<void> {
  await database.write((transaction) =>
    transaction.runAll([
      {
        sql: "INSERT INTO notebooks (id, organization_id, title, created_at) VALUES (?, ?, ?, ?)",
        args: ["b1", "o1", "First", "2026-01-01T00:00:00.000Z"],
      },
      {
        sql:
          "INSERT INTO notes (id, organization_id, owner_id, notebook_id, created_at) VALUES (?, ?, ?, ?, ?)",
        args: ["n1", "o1", "u1", "b1", "2026-01-01T00:00:00.000Z"],
      },
    ])
  );
}

async function deno(cwd: string, args: string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd })
    .output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert(success, `deno ${args.join(" ")}\n${out}${err}`);
}

/** Deno keeps its answer on the types of one and the same output. */
function withOutput(
  name: string,
  files: readonly GeneratedFile[],
  body: (folder: string) => Promise<void>,
): Promise<void> {
  return withSteadyFolder(async (folder) => {
    for (const { path, content } of files) {
      const file = `${folder}/${path}`;
      await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(file, content);
    }
    await body(folder);
  }, `output-${name}`);
}
