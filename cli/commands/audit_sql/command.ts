/** `audit-sql [folder]`: every statement that a build issues is held to its definitions, or the command fails (docs/proof.md). */
import { auditFolder } from "./audit_folder.ts";
import { auditReport, printAudit } from "./audit_report.ts";
import type { Command } from "../../command.ts";
import { reportValidation } from "../../compile_report.ts";

export const auditSqlCommand: Command = {
  name: "audit-sql",
  usage: "[folder]",
  summary:
    "Reads every statement that the API sends its database, and finds those that leave a scope",
  positionals: { least: 0, most: 1 },
  options: { json: { type: "boolean" } },
  optionHelp: { json: "Print the report as JSON" },
  async run({ positionals: [folder = "."], flags }, terminal) {
    const audited = await auditFolder(folder, (name) => terminal.err(`asking as ${name}`));
    if (audited.kind === "failed") return reportValidation(audited.findings, terminal);
    const report = auditReport(audited);
    if (flags.has("json")) terminal.out(JSON.stringify(report, null, 2));
    else printAudit(report, terminal);
    return report.findings.length === 0 ? 0 : 1;
  },
};
