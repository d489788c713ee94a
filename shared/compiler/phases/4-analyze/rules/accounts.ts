/** An account that a row names is a member of the row's organization (definitions 3). */
import { accountOf, scopeOf } from "../../../../column_types/mod.ts";
import type { RuleInput } from "./rule.ts";

export function accounts({ analysis, subjects }: RuleInput): void {
  for (const { firewall: { table } } of subjects) {
    const columns = [...table.columns.values()];
    const isScoped = columns.some(({ type }) => scopeOf(type) === "organization");
    for (const { name, type, place } of columns) {
      if (accountOf(type) === null) continue;
      if (analysis.config.model.multiTenant && !isScoped) {
        analysis.report.add("ACCOUNT_UNSCOPED", place, { column: name, table: table.name });
      }
    }
  }
}
