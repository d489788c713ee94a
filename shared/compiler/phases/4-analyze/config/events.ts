/** `realtime` and `agents`: checked in full; what has no routes yet says so (definitions 2). */
import { TARGETS } from "../../../platforms/mod.ts";
import type { AgentsModel, ProjectModel } from "../../../../model/project.ts";
import type { RealtimeModel } from "../../../../model/realtime.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readFields, readMember } from "../read/fields.ts";
import type { At } from "../read/reader.ts";
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
    const { servesRealtime } = TARGETS[runtime];
    if (isWanted && !servesRealtime) warn(realtime, key, runtime);
    return isWanted && servesRealtime;
  };
  return {
    enabled: served("enabled"),
    emitFromActions: readField(realtime, "emitFromActions", readBoolean) ?? false,
    push: served("push"),
  };
}

export function readAgents(fields: Fields): AgentsModel {
  return readField(fields, "agents", readAgentsValue) ?? allOf(true);
}

function allOf(on: boolean): AgentsModel {
  return { mcp: on, llmsTxt: on, robotsTxt: on };
}

/** One word for all of them, or one for each. */
function readAgentsValue(value: Value, at: At): AgentsModel | undefined {
  if (value.kind === "boolean") return allOf(value.value);
  const agents = readFields(value, { keys: ["mcp", "llmsTxt", "robotsTxt"] }, at);
  return agents && {
    mcp: readField(agents, "mcp", readBoolean) ?? true,
    llmsTxt: readField(agents, "llmsTxt", readBoolean) ?? true,
    robotsTxt: readField(agents, "robotsTxt", readBoolean) ?? true,
  };
}

function warn({ entries, at }: Fields, key: string, runtime: string): void {
  const place = entries.get(key)?.keyPlace;
  const feature = `realtime.${key} on the runtime "${runtime}"`;
  if (place) at.report.add("FEATURE_NOT_SERVED", place, { feature });
}
