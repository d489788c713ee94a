/** Compiles a project, asks it everything as everybody, and audits what its database was sent (docs/proof.md, audit-sql). */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Audit, auditRequests } from "../../../proof/audit/audit_requests.ts";
import type { DefinitionPlaces } from "../../../shared/oracle/places.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { serviceTables } from "../../../shared/model/service_tables.ts";
import { compileFolder } from "../../compile_folder.ts";
import type { Findings } from "../../compile_report.ts";
import { runOverOutput } from "../../output_process.ts";
import { requestsIn } from "./recording_file.ts";

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
export async function auditFolder(
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
