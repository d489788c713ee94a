/** `leakcheck [folder]`: two databases that differ only in masked values answer alike, or the command fails (docs/proof.md). */
import { comparedIn, reportLines } from "../../../proof/leakcheck/mod.ts";
import type { Command } from "../../command.ts";
import { reportValidation } from "../../compile_report.ts";
import { checkFolder } from "./check_folder.ts";

export const leakcheckCommand: Command = {
  name: "leakcheck",
  usage: "[folder]",
  summary: "Asks the API everything twice, over databases that differ only in masked values",
  positionals: { least: 0, most: 1 },
  options: { json: { type: "boolean" } },
  optionHelp: { json: "Print the report as JSON" },
  async run({ positionals: [folder = "."], flags }, terminal) {
    const check = await checkFolder(folder, (name) => terminal.err(`asking as ${name}`));
    if (check.kind === "failed") return reportValidation(check.findings, terminal);
    const { report } = check;
    if (flags.has("json")) {
      terminal.out(JSON.stringify({ ...report, requests: comparedIn(report) }, null, 2));
    } else for (const line of reportLines(report)) terminal.out(line);
    return report.differences.length === 0 ? 0 : 1;
  },
};
