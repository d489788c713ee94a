/** Checks columns with accounts: an account that a row names is a member of the row's organization (definitions 3). */
import { accountOf, scopeOf } from "../../../../column_types/mod.ts";
import { isPerOrganization } from "../../../../model/mod.ts";
import type { RuleInput } from "./rule.ts";

export function accounts({ analysis, subjects }: RuleInput): void {
  for (const { firewall: { table } } of subjects) {
    const columns = [...table.columns.values()];
    const isScoped = columns.some(({ type }) => scopeOf(type) === "organization");
    for (const { name, type, place, required } of columns) {
      const account = accountOf(type);
      if (account === null) continue;
      if (analysis.config.model.multiTenant && !isScoped) {
        analysis.report.add("ACCOUNT_UNSCOPED", place, { column: name, table: table.name });
      }
      if (account.onMemberRemoved === "setNull" && required) {
        analysis.report.add("ACCOUNT_SET_NULL_REQUIRED", place, { column: name });
      }
      if (account.onMemberRemoved !== undefined && isPerOrganization(analysis.config.model)) {
        analysis.report.add("ACCOUNT_REMOVAL_APART", place, { column: name });
      }
    }
  }
}
