/** What `dev` does about migrations that its database could not take. */
import { join } from "node:path";
import { assertEquals } from "@std/assert";
import { compileFolder } from "../../../cli/compile_folder.ts";
import { takeBackPending } from "../../../cli/dev/pending_migrations.ts";
import { openDatabase, readMigrations } from "../../../platform/mod.ts";
import { applyMigrations } from "../../../shared/runtime/mod.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const TABLE = "quickback/features/notes/notes.ts";
const EMPTY = new URL("../../../examples/empty/", import.meta.url);

Deno.test("a change that the database refuses, once undone, leaves no migration; one that was applied stays", () =>
  withTempFolder(async (root) => {
    const project = join(root, "project");
    const folder = join(root, "out");
    const texts = new Map<string, string>();
    for (const path of ["quickback/quickback.config.ts", TABLE]) {
      texts.set(path, await Deno.readTextFile(new URL(path, EMPTY)));
    }
    const compileWith = async (body: string) => {
      for (const [path, text] of texts) {
        await Deno.mkdir(join(project, path, ".."), { recursive: true });
        await Deno.writeTextFile(join(project, path), text.replace("body: q.text()", body));
      }
      const options = { folder: project, out: folder, force: true, checksBundle: false };
      assertEquals((await compileFolder(options)).kind, "compiled");
      return await readMigrations(join(folder, "quickback/drizzle/features"));
    };
    const first = await compileWith("body: q.text()");
    await takeBackPending(folder);
    const database = await openDatabase({ url: `file:${join(folder, "app.db")}` });
    try {
      await applyMigrations(database, first);
      assertEquals((await compileWith("body: q.text().unique()")).length, 2);
      await takeBackPending(folder);
      assertEquals(await compileWith("body: q.text()"), first);
      const second = await compileWith("body: q.text().index()");
      await applyMigrations(database, second);
      await takeBackPending(folder);
      assertEquals(await compileWith("body: q.text().index()"), second);
    } finally {
      await database.close();
    }
    for await (const { name } of Deno.readDir(folder)) {
      if (name.startsWith("app.db")) await Deno.remove(join(folder, name));
    }
    await Deno.writeTextFile(join(folder, "app.db"), "");
    await takeBackPending(folder);
    assertEquals((await compileWith("body: q.text()")).length, 1);
  }));
