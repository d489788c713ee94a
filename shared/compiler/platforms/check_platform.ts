/** Reports features that a project's platform does not have, and platform settings that contradict the project. */
import type { ProjectModel } from "../../model/project.ts";
import type { Place } from "../diagnostics/diagnostic.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Definitions } from "../phases/values.ts";
import { wranglerFile } from "./cloudflare/wrangler_file.ts";

const WRANGLER = "wrangler.toml";

export function checkPlatform(
  model: ProjectModel,
  { config, wrangler }: Definitions,
  report: Report,
): void {
  if (model.runtime !== "cloudflare") return;
  for (const feature of missingInWorkers(model)) {
    report.add("WORKER_LACKS", startOf(config?.file ?? WRANGLER), { feature });
  }
  const file = wranglerFile(model, wrangler);
  if (file.kind === "invalid") {
    const { line, column } = file;
    report.add("WRANGLER_INVALID", { ...startOf(WRANGLER), line, column }, {});
  }
  if (file.kind !== "conflicts") return;
  for (const conflict of file.conflicts) {
    report.add("WRANGLER_CONFLICT", startOf(WRANGLER), conflict);
  }
}

function missingInWorkers({ webhooks, email, openapi }: ProjectModel): readonly string[] {
  return [
    ...(webhooks.outbound ? ["outbound webhooks"] : []),
    ...(email.provider === "smtp" ? ["mail over SMTP"] : []),
    ...(openapi.docs === false ? [] : ["documentation browser"]),
  ];
}

function startOf(file: string): Place {
  return { file, line: 1, column: 1, length: 1 };
}
