/** Declarations beside the definitions: what is written there, for a project with everything that they name. */
import { assert, assertEquals } from "@std/assert";
import { editorTypes, validate } from "../../../shared/compiler/mod.ts";
import { CLINIC } from "../../support/clinic.ts";
import { assertGolden } from "../../support/golden.ts";
import { projectFiles } from "../../support/sample_files.ts";

const FOLDER = "tests/compiler/actions/sample";
const INPUT = await projectFiles(new URL(`../../../${FOLDER}/input/`, import.meta.url));

function declarations(files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const result = validate(files);
  assert(result.ok, JSON.stringify(result));
  return new Map(editorTypes(result).map(({ path, content }) => [path, content]));
}

Deno.test("editorTypes() declares tables, actions, services and signals by the names that authors use", () => {
  const own = declarations(INPUT);
  for (const path of ["types.d.ts", "types/quickback/features/jobs/schema.ts"]) {
    assertGolden(`${FOLDER}/declarations/${path}`, own.get(path) ?? "");
  }
  assertEquals([...own.keys()], [
    "types.d.ts",
    "types/quickback/features/jobs/schema.ts",
    "types/relations.ts",
    "types/schema/jobs.ts",
    "types/schema/notes.ts",
    "types/schema/mod.ts",
  ]);
});

function rolesIn(files: Readonly<Record<string, string>>): readonly string[] | undefined {
  const roles = /readonly roles:([^;]+);/.exec(declarations(files).get("types.d.ts") ?? "")?.[1];
  return roles?.match(/"[^"]+"/g)?.map((role) => JSON.parse(role));
}

Deno.test("roles are declared where the project lists them, with the ones that every project has", () => {
  assertEquals(rolesIn(INPUT), undefined);
  const standing = ["owner", "admin", "member", "PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED"];
  const platform = ["sysadmin", "appmanager"];
  const ranked = ["clerk", "clerk+", "nurse", "nurse+", "doctor", "doctor+"];
  assertEquals(rolesIn(CLINIC), [...ranked, ...standing, ...platform]);
  const config = 'export default { name: "s", auth: { roles: ["editor"] } };\n';
  assertEquals(rolesIn({ "quickback/quickback.config.ts": config }), [
    "editor",
    ...standing,
    ...platform,
  ]);
});

Deno.test("columns are declared where an expression is written over them, and nowhere else", () => {
  const project = (column: string) => ({
    "quickback/quickback.config.ts": 'export default { name: "s" };\n',
    "quickback/features/lines/lines.ts": `import { feature, q } from "quickback";
export default feature("lines", {
  columns: { organizationId: q.scope("organization"), pieces: q.int({ min: 0, max: 9 }), ${column} },
});
`,
  });
  const columnsIn = (column: string) =>
    /readonly columnNames:([^;]+);/.exec(declarations(project(column)).get("types.d.ts") ?? "")
      ?.[1]?.match(/"[^"]+"/g)?.map((name) => JSON.parse(name));
  assertEquals(columnsIn("twice: q.int()"), undefined);
  const named = columnsIn("twice: q.computed(q.int(), ({ pieces }) => pieces * 2)") ?? [];
  assertEquals(named.filter((name) => ["pieces", "twice"].includes(name)), ["pieces", "twice"]);
});
