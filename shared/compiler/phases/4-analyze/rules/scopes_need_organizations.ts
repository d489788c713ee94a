/**
 * Reports scopes by organization or team in a project without organizations, where no caller has one (definitions 2,
 * `features.organizations`).
 */
import { scopeOf } from "../../../../column_types/mod.ts";
import { columnPredicates } from "../../../../model/mod.ts";
import type { Rule } from "./rule.ts";

export const scopesNeedOrganizations: Rule = ({ analysis, subjects }) => {
  if (analysis.config.model.multiTenant) return;
  for (const subject of subjects) {
    const { firewall } = subject;
    const columns = [...firewall.table.columns.values()].filter(({ type }) => {
      const scope = scopeOf(type);
      return scope !== null && scope !== "owner";
    });
    for (const { name, place } of columns) {
      analysis.report.add("SCOPE_WITHOUT_TENANTS", place, { name });
    }
    const predicate = columnPredicates(firewall.predicates).find((candidate) =>
      (candidate.kind === "organization" || candidate.kind === "team") &&
      !columns.some((column) => column.name === candidate.column)
    );
    if (predicate) {
      analysis.report.add("SCOPE_WITHOUT_TENANTS", firewall.place, { name: predicate.column });
    }
  }
};
