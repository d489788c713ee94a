/** `realtime` and `agents`: checked in full; what has no routes yet says so (definitions 2). */
import type { AgentsModel, ProjectModel } from "../../../../model/project.ts";
import type { RealtimeModel } from "../../../../model/realtime.ts";
import { type Fields, readField, readMember } from "../read/fields.ts";
import { readBoolean } from "../read/scalars.ts";

/**
 * Its signals stand in the registry, not in the configuration. An edge worker has nobody to keep streams open, and connects to
 * no address that was checked (contract 8.2.5).
 */
export function readRealtime(
  fields: Fields,
  runtime: ProjectModel["runtime"],
): Omit<RealtimeModel, "signals"> {
  const realtime = readMember(fields, "realtime", { keys: ["enabled", "emitFromActions", "push"] });
  if (!realtime) return { enabled: false, emitFromActions: false, push: false };
  const served = (key: "enabled" | "push") => {
    const isWanted = readField(realtime, key, readBoolean) ?? false;
    if (isWanted && runtime === "cloudflare") warn(realtime, key);
    return isWanted && runtime !== "cloudflare";
  };
  return {
    enabled: served("enabled"),
    emitFromActions: readField(realtime, "emitFromActions", readBoolean) ?? false,
    push: served("push"),
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

function warn({ entries, at }: Fields, key: string): void {
  const place = entries.get(key)?.keyPlace;
  const feature = `realtime.${key} on the runtime "cloudflare"`;
  if (place) at.report.add("FEATURE_NOT_SERVED", place, { feature });
}
