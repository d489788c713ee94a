/** `audit-sql [folder]`: every statement that a build issues is held to its definitions, or the command fails (docs/proof.md). */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Audit, auditRequests } from "../../../proof/audit/audit_requests.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { serviceTables } from "../../../shared/model/service_tables.ts";
import type { DefinitionPlaces } from "../../../shared/oracle/places.ts";
import type { Arguments, ExitCode } from "../../command.ts";
import { compileFolder } from "../../compile_folder.ts";
import { type Findings, reportValidation } from "../../compile_report.ts";
import type { Output } from "../../output.ts";
import { runOverOutput } from "../../output_process.ts";
import { auditReport, printAudit } from "./audit_report.ts";
import { requestsIn } from "./recording_file.ts";

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

interface FolderAudit {
  readonly audit: Audit;
  readonly model: ProjectModel;
  readonly places: DefinitionPlaces;
}

type FolderAudited =
  | { readonly kind: "audited" } & FolderAudit
  | { readonly kind: "failed"; readonly findings: Findings };

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

/** Audits a folder; `onPrincipal` receives each class of callers as its turn begins. */
async function auditFolder(
  folder: string,
  onPrincipal: (name: string) => void,
): Promise<FolderAudited> {
  const work = await Deno.makeTempDir({ prefix: "quickback-audit-" });
  try {
    const out = join(work, "output");
    const compiled = await compileFolder({ folder, out, force: true, checksBundle: false });
    if (compiled.kind === "failed") return compiled;
    const { model, places } = compiled.output;
    const result = join(work, "recording.jsonl");
    await runOverOutput({ program: CHILD, out, work, result, onLine: onPrincipal });
    const recording = await Deno.readTextFile(result);
    const tables = serviceTables(model).map(({ name }) => name);
    const audit = auditRequests(requestsIn(recording), model, tables);
    return { kind: "audited", audit, model, places };
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}
