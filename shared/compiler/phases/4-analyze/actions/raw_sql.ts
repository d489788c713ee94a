/** SQL written by hand in an action or in what it imports (contract 4.4 rule 3, definitions 5, 7). */
import type { HandlerModel } from "../../../../model/action.ts";
import type { CodeFile, Definitions } from "../../values.ts";
import type { ActionScope } from "./action_scope.ts";

export function checkRawSql(scope: ActionScope, handler: HandlerModel | null): void {
  const { definitions, found, analysis } = scope;
  const roots = [found.source.module, ...(handler?.kind === "module" ? [handler.module] : [])];
  for (const file of reachable(roots, definitions)) {
    for (const { construct, place, member } of file.rawSql) {
      const isAnothers = file.file === found.source.module && member !== null &&
        member !== found.source.member;
      if (isAnothers) continue;
      analysis.report.add("RAW_SQL", place, { construct, action: found.name });
    }
  }
}

/** The files and all that they import. Tables are declarations that the compiler reads: their SQL never runs as a statement. */
function reachable(roots: readonly string[], { code, tables }: Definitions): readonly CodeFile[] {
  const declarations = new Set(tables.map(({ file }) => file));
  const visited = new Set<string>();
  const pending = [...roots];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const file = code.get(path);
    if (visited.has(path) || declarations.has(path) || !file) continue;
    visited.add(path);
    for (const { target } of file.imports) {
      if (target.kind === "file") pending.push(target.file);
    }
  }
  return [...visited].sort().flatMap((path) => code.get(path) ?? []);
}
