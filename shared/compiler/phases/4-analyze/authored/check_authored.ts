/** Checks code outside of features against the configuration (contract 4.4, 6.1, 6.2, definitions 6). */
import { nearest } from "../../../../lib/nearest.ts";
import type { AuthoredModel, ProjectModel } from "../../../../model/mod.ts";
import { reachable } from "../actions/reachable.ts";
import { type AuthoredInput, warnUnused } from "./read_authored.ts";

interface AuthoredCheck extends AuthoredInput {
  readonly model: AuthoredModel;
  readonly project: Pick<ProjectModel, "webhooks" | "realtime" | "multiTenant" | "runtime">;
  /** The files in which the code begins, those of delegated principals included. */
  readonly modules: readonly string[];
}

export function checkAuthored(check: AuthoredCheck): void {
  // The check is strict: every action uses a service, so no action's `allowRawSql` can permit its SQL.
  const declarations = new Set(check.definitions.tables.map(({ file }) => file));
  for (const { file, rawSql } of reachable(check.modules, check.definitions)) {
    if (declarations.has(file)) continue;
    for (const { construct, place } of rawSql) {
      check.report.add("SERVICE_RAW_SQL", place, { construct });
    }
  }
  // A name that seems to be missing may be one that could not be read.
  if (!check.report.hasErrors) checkReceived(check);
  const { project: { webhooks, realtime }, definitions, report } = check;
  for (const { file, symbols } of definitions.code.values()) {
    const place = { file, line: 1, column: 1, length: 1 };
    if (!webhooks.outbound && symbols.has("emitWebhookEvent")) {
      report.add("WEBHOOK_EMIT_OFF", place, {});
    }
    if (!realtime.push && symbols.has("sendPush")) report.add("PUSH_OFF", place, {});
  }
  checkJobs(check);
  warnUnused(check.modules, check);
}

/** Checks the rules of jobs and schedules that depend on the project's configuration (definitions 6). */
function checkJobs({ model: { jobs = [], schedules = [] }, project, report }: AuthoredCheck): void {
  const at = (file: string) => ({ file, line: 1, column: 1, length: 1 });
  for (const { each, module } of schedules) {
    if (each !== null && !project.multiTenant) report.add("SCHEDULE_EACH", at(module), { each });
  }
  const [first] = jobs;
  if (first && project.runtime !== "deno") {
    report.add("JOBS_ON_TRIGGER", at(first.module), { platform: project.runtime });
  }
}

function checkReceived({ model, project, definitions, report }: AuthoredCheck): void {
  const { inbound } = project.webhooks;
  for (const { name, module } of model.providers) {
    if (inbound.includes(name)) continue;
    const exported = definitions.authored.find(({ file }) => file === module)?.exported;
    report.add(
      "WEBHOOK_PROVIDER_UNLISTED",
      exported?.place ?? { file: module, line: 1, column: 1, length: 1 },
      { name },
    );
  }
  for (const { on, module, index } of model.webhookHandlers) {
    const provider = on.slice(0, on.indexOf(":"));
    const place = definitions.code.get(module)?.webhookEvents[index]?.place;
    if (!place || inbound.includes(provider)) continue;
    const details = { type: on, provider, nearest: nearest(provider, inbound) };
    report.add("WEBHOOK_EVENT_PROVIDER", place, details);
  }
}
