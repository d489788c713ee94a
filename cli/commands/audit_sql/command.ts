/**
 * Runs `audit-sql [folder]`: checks every statement that a build issues against its definitions, and fails if one violates them
 * (docs/proof.md).
 */
import { fileURLToPath } from "node:url";
import { auditRequests } from "../../../proof/audit/audit_requests.ts";
import { serviceTables } from "../../../shared/model/mod.ts";
import type { Arguments, Output } from "../../command.ts";
import type { ExitCode } from "../../exit_codes.ts";
import { reportValidation } from "../../compile_report.ts";
import { runOverFolder } from "../../output_process.ts";
import { auditReport, printAudit } from "./audit_report.ts";
import { requestsIn } from "./recording_file.ts";

export async function auditSql(
  { positionals: [folder = "."] }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const run = await runOverFolder(folder, CHILD, (name) => output.progress(`asking as ${name}`));
  if (run.kind === "failed") return reportValidation(run.findings, output);
  const { model, places } = run.output;
  const tables = serviceTables(model).map(({ name }) => name);
  const audit = auditRequests(requestsIn(run.text), model, tables);
  const report = auditReport(audit, model, places);
  printAudit(report, output);
  output.result({ ...report });
  return report.findings.length === 0 ? 0 : 1;
}

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));
