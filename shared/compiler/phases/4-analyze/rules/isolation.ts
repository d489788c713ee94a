/** No table is open by accident: somebody's rows are told from others', or the author says otherwise (definitions 4.1). */
import type { FirewallPredicate } from "../../../../model/predicate.ts";
import type { RuleInput } from "./rule.ts";

export function isolation({ analysis, subjects }: RuleInput): void {
  for (const { firewall } of subjects) {
    const { table, place, isComplete, exception, predicates } = firewall;
    if (!table.options || !isComplete || !table.isComplete || exception) continue;
    // A column that could not be read may be the one that isolates.
    if ([...table.columns.values()].some((column) => column.type === null)) continue;
    if (predicates.some(isIsolating)) continue;
    analysis.report.add("ISOLATION_MISSING", place, { table: table.name });
  }
}

function isIsolating({ operand }: FirewallPredicate): boolean {
  return operand.kind === "context" || operand.kind === "contextList";
}
