import { builtPath, partName, RUNTIME_MODULES, type RuntimePart } from "../../runtime_modules.ts";
import type { OutputPlan } from "../5-plan/output_plan.ts";

type RuntimePlan = Pick<OutputPlan, "runtimeFrom">;

/** Returns the specifier of a module of the runtime; `toSource` leads from the importing file's folder to `src/`. */
export function runtimeModule(
  plan: RuntimePlan,
  toSource: "./" | "../" | "../../",
  path: RuntimePart,
): string {
  const name = partName(path);
  return plan.runtimeFrom === "package" ? name : toSource + carriedModule(plan, name);
}

/** Returns the path below `src/` of a runtime module that the output contains, by its name. */
export function carriedModule({ runtimeFrom }: RuntimePlan, name: string): string {
  return `quickback/${runtimeFrom === "built" ? builtPath(name) : RUNTIME_MODULES[name]}`;
}
