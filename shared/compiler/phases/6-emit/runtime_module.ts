import { partName, type RuntimePart } from "../../runtime_modules.ts";
import type { OutputPlan } from "../5-plan/output_plan.ts";

/** Specifier of a module of the runtime; `toSource` leads from the importing file's folder to `src/`. */
export function runtimeModule(
  { carriesRuntime }: Pick<OutputPlan, "carriesRuntime">,
  toSource: "./" | "../" | "../../",
  path: RuntimePart,
): string {
  return carriesRuntime ? `${toSource}quickback/${path}` : partName(path);
}
