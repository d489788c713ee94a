/** Data steps that failed or never ran are mended; what a database has run stays (definitions 1, `migrations/`). */
import { dirname, join } from "node:path";
import { assertEquals, assertRejects } from "@std/assert";
import { compileFolder, validateFolder } from "../../../cli/compile_folder.ts";
import { ifThere } from "../../../library/platform/if_there.ts";
import { openDatabase, readMigrations } from "../../../library/platform/mod.ts";
import { applyMigrations } from "../../../shared/runtime/mod.ts";
import { people, STEPS } from "../../support/data_step_project.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const COLUMNS = "first: q.text().required(), last: q.text()";
const FILL = `${STEPS}0000_fill.sql`;
const BROKEN = "INSERT INTO days (id, day) VALUES ('1', 'Monday'), ('1', 'Tuesday');";
const GOOD =
  "INSERT INTO days (id, day, created_at, modified_at) VALUES ('1', 'Monday', 't', 't');";

Deno.test("a step whose migration failed may be mended until a database has run it", () =>
  withTempFolder(async (root) => {
    const [folder, out] = [join(root, "project"), join(root, "out")];
    const compiled = async (step: string | null) => {
      await ifThere(Deno.remove(folder, { recursive: true }));
      for (
        const [path, text] of Object.entries(people(COLUMNS, step === null ? {} : { [FILL]: step }))
      ) {
        await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
        await Deno.writeTextFile(join(folder, path), text);
      }
      const isMade = await ifThere(Deno.stat(out)) !== null;
      const checked = await validateFolder(folder, isMade ? out : null);
      const result = await compileFolder({ folder, out, force: true, checksBundle: false });
      const codes = result.findings.errors.map(({ code }) => code);
      assertEquals(checked.findings.errors.map(({ code }) => code), codes);
      return codes;
    };
    const migrated = async () => {
      await Deno.mkdir(join(out, "data"), { recursive: true });
      const database = await openDatabase({ url: `file:${join(out, "data/app.db")}` });
      try {
        return await applyMigrations(
          database,
          await readMigrations(join(out, "quickback/drizzle/features")),
        );
      } finally {
        await database.close();
      }
    };
    assertEquals(await compiled(BROKEN), []);
    // No database is there yet.
    assertEquals(await compiled(`${BROKEN} -- again`), []);
    await assertRejects(migrated, Error, "failed and changed nothing");
    assertEquals(await compiled(null), []);
    assertEquals(await compiled(BROKEN), []);
    await assertRejects(migrated, Error, "failed and changed nothing");
    assertEquals(await compiled(GOOD), []);
    assertEquals((await migrated()).length, 2);
    assertEquals(await compiled(GOOD), []);
    for (const late of [BROKEN, null]) assertEquals(await compiled(late), ["DATA_STEP_EDITED"]);
    // Of a server nobody knows what it has run.
    await Deno.remove(join(out, "data"), { recursive: true });
    await Deno.writeTextFile(join(out, ".env"), "DATABASE_URL=libsql://db.example.com\n");
    assertEquals(await compiled(BROKEN), ["DATA_STEP_EDITED"]);
  }));
