/** `realtime` and `agents`: checked in full; what has no routes yet says so (definitions 2). */
import type { AgentsModel } from "../../../../model/project.ts";
import { type Fields, readField, readMember } from "../read/fields.ts";
import { readBoolean } from "../read/scalars.ts";

export function checkRealtime(fields: Fields): void {
  const realtime = readMember(fields, "realtime", { keys: ["enabled", "emitFromActions", "push"] });
  if (!realtime) return;
  const enabled = readField(realtime, "enabled", readBoolean);
  const push = readField(realtime, "push", readBoolean);
  readField(realtime, "emitFromActions", readBoolean);
  if (enabled || push) warn(fields, "realtime");
}

export function readAgents(fields: Fields): AgentsModel {
  const agents = readMember(fields, "agents", { keys: ["mcp", "llmsTxt", "robotsTxt"] });
  if (!agents) return { llmsTxt: true, robotsTxt: true };
  readField(agents, "mcp", readBoolean);
  return {
    llmsTxt: readField(agents, "llmsTxt", readBoolean) ?? true,
    robotsTxt: readField(agents, "robotsTxt", readBoolean) ?? true,
  };
}

function warn(fields: Fields, key: string): void {
  const entry = fields.entries.get(key);
  if (entry) fields.at.report.add("FEATURE_NOT_SERVED", entry.keyPlace, { feature: key });
}
