/** `realtime` and `agents`; what the runtime does not serve says so (definitions 2). */
import { TARGETS } from "../../../platforms/mod.ts";
import type { AgentsModel, ProjectModel } from "../../../../model/project.ts";
import type { RealtimeModel } from "../../../../model/realtime.ts";
import type { Fields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import type { ConfigFields } from "./config_fields.ts";

/**
 * Its signals stand in the registry, not in the configuration. An edge worker has nobody to keep streams open, and connects to
 * no address that was checked (contract 8.2.5).
 */
export function readRealtime(
  config: ConfigFields,
  runtime: ProjectModel["runtime"],
): Omit<RealtimeModel, "signals"> {
  const realtime = read(config, "realtime");
  const served = (key: "enabled" | "push") => {
    const isWanted = read(realtime, key);
    const { servesRealtime } = TARGETS[runtime];
    if (isWanted && !servesRealtime) warn(realtime, key, runtime);
    return isWanted && servesRealtime;
  };
  return {
    enabled: served("enabled"),
    emitFromActions: read(realtime, "emitFromActions"),
    push: served("push"),
  };
}

/** One word for all of them, or one for each. */
export function readAgents(config: ConfigFields): AgentsModel {
  const said = read(config, "agents") ?? true;
  if (typeof said === "boolean") return { mcp: said, llmsTxt: said, robotsTxt: said };
  return {
    mcp: read(said, "mcp"),
    llmsTxt: read(said, "llmsTxt"),
    robotsTxt: read(said, "robotsTxt"),
  };
}

function warn({ entries, at }: Fields, key: string, runtime: string): void {
  const place = entries.get(key)?.keyPlace;
  const feature = `realtime.${key} on the runtime "${runtime}"`;
  if (place) at.report.add("FEATURE_NOT_SERVED", place, { feature });
}
