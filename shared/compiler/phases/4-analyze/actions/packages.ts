/** Every package that authored code imports is one that the output has (definitions 2, `build.dependencies`). */
import type { ActionModel } from "../../../../model/action.ts";
import type { Definitions } from "../../values.ts";
import type { Analysis } from "../tables/analysis.ts";
import { reachable } from "./reachable.ts";

/** Packages of the runtime itself, there without being listed. */
const OWN_PACKAGES = ["drizzle-orm", "hono", "zod"];

export function checkPackages(
  actions: readonly ActionModel[],
  { analysis, definitions, modules }: {
    readonly analysis: Analysis;
    readonly definitions: Definitions;
    /** Of code outside of features. */
    readonly modules: readonly string[];
  },
): void {
  const listed = [...OWN_PACKAGES, ...Object.keys(analysis.config.model.dependencies)];
  const actionModules = actions.flatMap(({ source, handler }) => [
    source.module,
    ...(handler?.kind === "module" ? [handler.module] : []),
  ]);
  const roots = [...actionModules, ...modules];
  for (const { imports } of reachable(roots, definitions)) {
    for (const { target, place } of imports) {
      if (target.kind !== "package" || target.name.startsWith("node:")) continue;
      if (listed.some((name) => target.name === name || target.name.startsWith(`${name}/`))) {
        continue;
      }
      analysis.report.add("PACKAGE_UNLISTED", place, { name: target.name });
    }
  }
}
