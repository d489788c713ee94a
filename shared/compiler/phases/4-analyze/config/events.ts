/** `realtime` and `agents`: checked in full; what has no routes yet says so (definitions 2). */
import type { AgentsModel, ProjectModel } from "../../../../model/project.ts";
import type { RealtimeModel } from "../../../../model/realtime.ts";
import { type Fields, readField, readMember } from "../read/fields.ts";
import { readBoolean } from "../read/scalars.ts";

/** Its signals stand in the registry, not in the configuration. An edge worker has nobody to keep streams open. */
export function readRealtime(
  fields: Fields,
  runtime: ProjectModel["runtime"],
): Omit<RealtimeModel, "signals"> {
  const realtime = readMember(fields, "realtime", { keys: ["enabled", "emitFromActions", "push"] });
  if (!realtime) return { enabled: false, emitFromActions: false, push: false };
  const enabled = readField(realtime, "enabled", readBoolean) ?? false;
  if (enabled && runtime === "cloudflare") warnOfStreams(realtime);
  return {
    enabled: enabled && runtime !== "cloudflare",
    emitFromActions: readField(realtime, "emitFromActions", readBoolean) ?? false,
    push: readField(realtime, "push", readBoolean) ?? false,
  };
}

export function readAgents(fields: Fields): AgentsModel {
  const agents = readMember(fields, "agents", { keys: ["mcp", "llmsTxt", "robotsTxt"] });
  if (!agents) return { mcp: true, llmsTxt: true, robotsTxt: true };
  return {
    mcp: readField(agents, "mcp", readBoolean) ?? true,
    llmsTxt: readField(agents, "llmsTxt", readBoolean) ?? true,
    robotsTxt: readField(agents, "robotsTxt", readBoolean) ?? true,
  };
}

function warnOfStreams({ entries, at }: Fields): void {
  const place = entries.get("enabled")?.keyPlace;
  const feature = 'realtime.enabled on the runtime "cloudflare"';
  if (place) at.report.add("FEATURE_NOT_SERVED", place, { feature });
}
