/** Checks of code outside of features that need the configuration (contract 4.4, 6.1, 6.2, definitions 6). */
import { nearest } from "../../../../lib/nearest.ts";
import type { AuthoredModel, ProjectModel } from "../../../../model/mod.ts";
import { reachable } from "../actions/reachable.ts";
import { type AuthoredInput, warnUnused } from "./read_authored.ts";

interface AuthoredCheck extends AuthoredInput {
  readonly model: AuthoredModel;
  readonly project: Pick<ProjectModel, "webhooks" | "realtime" | "multiTenant" | "runtime">;
  /** The files that the code begins in, those of delegated principals included. */
  readonly modules: readonly string[];
}

export function checkAuthored(check: AuthoredCheck): void {
  // Strict: a service is every action's, so no action's `allowRawSql` can speak for it.
  const declarations = new Set(check.definitions.tables.map(({ file }) => file));
  for (const { file, rawSql } of reachable(check.modules, check.definitions)) {
    if (declarations.has(file)) continue;
    for (const { construct, place } of rawSql) {
      check.report.add("SERVICE_RAW_SQL", place, { construct });
    }
  }
  // A name that could not be read elsewhere may be the one that seems to be missing here.
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

/** Rules of jobs and schedules about the project that they stand in (definitions 6). */
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
