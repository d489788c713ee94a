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

Deno.test("roles are declared where the project ranks them, with the ones that every project has", () => {
  assert(!declarations(INPUT).get("types.d.ts")?.includes("readonly roles"));
  const [, roles = ""] =
    /readonly roles:([^;]+);/.exec(declarations(CLINIC).get("types.d.ts") ?? "") ??
      [];
  const named = roles.match(/"[^"]+"/g)?.map((role) => JSON.parse(role));
  for (const role of ["nurse", "nurse+", "owner", "member", "PUBLIC", "SCOPED", "sysadmin"]) {
    assert(named?.includes(role), `${role} is missing in ${roles}`);
  }
  assert(!named?.includes("PUBLIC+"));
});
