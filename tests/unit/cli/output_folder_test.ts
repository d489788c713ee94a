/** Writing a compiled project: what is written, what is removed, and what is never touched. */
import { join } from "node:path";
import { assertEquals, assertRejects } from "@std/assert";
import { MANIFEST, type OutputFile, writeOutputFolder } from "../../../cli/output_folder.ts";

const OWN = { force: false };

Deno.test("writeOutputFolder() writes only what changed", () =>
  inFolder(async (folder) => {
    const first = await writeOutputFolder(folder, files({ "a.ts": "1", "src/b.ts": "1" }), OWN);
    assertEquals(first, { written: ["a.ts", "src/b.ts"], unchanged: 0, removed: [], left: [] });
    const second = await writeOutputFolder(folder, files({ "a.ts": "1", "src/b.ts": "2" }), OWN);
    assertEquals(second, { written: ["src/b.ts"], unchanged: 1, removed: [], left: [] });
    assertEquals(await Deno.readTextFile(join(folder, "src/b.ts")), "2");
  }));

Deno.test("writeOutputFolder() removes a stale file and the folder that it leaves empty", () =>
  inFolder(async (folder) => {
    await writeOutputFolder(folder, files({ "a.ts": "1", "src/deep/b.ts": "1" }), OWN);
    const summary = await writeOutputFolder(folder, files({ "a.ts": "1" }), OWN);
    assertEquals(summary.removed, ["src/deep/b.ts"]);
    assertEquals(await namesIn(folder), [MANIFEST, "a.ts"]);
  }));

Deno.test("writeOutputFolder() leaves a stale file that was edited by hand", () =>
  inFolder(async (folder) => {
    await writeOutputFolder(folder, files({ "a.ts": "1", "b.ts": "1" }), OWN);
    await Deno.writeTextFile(join(folder, "b.ts"), "mine");
    const summary = await writeOutputFolder(folder, files({ "a.ts": "1" }), OWN);
    assertEquals(summary, { written: [], unchanged: 1, removed: [], left: ["b.ts"] });
    assertEquals(await Deno.readTextFile(join(folder, "b.ts")), "mine");
  }));

Deno.test("writeOutputFolder() never removes what it did not write", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "notes.md"), "mine");
    await writeOutputFolder(folder, files({ "a.ts": "1" }), OWN);
    await writeOutputFolder(folder, files({}), OWN);
    assertEquals(await namesIn(folder), [MANIFEST, "notes.md"]);
  }));

Deno.test("writeOutputFolder() keeps earlier migrations", () =>
  inFolder(async (folder) => {
    const sql = "quickback/drizzle/features/0000_abc.sql";
    await writeOutputFolder(folder, files({ [sql]: "CREATE" }), OWN);
    const summary = await writeOutputFolder(folder, files({}), OWN);
    assertEquals(summary.removed, []);
    assertEquals(await Deno.readTextFile(join(folder, sql)), "CREATE");
  }));

Deno.test("writeOutputFolder() refuses to overwrite a file of somebody else, and writes nothing", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "a.ts"), "mine");
    const output = files({ "a.ts": "1", "b.ts": "1" });
    await assertRejects(
      () => writeOutputFolder(folder, output, OWN),
      Error,
      "not generated here: a.ts",
    );
    assertEquals(await namesIn(folder), ["a.ts"]);
    await writeOutputFolder(folder, output, { force: true });
    assertEquals(await Deno.readTextFile(join(folder, "a.ts")), "1");
  }));

for (
  const path of ["../a.ts", "/etc/a.ts", "src/../../a.ts", "src//a.ts", "C:\\a.ts", "", "a\0.ts"]
) {
  Deno.test(`writeOutputFolder() refuses the path ${JSON.stringify(path)}`, () =>
    inFolder(async (folder) => {
      await assertRejects(
        () => writeOutputFolder(folder, files({ "good.ts": "1", [path]: "1" }), OWN),
        Error,
        "Refused to write",
      );
      assertEquals(await namesIn(folder), []);
    }));
}

Deno.test("writeOutputFolder() follows no symbolic link out of the folder", () =>
  inFolder(async (outside) => {
    await inFolder(async (folder) => {
      await Deno.symlink(outside, join(folder, "src"));
      await assertRejects(
        () => writeOutputFolder(folder, files({ "src/a.ts": "1" }), OWN),
        Error,
        "symbolic link",
      );
    });
    assertEquals(await namesIn(outside), []);
  }));

Deno.test("a manifest that names a path outside cannot remove it", () =>
  inFolder(async (folder) => {
    const inner = join(folder, "out");
    await Deno.mkdir(inner);
    await Deno.writeTextFile(join(folder, "victim.txt"), "1");
    // The hash of "1", as if it had been written there.
    const hash = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b";
    await Deno.writeTextFile(join(inner, MANIFEST), JSON.stringify({ "../victim.txt": hash }));
    await assertRejects(() => writeOutputFolder(inner, files({}), OWN), Error, "Refused");
    assertEquals(await Deno.readTextFile(join(folder, "victim.txt")), "1");
  }));

function files(texts: Readonly<Record<string, string>>): readonly OutputFile[] {
  return Object.entries(texts).map(([path, content]) => ({ path, content }));
}

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
