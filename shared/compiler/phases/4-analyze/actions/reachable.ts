/** Finds the files that code imports, directly or through others, `../schema` included (definitions 5). */
import type { ActionModel } from "../../../../model/mod.ts";
import { SHARED_PACKAGES } from "../../../runtime_modules.ts";
import type { CodeFile, Definitions } from "../../values.ts";
import type { Analysis } from "../tables/analysis.ts";

/** Returns the files sorted by path. */
export function reachable(
  roots: readonly string[],
  { code, tables }: Definitions,
): readonly CodeFile[] {
  const visited = new Set<string>();
  const pending = [...roots];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const file = code.get(path);
    if (visited.has(path) || !file) continue;
    visited.add(path);
    for (const { target } of file.imports) {
      if (target.kind === "file") pending.push(target.file);
      if (target.kind !== "schema") continue;
      const gathered = tables.filter(({ feature }) => feature === target.feature);
      pending.push(...gathered.map((table) => table.file));
    }
  }
  return [...visited].sort().flatMap((path) => code.get(path) ?? []);
}

/** True when code that begins in these files, or a service, uses `db.records`. */
export function writesRecords(roots: readonly string[], definitions: Definitions): boolean {
  const services = definitions.authored.map(({ file }) => file)
    .filter((file) => file.startsWith("quickback/services/"));
  return reachable([...roots, ...services], definitions).some(({ namesRecords }) => namesRecords);
}

/** Checks that the output contains every package that authored code imports (definitions 2, `build.dependencies`). */
export function checkPackages(
  actions: readonly ActionModel[],
  { analysis, definitions, modules }: {
    readonly analysis: Analysis;
    readonly definitions: Definitions;
    /** The files in which code outside of features begins. */
    readonly modules: readonly string[];
  },
): void {
  const listed = [...SHARED_PACKAGES, ...Object.keys(analysis.config.model.dependencies)];
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
