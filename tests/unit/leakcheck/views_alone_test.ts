/** What a view does not show is as hidden as what is masked from whoever has the view alone (docs/proof.md, leakcheck). */
import { assert, assertEquals } from "@std/assert";
import { checkOutput } from "../../../cli/commands/leakcheck/check_output.ts";
import { comparedIn } from "../../../proof/leakcheck/report.ts";
import { builtFiles, compiledFiles, type OutputFiles } from "../../support/leaky_project.ts";
import { patched, withOutput } from "../../support/leaky_project.ts";
import { staff } from "../../support/staff_project.ts";

async function differencesOf(name: string, files: OutputFiles, only: readonly string[]) {
  return await withOutput(name, files, async (folder) => {
    const report = await checkOutput(folder, { only: [...only] });
    assert(comparedIn(report) > 300, "Hardly anything was asked");
    return report.differences;
  });
}

Deno.test("views alone answer the same bytes whatever they do not show", async () => {
  assertEquals([
    ...await differencesOf("leakchecked-staff", await builtFiles(staff()), [
      "role:accountant",
      "role:member",
    ]),
  ], []);
});

Deno.test("a view that asks by columns of the resource is found", async () => {
  const leaky = patched(compiledFiles(staff()), [{
    file: "quickback/surface/parameters.ts",
    find: "const names = allowed ?? outputColumns(operation, table);",
    replace: "const names = table.columns.map(({ name }) => name);",
  }]);
  const found = await differencesOf("leaky-staff", leaky, ["role:accountant"]);
  assert(found.length > 0);
});
