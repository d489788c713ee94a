/** The declarations that are kept beside definitions. */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { validate } from "../../../shared/compiler/mod.ts";
import { keepDeclarations, writeDeclarations } from "../../../cli/types/declarations.ts";
import { readTree } from "../../../cli/project_folder.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const CONFIG = { "quickback/quickback.config.ts": 'export default { name: "shop" };' };

function compiled(...tables: readonly string[]) {
  const files = tables.map((name) => [
    `quickback/features/${name}/${name}.ts`,
    `import { feature, q } from "quickback";
export default feature("${name}", { columns: { id: q.id(), organizationId: q.scope("organization") } });`,
  ]);
  const result = validate({ ...CONFIG, ...Object.fromEntries(files) });
  assert(result.ok, JSON.stringify(result));
  return result;
}

async function declared(project: string): Promise<readonly string[]> {
  return Object.keys(await readTree(join(project, ".quickback"), "types") ?? {});
}

Deno.test("declarations of a table that is gone are gone too, and what has not changed is left alone", () =>
  withTempFolder(async (project) => {
    await writeDeclarations(project, compiled("notes", "teams"));
    assert((await declared(project)).includes("types/schema/teams.ts"));
    const file = join(project, ".quickback/types/schema/notes.ts");
    const long = new Date(0);
    await Deno.utime(file, long, long);
    await writeDeclarations(project, compiled("notes"));
    assertEquals(await declared(project), [
      "types/quickback/features/notes/schema.ts",
      "types/schema/mod.ts",
      "types/schema/notes.ts",
    ]);
    assertEquals((await Deno.stat(file)).mtime, long);
    assertEquals(await Deno.readTextFile(join(project, ".quickback/.gitignore")), "*\n");
  }));

Deno.test("a compile succeeds where the declarations cannot be written, and says so", () =>
  withTempFolder(async (project) => {
    // A file stands where the folder would be.
    await Deno.writeTextFile(join(project, ".quickback"), "");
    const terminal = recordingTerminal();
    assertEquals(await keepDeclarations(project, compiled("notes"), terminal), false);
    assert(
      terminal.errText().includes("The types for editors cannot be written"),
      terminal.errText(),
    );
  }));
