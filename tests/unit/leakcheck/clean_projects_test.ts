/** Projects that were not made for it answer alike, whatever is hidden; what the definitions let through is told (docs/proof.md). */
import { assert, assertEquals } from "@std/assert";
import { checkOutput } from "../../../cli/commands/leakcheck/check_output.ts";
import { comparedIn, reportLines } from "../../../proof/leakcheck/report.ts";
import { CLINIC } from "../../support/clinic.ts";
import { KEPT_FIELD } from "../../support/kept_field_project.ts";
import { builtFiles, withOutput } from "../../support/leaky_project.ts";
import { projectFiles } from "../../support/sample_files.ts";

const MUSEUM = await projectFiles(new URL("../../contract/museum/", import.meta.url));
const HELPDESK = await projectFiles(new URL("../../../examples/helpdesk/", import.meta.url));
const FIELD_SERVICE = await projectFiles(
  new URL("../../../examples/field-service/", import.meta.url),
);

const PROJECTS = [
  {
    name: "helpdesk",
    files: HELPDESK,
    only: ["anonymous", "role:agent"],
    admissions: ["customers.email: unique, so a write tells whether a value is taken"],
  },
  {
    name: "clinic",
    files: CLINIC,
    only: ["role:clerk", "outsider"],
    admissions: ["patients.number: unique, so a write tells whether a value is taken"],
  },
  {
    name: "work orders, whose rules follow relations,",
    files: KEPT_FIELD,
    only: ["role:technician"],
    admissions: ["orders.total: a total over items, of which its readers do not see all"],
  },
  {
    name: "field-service",
    files: FIELD_SERVICE,
    only: ["role:technician"],
    admissions: [
      "sites.openOrders: a total over workOrders, of which its readers do not see all",
      "sites.revenue: a total over workOrders, of which its readers do not see all",
      "workOrders.crew: a total over assignments, of which its readers do not see all",
      "workOrders.minutes: a total over visits, of which its readers do not see all",
      "workOrders.amount: a total over lineItems, of which its readers do not see all",
    ],
  },
  {
    name: "museum",
    files: MUSEUM,
    only: ["role:curator", "role:guide", "sysadmin"],
    admissions: [],
  },
];

for (const { name, files, only, admissions } of PROJECTS) {
  Deno.test(`${name} answers the same bytes whatever is hidden from a caller`, async () => {
    await withOutput(`leakchecked-${name}`, await builtFiles(files), async (folder) => {
      const report = await checkOutput(folder, { only });
      assertEquals([...report.differences], []);
      assertEquals([...report.principals].sort(), [...only].sort());
      assert(comparedIn(report) > 500, "Hardly anything was asked");
      const lines = reportLines(report);
      const last = lines.at(-1) ?? "";
      assertEquals(
        lines.slice(0, -1),
        admissions.length === 0
          ? []
          : ["Let through by the definitions:", ...admissions.map((text) => `  ${text}`)],
      );
      assert(last.endsWith(`= ${comparedIn(report)} compared, 0 differing`), last);
    });
  });
}
