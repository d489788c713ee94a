/** Without organizations nobody is in one, or in a team of one (definitions 2, `features.organizations`). */
import { scopeOf } from "../../../../column_types/mod.ts";
import type { FirewallPredicate } from "../../../../model/access.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { ColumnDraft } from "../tables/draft.ts";
import type { RuleInput, Subject } from "./rule.ts";

export function scopesNeedOrganizations({ analysis, subjects }: RuleInput): void {
  if (analysis.config.model.multiTenant) return;
  for (const subject of subjects) checkTable(subject, analysis.report);
}

function checkTable({ firewall }: Subject, report: Report): void {
  const columns = [...firewall.table.columns.values()].filter(needsOrganizations);
  for (const { name, place } of columns) report.add("SCOPE_WITHOUT_TENANTS", place, { name });
  const predicate = firewall.predicates.find((candidate) =>
    isOfOrganization(candidate) && !columns.some((column) => column.name === candidate.column)
  );
  if (predicate) report.add("SCOPE_WITHOUT_TENANTS", firewall.place, { name: predicate.column });
}

function needsOrganizations({ type }: ColumnDraft): boolean {
  const scope = scopeOf(type);
  return scope !== null && scope !== "owner";
}

function isOfOrganization({ kind }: FirewallPredicate): boolean {
  return kind === "organization" || kind === "team";
}
