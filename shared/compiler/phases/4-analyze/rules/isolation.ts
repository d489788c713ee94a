/**
 * Reports tables that are open by accident. A table isolates rows of different owners, or the author declares an exception
 * (definitions 4.1).
 */
import { columnPredicates, type FirewallPredicate } from "../../../../model/mod.ts";
import type { Analysis } from "../tables/analysis.ts";
import type { TableDraft } from "../tables/draft.ts";
import { olderScopeColumn } from "../tables/predicates.ts";
import { primaryTableOf } from "../tables/draft.ts";
import type { Rule } from "./rule.ts";

export const isolation: Rule = ({ analysis, subjects }) => {
  for (const { firewall } of subjects) {
    const { table, place, isComplete, exception, predicates } = firewall;
    const isInternal = table.options === null;
    if (isInternal && !analysis.config.model.multiTenant) continue;
    if (!isComplete || !isKnown(table) || exception) continue;
    if (
      columnPredicates(predicates).some(({ operand }) =>
        operand.kind === "context" || operand.kind === "contextList"
      )
    ) continue;
    if (!analysis.config.model.multiTenant && predicates.some(isolatesByRelation)) continue;
    if (isInternal && mayStillInherit(table, analysis)) continue;
    const userColumn = olderScopeColumn(table, "owner");
    analysis.report.add("ISOLATION_MISSING", place, {
      table: table.name,
      isInternal,
      userColumn,
    });
  }
};

/**
 * True for a predicate that isolates rows without organizations: they belong to the callers who reach the rows that they refer
 * to.
 */
function isolatesByRelation(predicate: FirewallPredicate): boolean {
  if (predicate.kind !== "rule" || predicate.roles.length > 0) return false;
  const { predicate: rule } = predicate;
  return rule.kind === "related" || (rule.kind === "context" && rule.of.kind === "related");
}

/** False when a column could not be read, because it may be the one that isolates. */
function isKnown({ isComplete, columns }: TableDraft): boolean {
  return isComplete && [...columns.values()].every((column) => column.type !== null);
}

/** True when the table whose scope it would inherit could not be read. */
function mayStillInherit({ feature }: TableDraft, { tables, brokenFiles }: Analysis): boolean {
  const folder = `quickback/features/${feature}/`;
  if ([...brokenFiles].some((file) => file.startsWith(folder))) return true;
  const primary = primaryTableOf(feature, tables);
  return primary !== null && !isKnown(primary);
}
