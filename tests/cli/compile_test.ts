/** `compile` and `validate` on disk: outputs, exit codes, and what a person reads. */
import { join } from "node:path";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { pathToFileURL } from "node:url";
import { filesBelow } from "../support/sample_files.ts";
import { inFolder, type Run, runCli, runHere } from "./command_line.ts";

const TABLE = "shop/quickback/features/notes/notes.ts";

Deno.test("compile writes an API that a second compile leaves as it is", () =>
  inShop(async (folder) => {
    const first = await compile(folder, "api", runCli);
    assertEquals(first.code, 0, first.err);
    assertMatch(first.out, /^\d+ files written, 0 unchanged in api$/m);
    // No terminal, no progress.
    assertEquals(first.err.trim(), "0 errors, 0 warnings");
    const second = await compile(folder);
    assertMatch(second.out, /^0 files written, \d+ unchanged in api$/m);
  }));

Deno.test("compile adds a migration for what changed and keeps the earlier one", () =>
  inCompiledShop(async (folder) => {
    const before = await migrationsIn(join(folder, "api"));
    await edit(join(folder, TABLE), "body: q.text(),", "body: q.text(),\n    color: q.text(),");
    assertEquals((await compile(folder)).code, 0);
    const after = await migrationsIn(join(folder, "api"));
    assertEquals(before.length, 1);
    assertEquals(after.slice(0, 1), before);
    assertEquals(after.length, 2);
  }));

Deno.test("compile to a new folder takes the project's own migrations along", () =>
  inShop(async (folder) => {
    // An output stands in their places.
    for (const own of [".gitignore", "README.md", "deno.json"]) {
      await Deno.remove(join(folder, "shop", own));
    }
    const first = await compile(folder, "shop");
    assertEquals(first.code, 0, first.err);
    await edit(join(folder, TABLE), "body: q.text(),", "body: q.text(),\n    color: q.text(),");
    assertEquals((await compile(folder)).code, 0);
    const own = await migrationsIn(join(folder, "shop"));
    const out = await migrationsIn(join(folder, "api"));
    assertEquals(out.slice(0, 1), own);
    assertEquals(out.length, 2);
  }));

Deno.test("compile with mistakes shows each in its place, writes nothing and exits with 1", () =>
  inShop(async (folder) => {
    await edit(join(folder, TABLE), "q.text({ maxLength: 200 })", "q.txt({ maxLength: 200 })");
    await edit(join(folder, TABLE), 'roles: ["owner", "admin"]', 'rolls: ["owner", "admin"]');
    const { code, out, err } = await compile(folder, "api", runCli);
    assertEquals(code, 1);
    assertEquals(out, "");
    assertStringIncludes(err, "2 errors, 0 warnings");
    assertStringIncludes(err, "quickback/features/notes/notes.ts:8:");
    assertStringIncludes(err, "title: q.txt({ maxLength: 200 }).required(),");
    assertMatch(err, /^ +│ +\^+$/m);
    assertStringIncludes(err, "hint: Did you mean q.text()?");
    assertStringIncludes(err, `hint: Did you mean "roles"?`);
    assertEquals(await exists(join(folder, "api")), false);
  }));

Deno.test("a broken project leaves the output of the last good compile alone", () =>
  inCompiledShop(async (folder) => {
    const before = await Deno.readTextFile(join(folder, "api/openapi.json"));
    await edit(join(folder, TABLE), "q.text(),", "q.text(,");
    assertEquals((await compile(folder)).code, 1);
    assertEquals(await Deno.readTextFile(join(folder, "api/openapi.json")), before);
  }));

Deno.test("compile overwrites nothing that is not its own", () =>
  inShop(async (folder) => {
    await Deno.mkdir(join(folder, "api"));
    await Deno.writeTextFile(join(folder, "api/README.md"), "mine");
    const refused = await compile(folder);
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.err, "not generated here: README.md");
    assertEquals(await Deno.readTextFile(join(folder, "api/README.md")), "mine");
    const forced = await runHere(["compile", "shop", "--out", "api", "--force"], { cwd: folder });
    assertEquals(forced.code, 0);
    assert(await Deno.readTextFile(join(folder, "api/README.md")) !== "mine");
  }));

Deno.test("validate finds the same mistakes and writes nothing", () =>
  inShop(async (folder) => {
    assertEquals((await runHere(["validate", "shop"], { cwd: folder })).code, 0);
    await edit(join(folder, TABLE), "q.text({ maxLength: 200 })", "q.txt({ maxLength: 200 })");
    const { code, err } = await runCli(["validate", "shop"], { cwd: folder });
    assertEquals(code, 1);
    assertStringIncludes(err, "1 error, 0 warnings");
    assertEquals((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), ["shop"]);
  }));

Deno.test("validate --out judges against that folder's migrations and writes nothing", () =>
  inCompiledShop(async (folder) => {
    const before = await filesBelow(new URL("api/", pathToFileURL(`${folder}/`)));
    await edit(join(folder, TABLE), "body: q.text()", "text: q.text()");
    const guards = 'createable: ["title", "body"], updatable: ["title", "body"]';
    await edit(join(folder, TABLE), guards, guards.replaceAll("body", "text"));
    assertEquals(
      (await runHere(["validate", "shop"], { cwd: folder })).err,
      "0 errors, 0 warnings\n",
    );
    const judged = await runHere(["validate", "shop", "--out", "api"], { cwd: folder });
    assertEquals(judged.code, 1);
    assertStringIncludes(judged.err, "MIGRATION_RENAME_OR_DROP");
    assertEquals((await compile(folder)).code, 1);
    assertEquals(await filesBelow(new URL("api/", pathToFileURL(`${folder}/`))), before);
  }));

Deno.test("nothing is coloured where no person reads", () =>
  inShop(async (folder) => {
    await edit(join(folder, TABLE), "q.id()", "q.idd()");
    const { out, err } = await compile(folder, "api", runCli);
    assertEquals(err.includes("\x1b"), false);
    assertEquals(out.includes("\x1b"), false);
  }));

type Files = Readonly<Record<string, string>>;

let shop: Promise<Files> | null = null;
let compiledShop: Promise<Files> | null = null;

function inShop(body: (folder: string) => Promise<void>): Promise<void> {
  shop ??= made((folder) => runCli(["new", "empty", "shop"], { cwd: folder }));
  return inFilesOf(shop, body);
}

/** The project, and beside it what was compiled of it. */
function inCompiledShop(body: (folder: string) => Promise<void>): Promise<void> {
  compiledShop ??= made(async (folder) => {
    await runHere(["new", "empty", "shop"], { cwd: folder });
    return await compile(folder);
  });
  return inFilesOf(compiledShop, body);
}

async function made(by: (folder: string) => Promise<Run>): Promise<Files> {
  let files: Files = {};
  await inFolder(async (folder) => {
    const { code, err } = await by(folder);
    assertEquals(code, 0, err);
    files = await filesBelow(pathToFileURL(`${folder}/`));
  });
  return files;
}

async function inFilesOf(
  files: Promise<Files>,
  body: (folder: string) => Promise<void>,
): Promise<void> {
  const all = await files;
  await inFolder(async (folder) => {
    for (const [path, text] of Object.entries(all)) {
      await Deno.mkdir(join(folder, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    await body(folder);
  });
}

function compile(folder: string, out = "api", run = runHere): Promise<Run> {
  return run(["compile", "shop", "--out", out], { cwd: folder });
}

async function migrationsIn(output: string): Promise<readonly string[]> {
  const entries = Deno.readDir(join(output, "quickback/drizzle/features"));
  return (await Array.fromAsync(entries)).map(({ name }) => name)
    .filter((name) => name.endsWith(".sql")).sort();
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await Deno.readTextFile(file);
  assertStringIncludes(text, from);
  await Deno.writeTextFile(file, text.replace(from, to));
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

Deno.test("compile --verify tells a folder that is what its definitions say from one that is not", () =>
  inCompiledShop(async (folder) => {
    const same = await verify(folder, runCli);
    assertEquals(same.code, 0, same.err);
    assertMatch(same.out, /^api is what its definitions compile to: [0-9a-f]{64}$/m);
    assertEquals((await verify(folder)).out, same.out);

    await edit(join(folder, "api/src/main.ts"), "serve(", "serve (");
    await Deno.remove(join(folder, "api/openapi.json"));
    const [migration = ""] = await migrationsIn(join(folder, "api"));
    const sql = join(folder, "api/quickback/drizzle/features", migration);
    await Deno.writeTextFile(sql, "DROP TABLE notes;", { append: true });
    const changed = await verify(folder);
    assertEquals(changed.code, 1);
    assertEquals(changed.out.trimEnd().split("\n").toSorted(), [
      `changed by hand quickback/drizzle/features/${migration}`,
      "changed by hand src/main.ts",
      "missing         openapi.json",
    ]);
    assertStringIncludes(changed.err, "api is not what its definitions compile to");
  }));

Deno.test("compile --verify tells what an earlier compile wrote from what was changed by hand", () =>
  inCompiledShop(async (folder) => {
    await edit(join(folder, TABLE), "maxLength: 200", "maxLength: 201");
    const { code, out } = await verify(folder);
    assertEquals(code, 1);
    assertStringIncludes(out, "out of date     openapi.json");
    assertEquals(out.includes("changed by hand"), false);
  }));

Deno.test("compile --verify takes no option that writes", () =>
  inShop(async (folder) => {
    const args = ["compile", "shop", "--out", "api", "--verify", "--force"];
    const { code, err } = await runHere(args, { cwd: folder });
    assertEquals(code, 2);
    assertStringIncludes(err, "--verify writes nothing: leave out --force");
  }));

function verify(folder: string, run = runHere): Promise<Run> {
  return run(["compile", "shop", "--out", "api", "--verify"], { cwd: folder });
}
