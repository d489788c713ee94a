/** Projects that were not made for it answer alike, whatever is hidden; what the definitions let through is told (docs/proof.md). */
import { assert, assertEquals } from "@std/assert";
import { checkOutput } from "../../../cli/commands/leakcheck/check_output.ts";
import { comparedIn, reportLines } from "../../../proof/leakcheck/report.ts";
import { CLINIC } from "../../support/clinic.ts";
import { builtFiles, withOutput } from "../../support/leaky_project.ts";
import { projectFiles } from "../../support/sample_files.ts";

const MUSEUM = await projectFiles(new URL("../../contract/museum/", import.meta.url));
const HELPDESK = await projectFiles(new URL("../../../examples/helpdesk/", import.meta.url));

const PROJECTS = [
  {
    name: "helpdesk",
    files: HELPDESK,
    only: ["anonymous", "role:agent"],
    taken: "customers.email",
  },
  { name: "clinic", files: CLINIC, only: ["role:clerk", "outsider"], taken: "patients.number" },
  {
    name: "museum",
    files: MUSEUM,
    only: ["role:curator", "role:guide", "sysadmin"],
    taken: null,
  },
];

for (const { name, files, only, taken } of PROJECTS) {
  Deno.test(`${name} answers the same bytes whatever is hidden from a caller`, async () => {
    await withOutput(`leakchecked-${name}`, await builtFiles(files), async (folder) => {
      const report = await checkOutput(folder, { only });
      assertEquals([...report.differences], []);
      assertEquals([...report.principals].sort(), [...only].sort());
      assert(comparedIn(report) > 500, "Hardly anything was asked");
      assertEquals(report.admissions, taken === null ? [] : [{ kind: "unique", column: taken }]);
      const lines = reportLines(report);
      const last = lines.at(-1) ?? "";
      assertEquals(
        lines.slice(0, -1),
        taken === null ? [] : [
          "Let through by the definitions:",
          `  ${taken}: unique, so a write tells whether a value is taken`,
        ],
      );
      assert(last.endsWith(`= ${comparedIn(report)} compared, 0 differing`), last);
    });
  });
}
