/** Builds all tools of one caller: everything that the caller may do, in few tools (traps 21). */
import type { Principal, ProjectModel } from "../../model/mod.ts";
import { actionTools } from "./action_tools.ts";
import { describeResourceTool } from "./describe_tools.ts";
import { reachOf } from "./reach.ts";
import { readTools, writeTools } from "./record_tools.ts";
import { routeTools } from "./route_tools.ts";
import type { Tool } from "./tool.ts";

/** Tools by name, in the order of their list. */
export type Toolbox = ReadonlyMap<string, Tool>;

export function toolboxOf(project: ProjectModel, principal: Principal): Toolbox {
  const reach = reachOf(project, principal);
  const records = [
    ...describeResourceTool(reach, { project, principal }),
    ...readTools(reach),
    ...writeTools(reach),
    ...routeTools(project, principal),
  ];
  const names = records.map(({ name }) => name);
  return new Map(
    [...records, ...actionTools(reach, names)].map((tool) => [tool.name, tool]),
  );
}
