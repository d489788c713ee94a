/** No table is open by accident: somebody's rows are told from others', or the author says otherwise (definitions 4.1). */
import type { FirewallPredicate } from "../../../../model/access.ts";
import type { Analysis } from "../tables/analysis.ts";
import type { TableDraft } from "../tables/draft.ts";
import { primaryTableOf } from "../tables/primary_table.ts";
import type { RuleInput } from "./rule.ts";

/** Columns that elsewhere say whose a row is; here a predicate must name them. */
const USER_COLUMNS = ["userId", "user_id", "authorId", "createdByUserId"];

export function isolation({ analysis, subjects }: RuleInput): void {
  for (const { firewall } of subjects) {
    const { table, place, isComplete, exception, predicates } = firewall;
    const isInternal = table.options === null;
    if (isInternal && !analysis.config.model.multiTenant) continue;
    if (!isComplete || !isKnown(table) || exception) continue;
    if (predicates.some(isIsolating)) continue;
    if (isInternal && mayStillInherit(table, analysis)) continue;
    const userColumn = USER_COLUMNS.find((name) => table.columns.has(name)) ?? null;
    analysis.report.add("ISOLATION_MISSING", place, { table: table.name, isInternal, userColumn });
  }
}

/** A column that could not be read may be the one that isolates. */
function isKnown({ isComplete, columns }: TableDraft): boolean {
  return isComplete && [...columns.values()].every((column) => column.type !== null);
}

/** The table whose scope it would have could not be read. */
function mayStillInherit({ feature }: TableDraft, { tables, brokenFiles }: Analysis): boolean {
  const folder = `quickback/features/${feature}/`;
  if ([...brokenFiles].some((file) => file.startsWith(folder))) return true;
  const primary = primaryTableOf(feature, tables);
  return primary !== null && !isKnown(primary);
}

function isIsolating({ operand }: FirewallPredicate): boolean {
  return operand.kind === "context" || operand.kind === "contextList";
}
