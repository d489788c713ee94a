/** SQL written by hand in an action or in what it imports (contract 4.4 rule 3, definitions 5, 7). */
import type { HandlerModel } from "../../../../model/action.ts";
import { reachable } from "./reachable.ts";
import type { ActionScope } from "./action_scope.ts";

export function checkRawSql(
  scope: ActionScope,
  { handler, allowRawSql }: {
    readonly handler: HandlerModel | null;
    readonly allowRawSql: boolean;
  },
): void {
  const { definitions, found, analysis } = scope;
  const roots = [found.source.module, ...(handler?.kind === "module" ? [handler.module] : [])];
  // Tables are declarations that the compiler reads: their SQL never runs as a statement.
  const declarations = new Set(definitions.tables.map((table) => table.file));
  for (const file of reachable(roots, definitions)) {
    if (declarations.has(file.file)) continue;
    for (const { construct, place, member } of file.rawSql) {
      const isAnothers = file.file === found.source.module && member !== null &&
        member !== found.source.member;
      if (isAnothers) continue;
      if (construct === "`rawDb`") analysis.report.add("RAW_DB", place, { action: found.name });
      else if (!allowRawSql) {
        analysis.report.add("RAW_SQL", place, { construct, action: found.name });
      }
    }
  }
}
