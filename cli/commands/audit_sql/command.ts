/** `audit-sql [folder]`: every statement that a build issues is held to its definitions, or the command fails (docs/proof.md). */
import { auditFolder } from "./audit_folder.ts";
import { auditReport, printAudit } from "./audit_report.ts";
import type { Arguments, ExitCode } from "../../command.ts";
import { reportValidation } from "../../compile_report.ts";
import type { Output } from "../../output.ts";

export async function auditSql(
  { positionals: [folder = "."] }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const audited = await auditFolder(folder, (name) => output.err(`asking as ${name}`));
  if (audited.kind === "failed") return reportValidation(audited.findings, output);
  const report = auditReport(audited);
  printAudit(report, output);
  output.result({ ...report });
  return report.findings.length === 0 ? 0 : 1;
}
